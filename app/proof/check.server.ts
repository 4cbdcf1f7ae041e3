import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { eventQueries, eventsFromRows, isDecisive, isEvent } from "#app/audit-log/log.server.ts";
import { notedRevocation } from "#app/audit-log/shown-event.ts";
import { batch, type Db, groupBy } from "#app/db/client.server.ts";
import { VIAS, type Via } from "#app/db/enumerations.ts";
import { countFitting, PART_BYTES } from "#app/db/parts.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { recordsById, selectAnyRecords } from "#app/records/any-record.server.ts";
import { hasTechniciansName, ofStatements } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import type { ShownRecord } from "#app/records/kind.ts";
import { countAttempt, requireBelowLimit, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { inTurns } from "#app/server/others-turn.ts";
import { LIST_MAX, listSchema } from "#app/server/query.ts";
import { VERIFYING_MAILBOX } from "#app/verification/decision.server.ts";
import { type GroupSum, sumsByGroup } from "#app/verification/sums.tsx";
import { type CurrentRecord, type RecordState, type StateOfRecord, stateOf } from "./check-state.server.ts";
import { hashCode, MISTYPED, parseCode } from "./export-code.server.ts";
import { exportRecords, exports, printedRecords } from "./exports.table.ts";
import { snapshotOf } from "./own-exports.server.ts";
import { sealOf } from "./rows-hash.server.ts";
import { type PrintedRecord, type Snapshot, totalsOf } from "./snapshot.ts";
import { withCode } from "./statement.server.ts";

/**
 * A printed record and what became of it; `revocation` is that of a certificate as its log has it now, whether or not it is
 * printed.
 */
export type CheckedRecord = PrintedRecord & StateOfRecord & { revocation?: ReturnType<typeof notedRevocation> };

/** An export as a check shows it, neither closed nor of a deleted account. */
interface ShownExport extends Snapshot {
  code: string;
  records: CheckedRecord[];
  statement: string | null;
  /** Whether all that is shown is what was printed. Otherwise the database was altered past the app. */
  isSealed: boolean;
}

type Checked =
  | { kind: "shown"; export: ShownExport }
  | { kind: "closed"; closedAt: Date; disowned: number }
  | { kind: "account-deleted"; madeAt: Date; accountDeletedAt: Date };

const UNKNOWN = "There is no export with this code. Compare the code with the paper.";

/**
 * Checks the export of a code, in any spelling, and counts the check unless `isCounted` is false.
 * @throws {AppError} 400 for a mistyped code, which costs no attempt; 404 for an unknown one; 429 for an unknown one after
 *   too many unknown tokens from one network
 */
export async function checkExport(context: AppLoadContext, text: string, isCounted: boolean): Promise<Checked> {
  const { db } = context;
  const code = parseCode(text);
  if (code === null) throw new AppError("invalid", MISTYPED);
  const codeHash = hashCode(code);
  const limit = tokenLimit(context);
  const {
    full,
    disowned,
    export: found,
    printed,
    ...now
  } = await batch(db, {
    ...countAttempt(context, limit, sql`NOT EXISTS (SELECT 1 FROM ${exports} WHERE code_hash = ${codeHash})`),
    ...(isCounted && { check: countCheck(context, codeHash) }),
    ...exportQueries(db, codeHash),
    disowned: countDisowned(db, sql`code_hash = ${codeHash} AND closed_at IS NOT NULL`),
  });
  const [row] = found;
  if (!row) {
    requireBelowLimit(context, limit, full, "Too many unknown codes were checked from your network.");
    throw new AppError("not_found", UNKNOWN);
  }
  const { madeAt, closedAt, accountDeletedAt, statement, seal, userId } = row;
  if (accountDeletedAt) return { kind: "account-deleted", madeAt, accountDeletedAt };
  if (closedAt) return { kind: "closed", closedAt, disowned: disowned[0]?.count ?? 0 };
  const snapshot = snapshotOf(row, printed);
  if (!snapshot) throw new Error("an open export has no content");
  const records = await checkedRecords(snapshot, userId, now);
  const isSealed = seal === sealOf(code, { ...snapshot, records });
  return {
    kind: "shown",
    export: {
      ...snapshot,
      code,
      isSealed,
      statement: statement && withCode(statement, code),
      records: isSealed
        ? records
        : records.map((record) => ({ ...record, state: "changed", at: null, withdrawnAt: null, confirmed: null })),
    },
  };
}

function countCheck({ db, now }: AppLoadContext, codeHash: string) {
  return db
    .update(exports)
    .set({ checks: sql`checks + 1`, checkedAt: now })
    .where(sql`code_hash = ${codeHash} AND closed_at IS NULL AND account_deleted_at IS NULL`);
}

/**
 * The query for how many verifications of an export were taken back by their supervisors. A later change of the record does not
 * matter, and neither does its deletion, after which its log remains. A printed verification is the last one before the export was made.
 */
function countDisowned(db: Db, which: SQL) {
  return db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(exportRecords)
    .where(
      sql`export_id = (SELECT id FROM ${exports} WHERE ${which}) AND EXISTS (
        SELECT 1 FROM ${verificationLog} AS log WHERE log.record_id = export_records.record_id AND ${isEvent("disowned")}
          AND log.number > (SELECT max(number) FROM ${verificationLog} AS printed
            WHERE printed.record_id = export_records.record_id AND ${isEvent("verified")}
              AND printed.at <= (SELECT made_at FROM ${exports} WHERE exports.id = export_id)))`,
    );
}

/**
 * The queries for an export, for what it printed in the order of the form, and for those records and the answers in their logs as
 * they are now: of edits there can be thousands, and none says whether a record is verified. A form has at most 2,000 records
 * (`verifiedQueries`).
 */
function exportQueries(db: Db, codeHash: string) {
  const printed = sql`export_id = (SELECT id FROM ${exports} WHERE code_hash = ${codeHash} AND closed_at IS NULL)`;
  const ids = sql`(SELECT record_id FROM ${exportRecords} WHERE ${printed})`;
  return {
    export: db.select().from(exports).where(sql`code_hash = ${codeHash}`),
    printed: db.select().from(printedRecords).where(printed).orderBy(asc(printedRecords.position)),
    current: selectAnyRecords(db, sql`records.id IN ${ids}`, { mailbox: VERIFYING_MAILBOX.as("mailbox") }),
    log: eventQueries(db, isDecisive(ids)),
  };
}

interface RecordRows {
  current: Parameters<typeof recordsById>[0];
  log: Parameters<typeof eventsFromRows>[0];
}

/** How many records are checked before other requests have their turn: some 20 ms of hashing. */
const AT_ONCE = 200;

async function checkedRecords(
  { records, ...paper }: Snapshot,
  userId: number | null,
  { current, log }: RecordRows,
): Promise<CheckedRecord[]> {
  const currentById = recordsById<CurrentRecord>(current);
  const eventsById = groupBy(eventsFromRows(log), ({ recordId }) => recordId);
  const checked: CheckedRecord[] = [];
  await inTurns(records, AT_ONCE, (printed) => {
    const record = currentById.get(printed.recordId)?.record;
    const own: CurrentRecord | undefined = record?.userId === userId ? record : undefined;
    const events = eventsById.get(printed.recordId) ?? [];
    checked.push({ ...printed, ...stateOf(paper, printed, own, events), revocation: notedRevocation(events) });
  });
  return checked;
}

/** Counts the records in each state. */
function statesOf(records: readonly CheckedRecord[]): Record<RecordState, number> {
  const states = { unchanged: 0, changed: 0, disowned: 0, deleted: 0 };
  for (const { state } of records) states[state] += 1;
  return states;
}

/** The parameters of `GET /api/check/{code}`: a cursor is the number of the last record of the page before. */
export const checkQuerySchema = listSchema(LIST_MAX, {
  before: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: "before must be a cursor, as in Link" })
    .transform(Number)
    .optional(),
});

