import { NEW_PASSWORD, PASSWORD } from "#tests/worker/people.ts";
import { all, away, cells, HOME, PAGE, RESET_LINK, type Rows, to } from "./cells.ts";

/** The pages of signing in and of the account. */
export const ACCOUNT_PAGES: Rows = {
  "/": { address: "/", GET: { cells: HOME } },
  auth: [
    {
      address: "/auth",
      GET: { cells: HOME },
      POST: {
        cells: all(to("/profile")),
        form: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
        changes: ["owner"],
      },
    },
    {
      address: "/auth?tab=register",
      GET: { cells: HOME },
      POST: {
        cells: all(to("/profile")),
        form: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }),
      },
    },
    {
      address: "/auth",
      GET: { cells: HOME },
      POST: {
        cells: all(401),
        form: ({ admin }) => ({ email: admin.user.email, password: "a wrong password" }),
      },
    },
  ],
  logout: {
    address: "/logout",
    GET: { cells: all(to("/")) },
    POST: { cells: all(to("/")), form: () => ({}) },
  },
  account: { address: "/account", GET: { cells: PAGE } },
  "account/details": {
    address: "/account/details",
    GET: { cells: PAGE },
    POST: { cells: all(to("/account"), away("/auth")), form: () => ({ name: "New Name", employeeNumber: "" }) },
  },
  "account/name": {
    address: "/account/name",
    GET: { cells: PAGE },
    POST: { cells: all(to("/profile"), away("/auth")), form: () => ({ name: "New Name" }) },
  },
  "account/password": {
    address: "/account/password",
    GET: { cells: PAGE },
    POST: {
      cells: all(to("/account"), away("/auth")),
      form: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    },
  },
  "account/email": {
    address: "/account/email",
    GET: { cells: PAGE },
    POST: {
      cells: all(to("/account/email"), away("/auth")),
      form: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }),
    },
  },
  "account/email/resend": {
    address: "/account/email/resend",
    GET: { cells: all(to("/account")) },
    POST: { cells: all(to("/account"), away("/auth")), form: () => ({}) },
  },
  "account/email/:token": {
    address: (_world, token) => `/account/email/${token}`,
    link: "change",
    GET: { cells: RESET_LINK },
    POST: { cells: RESET_LINK, form: () => ({}), changes: ["other"] },
  },
  "account/sessions": [
    // The owner's session, which only the owner can end.
    {
      address: "/account/sessions",
      GET: { cells: all(to("/account")) },
      POST: {
        cells: cells(away("/auth"), to("/account"), away("/account"), away("/account")),
        form: ({ ownSession }) => ({ session: ownSession }),
      },
    },
    {
      address: "/account/sessions",
      GET: { cells: all(to("/account")) },
      POST: { cells: all(to("/account"), away("/auth")), form: () => ({ session: "others" }) },
    },
  ],
  "account/tokens/:key?": {
    address: "/account/tokens/key-1",
    GET: { cells: PAGE },
    POST: { cells: PAGE, form: () => ({ name: "Payroll", access: "write" }) },
  },
  // The owner's token, which only the owner can end.
  "account/end-token": {
    address: "/account/end-token",
    GET: { cells: all(to("/account")) },
    POST: {
      cells: cells(away("/auth"), to("/account"), away("/account"), away("/account")),
      form: ({ readTokenId }) => ({ token: String(readTokenId) }),
    },
  },
  "account/delete": {
    address: "/account/delete",
    GET: { cells: PAGE },
    POST: {
      cells: cells(away("/auth"), to("/auth"), to("/auth"), away("/account/delete")),
      form: () => ({ password: PASSWORD }),
    },
  },
  "reset-password": {
    address: "/reset-password",
    GET: { cells: HOME },
    POST: {
      cells: all(to("/reset-password")),
      form: ({ owner }) => ({ email: owner.user.email }),
      changes: ["owner"],
    },
  },
  "reset-password/:token": {
    address: (_world, token) => `/reset-password/${token}`,
    link: "reset",
    GET: { cells: RESET_LINK },
    POST: {
      cells: RESET_LINK,
      form: () => ({ password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
      changes: ["other"],
    },
  },
};
