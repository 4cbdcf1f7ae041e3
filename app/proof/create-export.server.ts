import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { type Db, insertSelect } from "#app/db/client.server.ts";
import { commit, retryOnConflict } from "#app/db/commit.server.ts";
import { linkBytes, rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { isReusedKey, KeyReusedError, submissionOf } from "#app/db/submission.server.ts";
import { toHundredths } from "#app/records/hours.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { type DailyQuota, requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { exportCode, hashCode } from "./export-code.server.ts";
import { exportRecords, exports } from "./exports.table.ts";
import { type OwnExport, ownExport, ownExportQueries } from "./own-exports.server.ts";
import { sealOf } from "./rows-hash.server.ts";
import type { PrintedRecord, Snapshot } from "./snapshot.ts";
import { statementOf, withoutCode } from "./statement.server.ts";
import {
  chosenOf,
  type ExportChoice,
  leftOutOf,
  printedPerson,
  printRecords,
  requireSome,
  type VerifiedRows,
  verifiedQueries,
} from "./verified-records.server.ts";

/** Exports: each stores the ids of its records, and copies of those that change. */
const EXPORTS_OF_A_DAY: DailyQuota = {
  table: exports,
  at: exports.madeAt,
  max: 20,
  why: "You made 20 exports in 24 hours, which is the most. An export that you made is still on your account page.",
};

/**
 * Makes an export of the technician's verified records that are chosen, as the log was at one moment: if another act of the
 * account comes before it is stored, all are read and signed again. The same submission sent again returns the first export. `key` is the Idempotency-Key, or a form's hidden key.
 * @throws {AppError} 404 for an unknown supervisor; 409 without a verified record or with more than a form has, and for a call
 *   under the key of another export; 429 after too many exports in a day
 */
export async function createExport(
  context: AppLoadContext,
  choice: ExportChoice,
  key: string | null,
): Promise<OwnExport> {
  const { db, now, secret } = context;
  const { form } = choice;
  const submission = submissionOf(key, ["export", ...Object.values(choice)]);
  return retryOnConflict(context, "export", async () => {
    const { user, account, sent, reused, full, ...rows } = await requireUser(context, (owner, db) => ({
      sent: ownExportQueries(db, owner, sql`submission = ${submission}`),
      reused: db
        .select({ id: exports.id })
        .from(exports)
        .where(sql`user_id = ${owner} AND ${isReusedKey(context, submission)}`)
        .limit(1),
      ...verifiedQueries(db, choice, owner),
      full: rowAtQuota(db, EXPORTS_OF_A_DAY, owner, now),
    }));
    const before = ownExport(context, sent);
    if (before) return before;
    if (reused[0]) throw new KeyReusedError();
    requireSome(choice, rows);
    requireBelowQuota(context, EXPORTS_OF_A_DAY, full);

    const id = randomId();
    const nonce = randomBytes(16).toString("hex");
    const code = exportCode(secret, id, nonce);
    const madeAt = timeOfExport(now, rows.contents);
    const madeOn = toCalendarDate(context.timeZone, madeAt);
    const printed = await printRecords(form, printedPerson(user), madeOn, rows);
    const chosen = chosenOf(choice, printed);
    const leftOut = leftOutOf(rows.others);
    const snapshot: Snapshot = {
      form,
      madeAt,
      madeOn,
      chosen,
      leftOut,
      ...printedPerson(user),
      records: printed,
    };
    const { statement, keyUse } = await statementOf(context, code, snapshot);
    const hundredths = snapshot.records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours ?? 0)), 0);
    const domains = distinct(snapshot.records.map(({ domain }) => domain));
    const made = db.insert(exports).values({
      id,
      userId: user.id,
      form,
      nonce,
      codeHash: hashCode(code),
      madeAt,
      madeOn: snapshot.madeOn,
      fromDay: chosen?.from,
      toDay: chosen?.to,
      isOfOneSupervisor: chosen?.isOfOneSupervisor,
      supervisor: chosen?.supervisor,
      name: snapshot.name,
      employeeNumber: snapshot.employeeNumber,
      records: snapshot.records.length,
      hundredths,
      leftOut: leftOut?.records,
      leftOutHundredths: leftOut?.hundredths,
      domains,
      seal: sealOf(code, snapshot),
      statement: statement && withoutCode(statement, code),
      submission,
    });
    const texts = snapshot.records.flatMap(({ verifiedFor, continuity }) => [verifiedFor, continuity]);
    storing(made, user.id, rowBytes(snapshot.name, snapshot.employeeNumber, domains, statement));
    storing(made, user.id, linkBytes(snapshot.records.length, ...texts));
    const { stored } = await commit(db, [account], {
      keyUse,
      made,
      named: nameRecords(db, id, snapshot.records),
      stored: ownExportQueries(db, user.id, sql`id = ${id}`),
    });
    securityEvent(context, "exported", { form, records: snapshot.records.length });
    return ownExport(context, stored);
  });
}

/**
 * Returns the time of an export: now, or the last verification or confirmation that it prints. That can be later,
 * because a request waits for its turn, and clocks of servers differ. Its content is read as of this moment.
 */
function timeOfExport(now: Date, printed: VerifiedRows["contents"]): Date {
  const times = printed.flatMap(({ content: { verifiedAt, confirmedAt } }) => [verifiedAt, confirmedAt]);
  return new Date(times.reduce<number>((last, time) => Math.max(last, time ?? 0), now.getTime()));
}

/** A random id of 16 digits: the code is made from it, so it is known before the row is stored. */
function randomId(): number {
  return ID_MIN + Number(randomBytes(8).readBigUInt64BE() % BigInt(Number.MAX_SAFE_INTEGER - ID_MIN));
}

const ID_MIN = 10 ** 15;

/**
 * Returns the statement that stores the records of an export, and the notes about each. The printed content is read
 * from the records until they change (migrations/0001_initial.sql).
 */
function nameRecords(db: Db, id: number, printed: PrintedRecord[]) {
  // Thousands of records were verified for few people and from few domains, so each is sent once.
  const placeOfDomain = placesOf(distinct(printed.map(({ domain }) => domain)));
  const people = distinct(printed.map(({ verifiedFor }) => verifiedFor && JSON.stringify(verifiedFor)));
  const placeOfPerson = placesOf(people);
  const list = printed.map(({ recordId, domain, verifiedFor, dayHundredths, continuity }) => [
    recordId,
    domain && placeOfDomain.get(domain),
    verifiedFor && placeOfPerson.get(JSON.stringify(verifiedFor)),
    dayHundredths,
    continuity,
  ]);
  return insertSelect(
    db,
    exportRecords,
    {
      exportId: id,
      recordId: sql`value ->> 0`,
      position: sql`key + 1`,
      domain: sql`value ->> 1`,
      verifiedFor: sql`${`[${people.join()}]`} -> (value ->> 2)`,
      dayHundredths: sql`value ->> 3`,
      continuity: sql`value ->> 4`,
    },
    sql`FROM json_each(${JSON.stringify(list)})`,
  );
}

const distinct = (values: (string | null | undefined)[]) => [...new Set(values.flatMap((value) => value ?? []))];

const placesOf = (values: string[]) => new Map(values.map((value, place) => [value, place]));
