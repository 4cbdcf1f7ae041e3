import { all, away, cells, EVERYBODY, OWN_PAGE, PAGE, type Row, type Rows, to } from "./cells.ts";

const ROW = "Date,Location,Method,Hours\n2026-11-20,Rig,MT,2";

/** A button on the page of an import. A GET leads back to it, also from another technician's import. */
function importButton(name: string, target: string, form: Record<string, string>): Row {
  return {
    address: ({ importId }) => `/import/${importId}/${name}`,
    GET: { cells: all(to("/import")) },
    POST: { cells: cells(away("/auth"), to(target), 404, 404), form: () => form },
  };
}

const CHOICES = {
  "choices[0].target": "date",
  "choices[1].target": "location",
  "choices[2].target": "method",
  "choices[3].target": "hours",
};

/** The pages and calls of imports and exports. */
export const TRANSFER: Rows = {
  import: {
    address: "/import",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/import"), to("/import"), to("/import")),
      form: () => ({ kind: "entry", text: ROW }),
    },
  },
  "import/brought-forward/:key?": {
    address: "/import/brought-forward/key-1",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/profile"), to("/profile"), to("/profile")),
      form: () => ({ date: "2025-12-31", location: "Earlier", MT: "800" }),
    },
  },
  "import/:id": {
    address: ({ importId }) => `/import/${importId}`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/import"), 404, 404), form: () => CHOICES },
  },
  "import/:id/apply": importButton("apply", "/import", CHOICES),
  "import/:id/undo": importButton("undo", "/import", {}),
  "api/imports": { address: "/api/imports", POST: { json: () => ({ text: ROW }) } },
  "api/imports/:id": {
    address: ({ importId }) => `/api/imports/${importId}`,
    PATCH: { json: () => ({ skip: [2] }) },
  },
  "api/imports/:id/apply": { address: ({ importId }) => `/api/imports/${importId}/apply` },
  "api/export.csv": { address: "/api/export.csv" },
  "api/export.xlsx": { address: "/api/export.xlsx" },
  "api/export.json": { address: "/api/export.json" },
  "api/admin/export.csv": {
    address: "/api/admin/export.csv?tab=entries",
    GET: { cells: cells(401, 403, 403, 200), shows: EVERYBODY },
  },
  "api/admin/export.xlsx": {
    address: "/api/admin/export.xlsx?tab=entries",
    GET: { cells: cells(401, 403, 403, 200) },
  },
};
