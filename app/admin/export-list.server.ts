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
import { ADMIN_LIST_MAX, listSchema, positive, querySchema } from "#app/server/query.ts";
import { downloadTable, type TableFile, type TableType } from "#app/server/table-file.server.ts";
import type { Cell } from "#app/server/xlsx.ts";
import { findAllRecords, listUsers, type OwnedRecord } from "./lists.server.ts";
import { TABS, tabNamed, USERS } from "./view.tsx";

/** The parameters of an admin's list of records; `?user=` is for one user's. */
export const listQuerySchema = listSchema(ADMIN_LIST_MAX, {
  before: positive("before").optional(),
  user: positive("user").optional(),
});

/** The name of a list for callers: the users, or a kind of record. */
const tabs = TABS.map(({ name, kind }) => kind?.name ?? name);

/** The parameters of the file of a list, which are those of the page of the admin. */
export const exportQuerySchema = querySchema({
  // Also by the name of the page's tab, as it was called before.
  tab: z
    .enum([...tabs, ...TABS.map(({ name }) => name)], { error: `tab must be one of ${tabs.join(", ")}` })
    .meta({ enum: tabs })
    .default(USERS.name)
    .transform((sent) => TABS.find(({ name, kind }) => [name, kind?.name].includes(sent))?.name ?? USERS.name),
  search: z
    .string()
    .max(SEARCH_MAX, { error: `search has at most ${SEARCH_MAX} characters` })
    .default(""),
  user: positive("user").optional(),
});

type ExportQuery = z.output<typeof exportQuerySchema>;

/**
 * The list that the admin page shows with these parameters, all pages of it, as CSV or as a workbook.
 * @throws as `requireAdmin`
 */
export async function exportList(
  context: AppLoadContext,
  { tab, search, user: userId }: ExportQuery,
  type: TableType,
): Promise<Response> {
  const { db, timeZone, now } = context;
  const { kind, name } = tabNamed(tab);
  const query = { search: oneLine(search), userId: userId ?? null, limit: PART_ROWS };
  const today = toCalendarDate(timeZone, now);
  if (!kind) {
    const read = (viewer: Owner, db: Db, before: number | null) => listUsers(db, viewer, { ...query, before });
    const { user, first } = await requireAdmin(context, (viewer, db) => ({ first: read(viewer, db, null) }));
    const pages = listPages(first, (before) => read(user.id, db, before));
    return downloadTable(context, `users-${today}`, type, tableOf(USER_COLUMNS, pages, userCells));
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
  const table = tableOf(recordColumns(kind), pages, (record) => recordCells(kind, record));
  return downloadTable(context, `${name}-${today}`, type, table);
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

/** A list has periods and instants rather than days: they stay text. */
function tableOf<Row>(columns: string[], rows: AsyncGenerator<Row[]>, cellsOf: (row: Row) => Cell[]): TableFile {
  async function* pages() {
    for await (const page of rows) yield page.map(cellsOf);
  }
  return { columns, dates: new Set(), pages: pages() };
}

const USER_COLUMNS = ["Name", "Email", "Employee Number", "Registered", "Role"];

function userCells({ name, email, employeeNumber, createdAt, isAdmin }: User): Cell[] {
  return [name, email, employeeNumber, createdAt.toISOString(), isAdmin ? "Admin" : null];
}

function recordColumns(kind: Kind): string[] {
  const fields = kind.shown.map(({ label }) => label);
  return ["Technician", "Email", ...fields, "Remark", "Status", "Verified by", "Verified at"];
}

function recordCells(kind: Kind, record: OwnedRecord): Cell[] {
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
