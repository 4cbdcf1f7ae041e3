import { createHash, randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { displayName } from "#app/accounts/user.ts";
import type { StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { retryOnConflict, selectEvents } from "#app/audit-log/log.server.ts";
import { verificationFacts } from "#app/audit-log/shown-event.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { LIST_NAMES, type ListName } from "#app/db/enumerations.ts";
import { eventFacts } from "#app/db/schema.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { FORM_KINDS } from "#app/pdf/form-kinds.ts";
import { type Signer, signerOf } from "#app/proof/signer.server.ts";
import { noteKeyUse } from "#app/proof/signing-keys.server.ts";
import { type LongDay, longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { dayOfConfirmation, isSamePerson, type Person, personText } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import { type AnyRecord, formListOf, type Kind, kindOfList } from "#app/records/kinds.ts";
import { isOwn, selectRecords } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { inTurns, othersTurn } from "#app/server/others-turn.ts";
import { type DailyQuota, requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { domainOf } from "#app/verification/link-view.ts";
import { verificationRequests } from "#app/verification/requests.table.ts";
import { checkUrl, exportCode, hashCode } from "./export-secret.server.ts";
import { exportRecords, exports } from "./exports.table.ts";
import { type OwnExport, ownExport, ownExportQueries } from "./own-exports.server.ts";
import { rowsHash, sealOf } from "./rows-hash.server.ts";
import { contentOf, type PrintedRecord, type Snapshot, totalsOf } from "./snapshot.ts";
import { withoutCode } from "./stored-statement.ts";

/** What the statement says of an export. docs/proof.md describes each claim for auditors. */
export interface Claims {
  code: string;
  url: string;
  kind: ListName;
  madeAt: Date;
  /** The technician's name and employee number, as printed. */
  name: string | null;
  number: string | null;
  /** Hours by what the form sums up, such as the method. */
  totals: Record<string, number>;
  /** The number of records. */
  count: number;
  /** For whom records were verified, where the form names another person; null without such a record. */
  verifiedFor?: string | null;
  /** The hash of the printed rows. */
  rowsHash: string;
}

/** The statement's media type without `application/`: no other token of the app can be taken for a statement. */
const STATEMENT_TYPE = "hours-statement+jws";

/** A longer text is replaced by its hash, in characters (product.md, "Proof"). */
const TEXT_MAX = 60;

/** The longest statement, in bytes: what a QR code of version 20 and level L holds (docs/decisions/0054-signed-statement.md). */
export const STATEMENT_MAX = 858;

/**
 * Signs the claims of an export: a compact JWS (RFC 7515, EdDSA by RFC 8037). Null without a signer. Texts over 60
 * characters are replaced by their hashes, and so is the longest one while the statement does not fit its QR code.
 */
export async function signStatement(signer: Signer | null, claims: Claims): Promise<string | null> {
  if (!signer) return null;
  const header = encode({ alg: "EdDSA", kid: signer.kid, typ: STATEMENT_TYPE });
  const signed = `${header}.${encode(fittingPayload(claims, STATEMENT_MAX - header.length - ".".length - SIGNATURE))}`;
  return `${signed}.${Buffer.from(await signer.sign(signed)).toString("base64url")}`;
}

/** The length of an encoded signature, with the dot before it. */
const SIGNATURE = ".".length + 86;

/** The claims under the short names of the statement, with hashes for texts that are too long for `max` encoded bytes. */
function fittingPayload(claims: Claims, max: number) {
  const { code, url, kind, madeAt, name, number, verifiedFor, totals, count, rowsHash } = claims;
  const iat = Math.floor(madeAt.getTime() / 1000);
  const payload = {
    code,
    url,
    kind,
    iat,
    name,
    no: number,
    ...(verifiedFor && { for: verifiedFor }),
    sum: totals,
    n: count,
    rows: rowsHash,
  };
  const texts = [...(["url", "name", "no", "for"] as const)];
  for (const claim of texts.sort((one, other) => size(payload[other]) - size(payload[one]))) {
    const text = payload[claim];
    if (text === null || text === undefined) continue;
    const gains = size(text) > size(hashOf(text));
    // A text that looks like a hash is replaced too, so that a hash is never taken for a text.
    if ([...text].length > TEXT_MAX || text.startsWith(HASH) || (gains && encode(payload).length > max)) {
      payload[claim] = hashOf(text);
    }
  }
  // The longest texts and totals leave no room for another hash. The rows and their hash say for whom.
  if (payload.for && encode(payload).length > max) return { ...payload, for: true };
  return payload;
}

const HASH = "sha256:";

function hashOf(text: string): string {
  return HASH + createHash("sha256").update(text).digest("base64url");
}

function size(text: string | null | undefined): number {
  return Buffer.byteLength(text ?? "");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/**
 * The signed statement about an export, or null without a signing key; and `keyUse`, the statements that note the use of the
 * key, for the batch that stores the export.
 */
async function statementOf(
  context: AppLoadContext,
  kind: ListName,
  code: string,
  { kind: recordKind, madeAt, name, employeeNumber, records }: Snapshot,
) {
  const verifiedFor = records.flatMap((record) => (record.verifiedFor ? [personText(record.verifiedFor)] : []));
  const signer = await signerOf(context);
  const statement = await signStatement(signer, {
    ...{
      code: code.replaceAll("-", ""),
      url: checkUrl(context.origin, code),
      kind,
      madeAt,
      name,
      number: employeeNumber,
    },
    verifiedFor: verifiedFor.length > 0 ? [...new Set(verifiedFor)].join("; ") : null,
    totals: totalsOf(records),
    count: records.length,
    rowsHash: rowsHash(recordKind, records),
  });
  return { statement, keyUse: signer ? noteKeyUse(context, signer) : {} };
}

/** The most records of one export: twenty years of two a day. */
export const EXPORT_MAX = 10_000;

/** Exports: each stores the ids of its records, and copies of those that change. */
const EXPORTS_OF_A_DAY: DailyQuota = {
  table: exports,
  at: exports.madeAt,
  max: 20,
  why: "You made 20 exports in 24 hours, which is the most. An export that you made is still on your account page.",
};

/** The body of `POST /api/exports`. */
export const newExportSchema = z.object({
  kind: z.enum(LIST_NAMES, { error: `kind must be ${LIST_NAMES.join(" or ")}` }).transform(kindOfList),
});

interface NewExport {
  kind: Kind;
  /** The Idempotency-Key, or a form's hidden key. */
  key: string | null;
}

/**
 * Makes an export of the technician's verified records of a kind. Their ids are stored by the batch that stores the
 * export, if they still are those that were read and signed: so the export is as the log was at one moment. The same
 * submission sent again returns the first export.
 * @throws {AppError} 409 without a verified record or with more than `EXPORT_MAX`, 429 after too many exports in a day
 */
export async function createExport(context: AppLoadContext, { kind, key }: NewExport): Promise<OwnExport> {
  const { db, now, secret } = context;
  const submission = submissionOf(key, ["export", kind.listName]);
  return retryOnConflict(async () => {
    const { user, sent, full, ...rows } = await requireUser(context, (owner, db) => ({
      sent: ownExportQueries(db, owner, sql`submission = ${submission}`),
      ...verifiedQueries(db, kind, owner, EXPORT_MAX + 1),
      full: rowAtQuota(db, EXPORTS_OF_A_DAY, owner, now),
    }));
    const before = ownExport(context, sent);
    if (before) return before;
    const { verified } = rows;
    requireSome(kind, verified);
    requireBelowQuota(context, EXPORTS_OF_A_DAY, full);

    const id = randomId();
    const nonce = randomBytes(16).toString("hex");
    const code = exportCode(secret, id, nonce);
    const snapshot: Snapshot = {
      kind: kind.name,
      madeAt: now,
      madeOn: toCalendarDate(context.timeZone, now),
      ...printedPerson(user),
      records: await printedRecords(kind, printedPerson(user), rows),
    };
    const { statement, keyUse } = await statementOf(context, formListOf(kind), code, snapshot);
    const hundredths = snapshot.records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours)), 0);
    const guard = sql`${areVerified(kind, user.id, verified)} AND NOT EXISTS ${rowAtQuota(db, EXPORTS_OF_A_DAY, sql`${user.id}`, now)}
      AND NOT EXISTS (SELECT 1 FROM ${exports} WHERE user_id = ${user.id} AND submission = ${submission})`;
    const { stored } = await batch(db, {
      keyUse,
      made: db.insert(exports).select(
        sql`SELECT ${id}, ${user.id}, ${kind.name}, ${nonce}, ${hashCode(code)}, ${now.getTime()}, ${snapshot.madeOn},
          ${snapshot.name}, ${snapshot.employeeNumber}, ${snapshot.records.length}, ${hundredths},
          ${domainsOf(user.id, snapshot.records)},
          ${sealOf(code, snapshot)}, ${statement && withoutCode(statement, code)}, ${submission}, 0, NULL, NULL, NULL WHERE ${guard}`,
      ),
      named: nameRecords(db, kind, user.id, id, snapshot.records),
      stored: ownExportQueries(db, user.id, sql`(id = ${id} OR submission = ${submission})`),
    });
    const made = ownExport(context, stored);
    if (made?.id === id) securityEvent(context, "exported", { kind: kind.name, records: snapshot.records.length });
    return made; // or null: the records have changed since they were read
  });
}

/** A random id of 16 digits: the code is made from it, so it is known before the row is stored. */
function randomId(): number {
  return ID_MIN + Number(randomBytes(8).readBigUInt64BE() % BigInt(Number.MAX_SAFE_INTEGER - ID_MIN));
}

const ID_MIN = 10 ** 15;

/** Thrown if there is nothing to export. */
export class NothingVerifiedError extends AppError {
  /** What a page says. */
  readonly toast: Toast;

  constructor(toast: Toast) {
    super("nothing_verified", toast.text ?? toast.title);
    this.toast = toast;
  }
}

function requireSome(kind: Kind, verified: AnyRecord[]): void {
  if (verified.length === 0) throw new NothingVerifiedError(FORM_KINDS[formListOf(kind)].nothingVerified);
  if (verified.length <= EXPORT_MAX) return;
  throw new AppError("export_too_large", `One form has at most ${EXPORT_MAX.toLocaleString("en")} records.`);
}

/** The condition that a user's verified records are those that were read: verified records change only if confirmed. */
function areVerified(kind: Kind, userId: number, verified: AnyRecord[]): SQL {
  const read = JSON.stringify(
    verified.map(({ id, verifiedAt, confirmedAt }) => [
      id,
      verifiedAt?.getTime() ?? null,
      confirmedAt?.getTime() ?? null,
    ]),
  );
  const stored = sql`SELECT id, verified_at, confirmed_at FROM ${records} WHERE ${isOwn(userId, kind)} AND verified = 1`;
  return sql`${verified.length} = (SELECT count(*) FROM (${stored}))
    AND NOT EXISTS (${stored} EXCEPT SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${read}))`;
}

/**
 * The domains of the mailboxes that verified the records, as JSON in SQL: null for those that were erased since they were
 * read. Facts are searched only for a domain that no request has any more.
 */
function domainsOf(userId: number, printed: PrintedRecord[]): SQL {
  return sql`(SELECT json_group_array(iif(value IN (SELECT ${domainOfSql("supervisor_email")} FROM ${verificationRequests}
        WHERE user_id = ${userId})
      OR value IN (SELECT ${domainOfSql("facts ->> '$.mailbox'")} FROM ${eventFacts}
        WHERE user_id = ${userId} AND about = 'supervisor'), value, NULL))
    FROM json_each(${JSON.stringify(distinct(printed.map(({ domain }) => domain)))}))`;
}

const domainOfSql = (address: string) => sql.raw(`substr(${address}, instr(${address}, '@') + 1)`);

/**
 * The statement that stores of which records an export is, the user's verified ones, and what is noted about each, if it was
 * stored. What it prints is read from the records until they change (migrations/0001_initial.sql). The list is the outer
 * loop (CROSS JOIN): read again for each record, it blocked everybody for 17 s.
 */
function nameRecords(db: Db, kind: Kind, userId: number, id: number, printed: PrintedRecord[]) {
  // Thousands of records were verified for few people and from few domains, so each is sent once.
  const placeOfDomain = placesOf(distinct(printed.map(({ domain }) => domain)));
  const people = distinct(printed.map(({ verifiedFor }) => verifiedFor && JSON.stringify(verifiedFor)));
  const placeOfPerson = placesOf(people);
  const list = printed.map(({ recordId, domain, verifiedFor, dayHundredths }) => [
    recordId,
    domain && placeOfDomain.get(domain),
    verifiedFor && placeOfPerson.get(JSON.stringify(verifiedFor)),
    dayHundredths,
  ]);
  return db.insert(exportRecords).select(
    sql`SELECT ${id}, records.id, key + 1, value ->> 1, ${`[${people.join()}]`} -> (value ->> 2), value ->> 3, NULL
      FROM json_each(${JSON.stringify(list)}) CROSS JOIN ${records}
      WHERE records.id = value ->> 0 AND ${isOwn(userId, kind)} AND verified = 1
        AND EXISTS (SELECT 1 FROM ${exports} WHERE id = ${id})`,
  );
}

const distinct = (values: (string | null | undefined)[]) => [...new Set(values.flatMap((value) => value ?? []))];

const placesOf = (values: string[]) => new Map(values.map((value, place) => [value, place]));

/** Whom a form names: the account's name, or its address without one, and its number. */
export function printedPerson(user: Parameters<typeof displayName>[0] & Pick<Person, "employeeNumber">) {
  return { name: displayName(user), employeeNumber: user.employeeNumber || null };
}

/** The queries for the verified records of a kind that a form prints, oldest first, and for what is noted about them. */
export function verifiedQueries(db: Db, kind: Kind, owner: Owner, limit?: number) {
  const ids = sql`(SELECT id FROM ${records} WHERE ${isOwn(owner, kind)} AND verified = 1)`;
  return {
    verified: selectRecords(db, kind, {
      where: sql`user_id = ${owner} AND verified = 1`,
      orderBy: [asc(records.date), asc(records.id)],
      limit,
    }),
    verifications: selectEvents(db, sql`record_id IN ${ids} AND event IN ('verified', 'confirmed')`),
    days: longDays(db, owner),
  };
}

interface VerifiedRows {
  verified: AnyRecord[];
  verifications: StoredEvent[];
  days: LongDay[];
}

/** Records that are prepared before other requests have their turn: some milliseconds. */
const AT_ONCE = 1_000;

/**
 * The verified records as a form prints them that names `person`. It agrees with the view `printed_records`. Whom a record was
 * verified for is noted where that is another person; this and the domain of the mailbox are those of the verification's event.
 */
export async function printedRecords(
  kind: Kind,
  person: Person,
  { verified, verifications, days }: VerifiedRows,
): Promise<PrintedRecord[]> {
  const eventsOf = new Map<number, StoredEvent[]>(); // in their order
  for (const event of verifications) eventsOf.set(event.recordId, [...(eventsOf.get(event.recordId) ?? []), event]);
  const dayOf = longDayIn(days);
  const printed: PrintedRecord[] = [];
  await othersTurn(); // after the read, which took its time
  await inTurns(verified, AT_ONCE, (record) => {
    const { id, verifiedBy, verifiedVia, confirmedAt } = record;
    if (!verifiedBy || !verifiedVia)
      throw new Error("the database says of every verified record who verified it, and how");
    const { technician, mailbox } = verificationFacts(eventsOf.get(id) ?? []);
    printed.push({
      recordId: id,
      content: contentOf(kind, record),
      supervisor: verifiedBy,
      via: verifiedVia,
      domain: domainOf(mailbox),
      confirmedOn: confirmedAt && dayOfConfirmation(confirmedAt),
      verifiedFor: technician && !isSamePerson(technician, person) ? technician : null,
      dayHundredths: dayOf(kind, record),
    });
  });
  await othersTurn();
  return printed;
}
