import { createHash, randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { displayName } from "#app/accounts/user.ts";
import { retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch, type Db, type Owner, type Rows } from "#app/db/client.server.ts";
import { FORM_NAMES, type FormName } from "#app/db/enumerations.ts";
import { eventFacts, supervisors, verificationLog } from "#app/db/schema.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { nothingVerified, refused } from "#app/pdf/export-toasts.ts";
import { type Chosen, daysOf } from "#app/pdf/form.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { type Signer, signerOf } from "#app/proof/signer.server.ts";
import { noteKeyUse } from "#app/proof/signing-keys.server.ts";
import { longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { isSamePerson, type Person, personText, type Stated, utcDay } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import type { AnyRecord } from "#app/records/kinds.ts";
import { IS_LIVE, type KindAndRecord, recordFromRow, selectAnyRecords } from "#app/records/queries.server.ts";
import { isOfOurTime } from "#app/records/record-fields.ts";
import { records } from "#app/records/records.table.ts";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { inTurns, othersTurn } from "#app/server/others-turn.ts";
import { type DailyQuota, requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { isCalendarDate, toCalendarDate } from "#app/ui/calendar-date.ts";
import { domainOf } from "#app/verification/link-view.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { checkUrl, exportCode, hashCode } from "./export-secret.server.ts";
import { exportRecords, exports } from "./exports.table.ts";
import { type OwnExport, ownExport, ownExportQueries } from "./own-exports.server.ts";
import { rowsHash, sealOf } from "./rows-hash.server.ts";
import { contentOf, type PrintedRecord, type Snapshot, totalsOf } from "./snapshot.ts";
import { withoutCode } from "./stored-statement.ts";

const CHOOSE_SUPERVISOR = "Choose a supervisor";

/** What the statement says of an export. docs/proof.md describes each claim for auditors. */
export interface Claims {
  code: string;
  url: string;
  form: FormName;
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
  const { code, url, form, madeAt, name, number, verifiedFor, totals, count, rowsHash } = claims;
  const iat = Math.floor(madeAt.getTime() / 1000);
  const payload = {
    code,
    url,
    form,
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
  code: string,
  { form, madeAt, name, employeeNumber, records }: Snapshot,
) {
  const verifiedFor = records.flatMap((record) => (record.verifiedFor ? [personText(record.verifiedFor)] : []));
  const signer = await signerOf(context);
  const statement = await signStatement(signer, {
    ...{
      code: code.replaceAll("-", ""),
      url: checkUrl(context.origin, code),
      form,
      madeAt,
      name,
      number: employeeNumber,
    },
    verifiedFor: verifiedFor.length > 0 ? [...new Set(verifiedFor)].join("; ") : null,
    totals: totalsOf(records),
    count: records.length,
    rowsHash: rowsHash(records),
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

const day = (name: string) =>
  z
    .string({ error: `${name} must be a day, such as 2026-11-21` })
    .trim()
    .refine((value) => value === "" || isCalendarDate(value), {
      message: `${name} must be a day of the calendar, such as 2026-11-21`,
      abort: true,
    })
    .refine((value) => value === "" || isOfOurTime(value), {
      message: `${name} must be in 1900 or later: check the year`,
    })
    .nullish()
    .transform((value) => value || null);

/**
 * What is exported: the form, and which verified records, all of them without the rest. It is the body of `POST /api/exports`,
 * the fields of the page that chooses, and the query of a page to print.
 */
export const choiceSchema = z
  .object(
    {
      form: z.enum(FORM_NAMES, { error: `form must be ${FORM_NAMES.join(" or ")}` }),
      from: day("From").meta({ description: "The first day of which records are exported" }),
      to: day("To").meta({ description: "The last one" }),
      supervisorId: z
        .union([z.number(), z.string().regex(/^\d*$/)], { error: CHOOSE_SUPERVISOR })
        .nullish()
        .transform((id) => (id === null || id === undefined || id === "" ? null : Number(id)))
        .refine((id) => id === null || (Number.isSafeInteger(id) && id > 0), { message: CHOOSE_SUPERVISOR })
        .meta({ description: "Of a saved supervisor: only what they verified is exported" }),
    },
    { error: "An export is an object with form" },
  )
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["to"], message: "To must not be before From" });

export type ExportChoice = z.output<typeof choiceSchema>;

/**
 * Makes an export of the technician's verified records that are chosen. Their ids are stored by the batch that stores the
 * export, if they still are those that were read and signed: so the export is as the log was at one moment. The same
 * submission sent again returns the first export. `key` is the Idempotency-Key, or a form's hidden key.
 * @throws {AppError} 404 for an unknown supervisor; 409 without a verified record or with more than `EXPORT_MAX`; 429 after too
 *   many exports in a day
 */
export async function createExport(
  context: AppLoadContext,
  choice: ExportChoice,
  key: string | null,
): Promise<OwnExport> {
  const { db, now, secret } = context;
  const { form } = choice;
  const submission = submissionOf(key, ["export", ...Object.values(choice)]);
  return retryOnConflict(async () => {
    const { user, sent, full, ...rows } = await requireUser(context, (owner, db) => ({
      sent: ownExportQueries(db, owner, sql`submission = ${submission}`),
      ...verifiedQueries(db, choice, owner),
      full: rowAtQuota(db, EXPORTS_OF_A_DAY, owner, now),
    }));
    const before = ownExport(context, sent);
    if (before) return before;
    const found = await verifiedFromRows(rows);
    requireSome(choice, found);
    requireBelowQuota(context, EXPORTS_OF_A_DAY, full);

    const id = randomId();
    const nonce = randomBytes(16).toString("hex");
    const code = exportCode(secret, id, nonce);
    const chosen = chosenOf(choice);
    const snapshot: Snapshot = {
      form,
      madeAt: now,
      madeOn: toCalendarDate(context.timeZone, now),
      chosen,
      ...printedPerson(user),
      records: await printedRecords(form, printedPerson(user), found),
    };
    const { statement, keyUse } = await statementOf(context, code, snapshot);
    const hundredths = snapshot.records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours ?? 0)), 0);
    const guard = sql`${areVerified(choice, user.id, found.verified)} AND NOT EXISTS ${rowAtQuota(db, EXPORTS_OF_A_DAY, sql`${user.id}`, now)}
      AND NOT EXISTS (SELECT 1 FROM ${exports} WHERE user_id = ${user.id} AND submission = ${submission})`;
    const { stored } = await batch(db, {
      keyUse,
      made: db.insert(exports).select(
        sql`SELECT ${id}, ${user.id}, ${form}, ${nonce}, ${hashCode(code)}, ${now.getTime()}, ${snapshot.madeOn},
          ${chosen?.from ?? null}, ${chosen?.to ?? null}, ${Number(chosen?.isOfOneSupervisor ?? false)},
          ${snapshot.name}, ${snapshot.employeeNumber}, ${snapshot.records.length}, ${hundredths},
          ${domainsOf(user.id, snapshot.records)},
          ${sealOf(code, snapshot)}, ${statement && withoutCode(statement, code)}, ${submission}, 0, NULL, NULL, NULL WHERE ${guard}`,
      ),
      named: nameRecords(db, choice, user.id, id, snapshot.records),
      stored: ownExportQueries(db, user.id, sql`(id = ${id} OR submission = ${submission})`),
    });
    const made = ownExport(context, stored);
    if (made?.id === id) securityEvent(context, "exported", { form, records: snapshot.records.length });
    return made; // or null: the records have changed since they were read
  });
}

/** What a form says of a choice; null if it has all verified records. */
export function chosenOf({ from, to, supervisorId }: ExportChoice): Chosen | null {
  return from || to || supervisorId ? { from, to, isOfOneSupervisor: supervisorId !== null } : null;
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

/** What a page says where no form can be made. */
export function toastOf(error: AppError): Toast {
  return error instanceof NothingVerifiedError ? error.toast : refused(error.message);
}

/**
 * Refuses what no form can be made of.
 * @throws {AppError} 404 for an unknown supervisor, 409 without a verified record or with more than `EXPORT_MAX`
 */
export function requireSome(choice: ExportChoice, { verified, asked, size }: VerifiedRows): void {
  if (choice.supervisorId !== null && asked.length === 0) {
    throw new AppError("not_found", "That supervisor is not in your list.");
  }
  if (size[0]?.isTooLarge) {
    throw new AppError(
      "export_too_large",
      `One form has at most ${EXPORT_MAX.toLocaleString("en")} records: choose the dates from which and to which it has them.`,
    );
  }
  if (verified.length === 0) throw new NothingVerifiedError(nothingVerified(choice));
}

/** The condition of the user's verified records that are chosen. */
function isChosen(owner: Owner, { form, from, to, supervisorId }: ExportChoice): SQL {
  const { types } = FORMS[form];
  return sql.join(
    [
      sql`user_id = ${owner}`,
      types.length === 1 ? sql`kind = ${types[0]}` : sql`kind IN ${types}`, // a list of parameters
      sql`${IS_LIVE} AND verified = 1`,
      ...(from ? [sql`date >= ${from}`] : []),
      ...(to ? [sql`date <= ${to}`] : []),
      ...(supervisorId === null
        ? []
        : [
            sql`EXISTS (SELECT 1 FROM ${verificationItems} AS item
              WHERE item.record_id = records.id AND item.state = 'verified' AND ${supervisorId} =
                (SELECT supervisor_id FROM ${verificationRequests} AS request WHERE request.id = item.request_id))`,
          ]),
    ],
    sql` AND `,
  );
}

/** The condition that the chosen records are those that were read: verified records change only if confirmed. */
function areVerified(choice: ExportChoice, userId: number, verified: KindAndRecord<AnyRecord>[]): SQL {
  const read = JSON.stringify(
    verified.map(({ record: { id, verifiedAt, confirmedAt } }) => [
      id,
      verifiedAt?.getTime() ?? null,
      confirmedAt?.getTime() ?? null,
    ]),
  );
  const stored = sql`SELECT id, verified_at, confirmed_at FROM ${records} WHERE ${isChosen(userId, choice)}`;
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
function nameRecords(db: Db, choice: ExportChoice, userId: number, id: number, printed: PrintedRecord[]) {
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
      WHERE records.id = value ->> 0 AND ${isChosen(userId, choice)}
        AND EXISTS (SELECT 1 FROM ${exports} WHERE id = ${id})`,
  );
}

const distinct = (values: (string | null | undefined)[]) => [...new Set(values.flatMap((value) => value ?? []))];

const placesOf = (values: string[]) => new Map(values.map((value, place) => [value, place]));

/** Whom a form names: the account's name, or its address without one, and its number. */
export function printedPerson(user: Parameters<typeof displayName>[0] & Pick<Person, "employeeNumber">) {
  return { name: displayName(user), employeeNumber: user.employeeNumber || null };
}

/** What a verification states, by the facts of its events: the technician, the mailbox, and the supervisor's certificate. */
type StatedFacts = [technician: Person | null, mailbox: string | null, certification: Stated | null];

/**
 * The queries for the verified records that are chosen, in the order of the form, and for what is noted about them: for none of
 * them if they are more than a form can have, because reading 20,000 keeps others waiting.
 * @param after reads `PART` of the records with ids after this one
 */
function verifiedQueries(db: Db, choice: ExportChoice, owner: Owner, after: number | null = null) {
  const { types } = FORMS[choice.form];
  const all = isChosen(owner, choice);
  const isTooMany = sql`EXISTS (SELECT 1 FROM ${records} WHERE ${all} LIMIT 1 OFFSET ${EXPORT_MAX})`;
  const isWanted = sql`${all} AND NOT ${isTooMany}`;
  const chosen =
    after === null
      ? isWanted
      : sql`id IN (SELECT id FROM ${records} WHERE ${isWanted} AND id > ${after} ORDER BY id LIMIT ${PART})`;
  return {
    size: db.select({ isTooLarge: sql<0 | 1>`${isTooMany}`.as("is_too_large") }).from(sql`(SELECT 1)`),
    // No hash is made of them, so nothing is read for one.
    rows: selectAnyRecords(db, chosen, { owner: sql<string>`''`.as("owner") }).orderBy(
      ...(types.length > 1 ? [sql`${records.kind} <> ${types[0]}`] : []),
      ...[asc(records.date), asc(records.id)],
    ),
    // Less than `selectEvents` reads: an account has thousands.
    verifications: db
      .select({
        recordId: verificationLog.recordId,
        event: verificationLog.event,
        stated: sql<
          string | null
        >`(SELECT json_group_array(json_extract(facts, '$.technician', '$.mailbox', '$.certification'))
          FROM ${eventFacts} WHERE hash IN (technician_hash, supervisor_hash))`.as("stated"),
      })
      .from(verificationLog)
      .where(sql`record_id IN (SELECT id FROM ${records} WHERE ${chosen}) AND event IN ('verified', 'confirmed')`)
      .orderBy(asc(verificationLog.recordId), asc(verificationLog.number)),
    days: longDays(db, owner),
    asked: db
      .select({ id: supervisors.id })
      .from(supervisors)
      .where(sql`id = ${choice.supervisorId} AND user_id = ${owner}`),
  };
}

/** How many records a round trip of a print page reads: reading more would keep other requests waiting. */
const PART = 2_000;

/** The verified records that are chosen, for a form without a code: in one round trip for each 2,000. */
export async function readVerified(context: AppLoadContext, choice: ExportChoice) {
  const { user, ...rows } = await requireUser(context, (owner, db) => verifiedQueries(db, choice, owner, 0));
  const found = await verifiedFromRows(rows);
  for (let part = found.verified; part.length === PART; ) {
    const after = Math.max(...part.map(({ record }) => record.id));
    const next = await verifiedFromRows(await batch(context.db, verifiedQueries(context.db, choice, user.id, after)));
    part = next.verified;
    found.verified = found.verified.concat(part);
    found.verifications = found.verifications.concat(next.verifications);
  }
  const { types } = FORMS[choice.form];
  const placeOf = ({ kind, record }: KindAndRecord<AnyRecord>) =>
    `${types.indexOf(kind.name)} ${daysOf({ ...record })[0]}`;
  const placed = found.verified.map((one) => ({ one, place: placeOf(one) }));
  placed.sort((a, b) => (a.place === b.place ? a.one.record.id - b.one.record.id : a.place < b.place ? -1 : 1));
  return { user, found: { ...found, verified: placed.map(({ one }) => one) } };
}

/** The records of the rows of `verifiedQueries`, and what is noted. */
export type VerifiedRows = Omit<Rows<ReturnType<typeof verifiedQueries>>, "rows"> & {
  verified: KindAndRecord<AnyRecord>[];
};

/** Rows that are prepared before other requests have their turn: some milliseconds. */
const AT_ONCE = 1_000;

async function verifiedFromRows({ rows, ...others }: Rows<ReturnType<typeof verifiedQueries>>): Promise<VerifiedRows> {
  const verified: KindAndRecord<AnyRecord>[] = [];
  if (rows.length > AT_ONCE) await othersTurn(); // the read took its time
  await inTurns(rows, AT_ONCE, (row) => verified.push(recordFromRow<AnyRecord>(row)));
  return { ...others, verified };
}

/**
 * The verified records as a form prints them that names `person`. It agrees with the view `printed_records`. Whom a record was
 * verified for is noted where that is another person; this and what the supervisor stated are those of the verification's event.
 */
export async function printedRecords(
  form: FormName,
  person: Person,
  { verified, verifications, days }: VerifiedRows,
): Promise<PrintedRecord[]> {
  const statedOf = await statedFacts(verifications);
  const dayOf = longDayIn(days);
  const { hasDetails } = FORMS[form];
  const printed: PrintedRecord[] = [];
  await inTurns(verified, AT_ONCE, ({ kind, record }) => {
    const { id, verifiedBy, verifiedVia, verifiedAt, confirmedAt, createdAt } = record;
    if (!verifiedBy || !verifiedVia)
      throw new Error("the database says of every verified record who verified it, and how");
    const { technician, mailbox, confirmedMailbox, certification } = statedOf.get(id) ?? NOTHING_STATED;
    printed.push({
      recordId: id,
      type: kind.name,
      content: contentOf(kind, record),
      ...(hasDetails && { details: record.details ?? {} }),
      supervisor: verifiedBy,
      via: verifiedVia,
      domain: domainOf(confirmedMailbox ?? mailbox),
      confirmedOn: confirmedAt && utcDay(confirmedAt),
      verifiedFor: technician && !isSamePerson(technician, person) ? technician : null,
      dayHundredths: dayOf(kind, record),
      createdAt,
      verifiedAt,
      certification,
    });
  });
  return printed;
}

interface StatedOfRecord {
  technician: Person | null;
  mailbox: string | null;
  /** The mailbox that confirmed a verification by link. */
  confirmedMailbox: string | null;
  certification: Stated | null;
}

const NOTHING_STATED: StatedOfRecord = { technician: null, mailbox: null, confirmedMailbox: null, certification: null };

/** What was stated at the last verification of each record, and at its confirmation. */
async function statedFacts(verifications: VerifiedRows["verifications"]): Promise<Map<number, StatedOfRecord>> {
  const parsed = new Map<string, StatedFacts[]>(); // many events have the same facts
  const statedOf = new Map<number, StatedOfRecord>();
  await inTurns(verifications, AT_ONCE, ({ recordId, event, stated }) => {
    const text = stated ?? "[]";
    const sides = parsed.get(text) ?? (JSON.parse(text) as StatedFacts[]); // by the query above
    parsed.set(text, sides);
    const pick = <Index extends keyof StatedFacts & ("0" | "1" | "2")>(index: Index) =>
      sides.map((side) => side[index]).find((value) => value !== null) ?? null;
    const before = statedOf.get(recordId);
    if (event === "confirmed" && before) before.confirmedMailbox = pick("1");
    else {
      const technician = pick("0");
      statedOf.set(recordId, {
        technician: technician && { name: technician.name ?? null, employeeNumber: technician.employeeNumber ?? null },
        mailbox: pick("1"),
        confirmedMailbox: null,
        certification: pick("2"),
      });
    }
  });
  return statedOf;
}
