import { all, away, cells, OWN_PAGE, RECORD, RESET_LINK, type Row, type Rows, to } from "./cells.ts";

/** The page that chooses what is exported, and its action. The others have no verified records, so they are led back to theirs. */
function exportButton(log: string): Row {
  return {
    address: `${log}/exports`,
    GET: { cells: cells(away("/auth"), 200, 200, 200) },
    POST: {
      cells: cells(away("/auth"), to(`${log}/print`), away(log), away(log)),
      form: () => ({ key: "key-1" }),
    },
  };
}

/** The pages and calls of exports. A text that is no code is answered 400. */
export const EXPORTS: Rows = {
  "profile/exports": exportButton("/profile"),
  "rope-hours/exports": exportButton("/rope-hours"),
  "training/exports": exportButton("/training"),
  "training/print/:id?": [
    { address: "/training/print", GET: { cells: cells(away("/auth"), 200, away("/training"), away("/training")) } },
    { address: ({ exportId }) => `/training/print/${exportId}`, GET: { cells: cells(away("/auth"), 404, 404, 404) } },
  ],
  "account/exports/:id": {
    address: ({ exportId }) => `/account/exports/${exportId}`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/account"), 404, 404), form: () => ({}) },
  },
  "c/:code": {
    address: (_world, token) => `/c/${token}`,
    link: "export",
    GET: { cells: RESET_LINK, shows: RECORD },
  },
  check: [
    { address: "/check", link: "export", GET: { cells: all(200) } },
    {
      address: (_world, token) => `/check?code=${token}`,
      link: "export",
      GET: { cells: cells(400, to("/c"), to("/c"), to("/c"), to("/c"), 400) },
    },
  ],
  "api/exports": {
    address: "/api/exports",
    POST: { cells: cells(401, 201, 409, 409), json: () => ({ form: "ojt" }) },
  },
  "api/exports/:id": {
    address: ({ exportId }) => `/api/exports/${exportId}`,
  },
  "api/check/:code": {
    address: (_world, token) => `/api/check/${token}`,
    link: "export",
    GET: { cells: RESET_LINK, shows: RECORD }, // a text that is no code at all is 400
  },
};
