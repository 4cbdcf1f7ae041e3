import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName } from "#app/accounts/details.server.ts";
import { addDays, toCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { logPageQueries, logQueryFrom, readLogPage } from "#app/records/log-page.server.ts";
import { isOwn, SUMS_BY_STATUS, savedTogether } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { parseId } from "#app/server/query.ts";
import { LAST_DECLINE, LAST_END } from "#app/verification/decision.server.ts";
import { asksToRequest, dialogFromRows, dialogQueries } from "#app/verification/requests/dialog.server.ts";

/** The page of a log of training or certificates: its records, its sums, what was just saved, and the dialog. */
export async function findEvidencePage<Row extends AnyRecord>(
  context: AppLoadContext,
  kind: Kind<Row>,
  request: Request,
) {
  const url = new URL(request.url);
  const query = logQueryFrom(kind, url);
  const source = { now: context.now, decline: LAST_DECLINE, ended: LAST_END };
  const today = toCalendarDate(context.timeZone, context.now);
  // Only right after saving: the address may be opened again, or kept.
  const savedId = context.flash?.saved ? parseId(url.searchParams.get("saved")) : 0;
  const {
    user,
    log,
    sums,
    justSaved = [],
    ...requestable
  } = await requireUser(context, (owner, db) => ({
    log: logPageQueries(db, owner, kind, query, source),
    sums: sumsOf(db, owner, kind, today),
    ...(savedId && { justSaved: savedTogether(db, owner, kind, savedId, 1) }),
    ...dialogQueries(db, owner, kind, url),
  }));
  if (asksToRequest(url)) await askForName(context, request, user);
  const page = await readLogPage(context, user.id, kind, query, source, log);
  return {
    user,
    log: page,
    isEmpty: page.records.length === 0 && Object.keys(query.params).length === 0,
    sums: sums[0] ?? null,
    formKey: newFormKey(user.id),
    today,
    justSaved,
    hasUndo: Boolean(context.flash?.toast?.undo),
    dialog: await dialogFromRows(context, kind, url, requestable),
  };
}

/** The hours of a kind by status, and how many of its records are valid, how many of these end soon, and how many have ended. */
function sumsOf(db: Db, owner: Owner, kind: Kind, today: string) {
  // Examinations have no term.
  const counted = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce(sum(subtype IS NOT 'examination' AND ${condition}), 0)`;
  return db
    .select({
      ...SUMS_BY_STATUS,
      valid: counted(sql`coalesce(end_date >= ${today}, 1)`).as("valid"),
      ending: counted(sql`end_date BETWEEN ${today} AND ${addDays(today, SOON_DAYS)}`).as("ending"),
      ended: counted(sql`coalesce(end_date < ${today}, 0)`).as("ended"),
    })
    .from(records)
    .where(isOwn(owner, kind));
}
