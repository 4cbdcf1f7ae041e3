import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { SEARCH_MAX } from "#app/admin/view.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { isLastPart, PART_ROWS } from "#app/db/parts.server.ts";
import { oneLine } from "#app/plain-text.ts";
import { type FieldValue, type Kind, NO_VALUE } from "#app/records/kind.ts";
import { type Rest, readSteps } from "#app/records/search.server.ts";
import { CSV_BOM, csvLine } from "#app/server/csv.ts";
import { ADMIN_LIST_MAX, listSchema, positive, querySchema } from "#app/server/query.ts";
import { download } from "#app/server/stream.server.ts";
import { findAllRecords, listUsers, type OwnedRecord } from "./lists.server.ts";
import { TABS, tabNamed, USERS } from "./view.tsx";

/** The parameters of an admin's list of records; `?user=` is for one user's. */
export const listQuerySchema = listSchema(ADMIN_LIST_MAX, {
  before: positive("before").optional(),
  user: positive("user").optional(),
});

const tabs = TABS.map(({ name }) => name);

/** The parameters of the file of a list, which are those of the page of the admin. */
export const exportQuerySchema = querySchema({
  tab: z.enum(tabs, { error: `tab must be ${tabs.slice(0, -1).join(", ")} or ${tabs.at(-1)}` }).default(USERS.name),
  search: z
    .string()
    .max(SEARCH_MAX, { error: `search has at most ${SEARCH_MAX} characters` })
    .default(""),
  user: positive("user").optional(),
});

type ExportQuery = z.output<typeof exportQuerySchema>;

type Cells = (string | number | null)[];

/**
 * The list that the admin page shows with these parameters, all pages of it, as CSV.
 * @throws as `requireAdmin`
 */
export async function exportList(
  context: AppLoadContext,
  { tab, search, user: userId }: ExportQuery,
): Promise<Response> {
  const { db, timeZone, now } = context;
  const { kind, name } = tabNamed(tab);
  const query = { search: oneLine(search), userId: userId ?? null, limit: PART_ROWS };
  const today = toCalendarDate(timeZone, now);
  if (!kind) {
    const read = (viewer: Owner, db: Db, before: number | null) => listUsers(db, viewer, { ...query, before });
    const { user, first } = await requireAdmin(context, (viewer, db) => ({ first: read(viewer, db, null) }));
    const pages = listPages(first, (before) => read(user.id, db, before));
    return download(context, `users-${today}`, "csv", linesOf(USER_COLUMNS, pages, userCells));
  }
  const find = (viewer: Owner, db: Db, before: number | null, from?: Rest) =>
    findAllRecords(db, viewer, kind, { ...query, before }, from);
  const { user, account: _, ...found } = await requireAdmin(context, (viewer, db) => find(viewer, db, null));
  const others = (first: typeof found, before: number | null) =>
    readSteps<OwnedRecord>(
      first,
      (rows) => !isLastPart(rows),
      (from) => batch(db, find(user.id, db, before, from)),
    );
  const pages = listPages(await others(found, null), async (before) =>
    others(await batch(db, find(user.id, db, before)), before),
  );
  return download(
    context,
    `${name}-${today}`,
    "csv",
    linesOf(recordColumns(kind), pages, (record) => recordCells(kind, record)),
  );
}

/** A list's pages. Each query checks again that the viewer is an admin. */
async function* listPages<Row extends { id: number }>(
  first: Row[],
  read: (before: number) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let page = first;
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (!last || isLastPart(page)) return;
    page = await read(last.id);
  }
}

async function* linesOf<Row>(columns: string[], pages: AsyncGenerator<Row[]>, cells: (row: Row) => Cells) {
  yield CSV_BOM + csvLine(columns);
  for await (const page of pages) yield page.map((row) => csvLine(cells(row))).join("");
}

const USER_COLUMNS = ["Name", "Email", "Employee Number", "Registered", "Role"];

function userCells({ name, email, employeeNumber, createdAt, isAdmin }: User): Cells {
  return [name, email, employeeNumber, createdAt.toISOString(), isAdmin ? "Admin" : null];
}

function recordColumns(kind: Kind): string[] {
  const fields = kind.shown.map(({ label }) => label);
  return ["Technician", "Email", ...fields, "Remark", "Status", "Verified by", "Verified at"];
}

function recordCells(kind: Kind, record: OwnedRecord): Cells {
  const values = kind.shown.map((field) => field.value(record) || NO_VALUE);
  const [remark = null] = values.flatMap((value) => ("dates" in value && value.mark ? [value.mark] : []));
  const { user, status, verifiedBy, verifiedAt } = record;
  return [user.name, user.email, ...values.map(cellOf), remark, status, verifiedBy, verifiedAt?.toISOString() ?? null];
}

function cellOf(value: FieldValue): string | number {
  if ("typed" in value) return value.typed;
  if ("text" in value) return value.text;
  return "hours" in value ? value.hours : value.dates.join(" to ");
}