/**
 * A check as `GET /api/check/{code}` returns it: totals and states are of all records, which are listed in the order of the
 * form, a page at a time. `next` is the cursor of the next page.
 */
export function checkJson(checked: Checked, { limit, before = 0 }: z.output<typeof checkQuerySchema>) {
  if (checked.kind === "closed") {
    return { answer: { closedAt: checked.closedAt, disowned: checked.disowned }, next: null };
  }
  if (checked.kind === "account-deleted") {
    return { answer: { madeAt: checked.madeAt, accountDeletedAt: checked.accountDeletedAt }, next: null };
  }
  const { form, madeAt, name, employeeNumber, chosen, leftOut, records, statement } = checked.export;
  const answer = {
    form,
    madeAt,
    technician: { name, employeeNumber },
    from: chosen?.from ?? null,
    to: chosen?.to ?? null,
    supervisor: chosen?.supervisor ?? null,
    leftOut: leftOut ? { records: leftOut.records, hours: leftOut.hundredths / 100 } : null,
    totals: totalsOf(records),
    stillVerified: totalsOf(records.filter(isUnchanged)),
    states: statesOf(records),
    records: records
      .slice(before, before + limit)
      .map(
        ({
          type,
          content,
          details,
          supervisor,
          via,
          domain,
          state,
          withdrawnAt,
          confirmedOn,
          confirmed,
          revocation,
          ...noted
        }) => ({
          type,
          ...absentFields(type),
          ...content,
          ...(details && { details }),
          supervisor,
          via,
          domain,
          state,
          withdrawnAt,
          createdAt: noted.createdAt ?? null,
          verifiedAt: noted.verifiedAt ?? null,
          certification: noted.certification ?? null,
          ...ofStatements((_, name) => noted[name] ?? null),
          ...(noted.asked !== undefined && { asked: noted.asked }),
          confirmedAt: confirmed?.at ?? null,
          ...(confirmed && { confirmedFrom: confirmed.domain }),
          ...(confirmedOn && { confirmedOn }),
          ...(revocation && { revocation }),
          ...(noted.verifiedFor && { verifiedFor: noted.verifiedFor }),
          ...(hasTechniciansName(supervisor, name, noted) && { sameName: true }),
          ...(noted.dayHundredths && { dayHours: noted.dayHundredths / 100 }),
          ...(noted.continuity && { continuity: noted.continuity }),
        }),
      ),
    statement,
  };
  const count = countFitting(answer.records);
  const end = before + count;
  return {
    answer: { ...answer, records: answer.records.slice(0, count) },
    next: end < records.length ? end : null,
  };
}

