import { ACCOUNT_CALLS } from "./access/account-calls.ts";
import { ACCOUNT_PAGES } from "./access/account-pages.ts";
import { ADMIN } from "./access/admin.ts";
import { withCells } from "./access/cells.ts";
import { CERTIFICATION } from "./access/certification.ts";
import { ENTRY_PAGES } from "./access/entry-pages.ts";
import { EVIDENCE } from "./access/evidence.ts";
import { EXPORTS } from "./access/exports.ts";
import { PUBLIC_FILES } from "./access/public-files.ts";
import { RECORD_CALLS } from "./access/record-calls.ts";
import { ROPE_HOURS_PAGES } from "./access/rope-hours-pages.ts";
import { SUPERVISOR_PAGES } from "./access/supervisor-pages.ts";
import { TRANSFER } from "./access/transfer.ts";

/*
 * The access of each kind of visitor to every route of app/routes.ts, by each method. access.test.ts sends every
 * cell of it, and fails if a route has no row here.
 *
 * To add a route, add a row to the file of its subject, under its path as routes.ts has it:
 *
 *   "api/entries/:id": {
 *     address: ({ entryId }) => `/api/entries/${entryId}`,               the owner's record, for every visitor
 *     PATCH: { json: () => ({ hours: 8 }) },                             a body that succeeds for the owner
 *   },
 *
 * `cells` is the expected answer for each visitor: a status, or `away("/auth")` for a redirect there, with any query.
 * access/cells.ts has the usual kinds; those of an endpoint of the API follow from its description. Methods without a
 * cell must answer 405. Everything else is forbidden: a response shows no user's text but the visitor's own, and changes
 * only the visitor's own rows; a GET changes nothing. `shows` and `changes` name the texts and rows that a successful
 * cell has beyond that. A link's address gets its token from `link`, and its page may show the texts of `shows` to every
 * visitor with the token.
 */

/** The rows of every route, by path. */
export const ACCESS = withCells({
  ...ACCOUNT_PAGES,
  ...ENTRY_PAGES,
  ...ROPE_HOURS_PAGES,
  ...EVIDENCE,
  ...SUPERVISOR_PAGES,
  ...ADMIN,
  ...ACCOUNT_CALLS,
  ...RECORD_CALLS,
  ...EXPORTS,
  ...PUBLIC_FILES,
  ...CERTIFICATION,
  ...TRANSFER,

  "*": [
    { address: "/nothing", isUnknown: true },
    { address: "/api/nothing", isUnknown: true },
    { address: "/profile.data", isUnknown: true },
  ],
});
