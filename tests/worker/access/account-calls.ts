import { NEW_PASSWORD, PASSWORD } from "#tests/worker/people.ts";
import { all, cells, type Rows } from "./cells.ts";

/** The API calls of signing in and of the account. */
export const ACCOUNT_CALLS: Rows = {
  "api/user": {
    address: "/api/user",
    PATCH: { json: ({ otherId }) => ({ name: "New Name", id: otherId, isAdmin: true }) },
    DELETE: { cells: cells(401, 200, 200, 409), json: () => ({ password: PASSWORD }) },
  },
  "api/user/password": {
    address: "/api/user/password",
    POST: { json: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }) },
  },
  "api/user/email": {
    address: "/api/user/email",
    POST: { json: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }) },
  },
  "api/user/email/resend": { address: "/api/user/email/resend" },
  // Without a body: the token is enough, also on a device that is not signed in.
  "api/user/email/:token": {
    address: (_world, token) => `/api/user/email/${token}`,
    link: "change",
    POST: { shows: ["other name"], changes: ["other"] },
  },
  "api/user/sessions": { address: "/api/user/sessions" },
  "api/user/sessions/:reference": {
    address: ({ ownSession }) => `/api/user/sessions/${ownSession}`,
  },
  "api/events": { address: "/api/events" },
  "api/admin/events": { address: "/api/admin/events" },
  "api/tokens": {
    address: "/api/tokens",
    POST: { json: ({ otherId }) => ({ name: "Payroll", access: "write", userId: otherId }) },
  },
  "api/tokens/:id": {
    address: ({ readTokenId }) => `/api/tokens/${readTokenId}`,
  },
  "api/auth/register": {
    address: "/api/auth/register",
    POST: {
      cells: all(201),
      json: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD, isAdmin: true, id: 1 }),
    },
  },
  "api/auth/login": [
    {
      address: "/api/auth/login",
      POST: {
        json: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
        shows: ["owner email", "owner name"],
        changes: ["owner"],
      },
    },
    {
      address: "/api/auth/login",
      POST: {
        cells: all(401),
        json: ({ admin }) => ({ email: admin.user.email, password: "a wrong password" }),
      },
    },
  ],
  "api/auth/logout": { address: "/api/auth/logout", POST: { json: () => ({}) } },
  "api/auth/reset-password": {
    address: "/api/auth/reset-password",
    POST: { json: ({ owner }) => ({ email: owner.user.email }), changes: ["owner"] },
  },
  "api/auth/reset-password/:token": {
    address: (_world, token) => `/api/auth/reset-password/${token}`,
    link: "reset",
    POST: { json: () => ({ password: NEW_PASSWORD }), changes: ["other"] },
  },
};