/** The fields that a record of this type can lack, as null: every record of a type has the same fields. */
function absentFields(type: string): Record<string, null> {
  const optional = kindNamed(type).fields.filter(({ isOptional }) => isOptional);
  return Object.fromEntries(optional.map(({ name }) => [name, null]));
}

/** How many records a page of a check shows at most. */
const PAGE_SIZE = 100;

/**
 * Returns how many it shows: fewer than 100 if they are so long that these could have more than 2 MB of HTML, where a
 * quote takes six bytes.
 */
function pageSizeOf(records: readonly CheckedRecord[]): number {
  const longest = Math.max(1, ...records.map((record) => JSON.stringify(record).length));
  return Math.max(1, Math.min(PAGE_SIZE, Math.floor(PART_BYTES / (6 * longest))));
}

/** A record with its place on the form, from 1. */
interface PlacedRecord {
  record: CheckedRecord;
  place: number;
}

/**
 * A page of a check: the facts about all records, and the records of the page. It is all that the loader returns,
 * because Remix encodes that once more, which took longer than rendering.
 */
export interface CheckPage extends Omit<ShownExport, "records" | "statement"> {
  /** The reader's day, `YYYY-MM-DD`: a certificate may have expired since. */
  today: string;
  count: number;
  hundredths: number;
  sums: GroupSum[];
  /** The part of them that is still verified as printed: the hours, and the sums of the same groups. */
  still: { hundredths: number; sums: GroupSum[] };
  /** How many of the records that were changed or deleted had their verification withdrawn. */
  withdrawn: number;
  /** The sums of the form by how the verifications came: only of those that it has. */
  byVia: { via: Via; count: number; hundredths: number; sums: GroupSum[] }[];
  states: Record<RecordState, number>;
  /** The address of the first record in each state that has any, on this page or another. */
  firsts: Partial<Record<RecordState, string>>;
  /** From 1. */
  page: number;
  pages: number;
  /** How many records are on the pages before. */
  start: number;
  records: PlacedRecord[];
}

/** A page of a check on a day, changed records first. One after the last page is the last. */
export function checkPage({ records, statement: _, ...shown }: ShownExport, wanted: number, today: string): CheckPage {
  const ordered = changedFirst(records);
  const size = pageSizeOf(records);
  const pages = Math.max(1, Math.ceil(records.length / size));
  const page = Math.min(wanted, pages);
  const start = (page - 1) * size;
  const states = statesOf(records);
  const firsts = Object.keys(states).flatMap((state) => {
    const index = ordered.findIndex(({ record }) => record.state === state);
    const itsPage = Math.floor(index / size) + 1;
    const href = `${itsPage === page ? "" : `?page=${itsPage}`}#r${ordered[index]?.place}`;
    return index < 0 ? [] : [[state, href]];
  });
  return {
    ...shown,
    today,
    count: records.length,
    ...sumsOf(records),
    still: sumsOf(records.filter(isUnchanged)),
    withdrawn: records.filter(({ state, withdrawnAt }) => withdrawnAt && state !== "disowned").length,
    byVia: VIAS.flatMap((via) => {
      const ofVia = records.filter((record) => record.via === via);
      return ofVia.length > 0 ? [{ via, count: ofVia.length, ...sumsOf(ofVia) }] : [];
    }),
    states,
    firsts: Object.fromEntries(firsts),
    page,
    pages,
    start,
    records: ordered.slice(start, start + size),
  };
}

const isUnchanged = ({ state }: CheckedRecord) => state === "unchanged";

/** The hours of printed records, and their sums by group. */
function sumsOf(records: readonly CheckedRecord[]) {
  return {
    hundredths: records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours ?? 0)), 0),
    // The sums need only the fields of the kind.
    sums: sumsByGroup(records.map(({ type, content }) => ({ kind: type, record: content as unknown as ShownRecord }))),
  };
}

/** The records that are not unchanged, then the others, each in the order of the form. */
function changedFirst(records: CheckedRecord[]): PlacedRecord[] {
  const placed = records.map((record, index) => ({ record, place: index + 1 }));
  return [
    ...placed.filter(({ record }) => !isUnchanged(record)),
    ...placed.filter(({ record }) => isUnchanged(record)),
  ];
}
