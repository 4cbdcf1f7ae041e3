import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { displayName } from "#app/accounts/user.ts";
import { statedNotes } from "#app/audit-log/event-facts.ts";
import { isEvent, isEventOf } from "#app/audit-log/log.server.ts";
import { addDays, formatDate } from "#app/calendar-date.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { FORM_NAMES, type FormName } from "#app/db/enumerations.ts";
import { idsInPart, PART_BYTES } from "#app/db/parts.server.ts";
import { eventFacts, supervisors, verificationLog } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { nothingVerified, refused } from "#app/pdf/export-toasts.ts";
import { type Chosen, typedNames } from "#app/pdf/form.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { type KindAndRecord, recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { isSamePerson, type Person, utcDay } from "#app/records/evidence.ts";
import type { AnyRecord } from "#app/records/kind.ts";
import { BYTES_OF_COLUMNS, BYTES_OF_RECORD, IS_LIVE } from "#app/records/queries.server.ts";
import { withDateChecks } from "#app/records/record-fields.ts";
import { records } from "#app/records/records.table.ts";
import type { Toast } from "#app/server/flash.ts";
import { inTurns, othersTurn } from "#app/server/others-turn.ts";
import { domainOf } from "#app/verification/link-view.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import type { ExportedRecord } from "./exports.table.ts";
import { type PrintedRecord, printedContentOf } from "./snapshot.ts";

/* Which verified records a form has, and what it prints of each: of an export, and of a page that is printed without a code. */

/** The most records of one form. It has at most `PART_BYTES` of texts, too: a browser makes the PDF of all at once. */
const EXPORT_MAX = 2_000;

const CHOOSE_SUPERVISOR = "Choose a supervisor";

const day = (name: string) =>
  withDateChecks(z.string({ error: `${name} must be a day, such as 2026-11-21` }).trim(), name)
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
        .union([z.number(), z.string().regex(/^\d*$/, CHOOSE_SUPERVISOR)], { error: CHOOSE_SUPERVISOR })
        .nullish()
        .transform((id) => (id === null || id === undefined || id === "" ? null : Number(id)))
        .refine((id) => id === null || (Number.isSafeInteger(id) && id > 0), { message: CHOOSE_SUPERVISOR })
        .meta({
          description:
            "Of a saved supervisor: only what was verified by them, or by another one with the same address, is exported",
        }),
    },
    { error: "An export is an object with form" },
  )
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["to"], message: "To must not be before From" });

export type ExportChoice = z.output<typeof choiceSchema>;

/** What a form of these records says of a choice; null if it has all verified records. */
export function chosenOf({ from, to, supervisorId }: ExportChoice, printed: readonly PrintedRecord[]): Chosen | null {
  if (!from && !to && !supervisorId) return null;
  const isOfOneSupervisor = supervisorId !== null;
  return { from, to, isOfOneSupervisor, supervisor: isOfOneSupervisor ? typedNames(printed) : null };
}

/** Thrown if there is nothing to export. */
class NothingVerifiedError extends AppError {
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
  const nextDay = size[0]?.nextDay;
  if (nextDay) throw new AppError("export_too_large", tooLargeText(nextDay, choice));
  if (verified.length === 0) throw new NothingVerifiedError(nothingVerified(choice));
}

/** What to do about more records than a form has, which has those before a day. */
function tooLargeText(nextDay: string, { from }: ExportChoice): string {
  const most = `One form has at most ${EXPORT_MAX.toLocaleString("en")} records and 2 MB of text.`;
  const lastDay = addDays(nextDay, -1);
  if (from && lastDay < from) return `${most} This day has more: choose the records of one supervisor.`;
  return `${most} Yours are more: export those to ${formatDate(lastDay)} first, then those from ${formatDate(nextDay)}.`;
}

/** A supervisor may stand in a list twice, with one address: then both have verified the same records. */
function addressOf(owner: Owner, supervisorId: number): SQL {
  return sql`(SELECT email FROM ${supervisors} WHERE id = ${supervisorId} AND user_id = ${owner})`;
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
              JOIN ${verificationRequests} AS request ON request.id = item.request_id
              WHERE item.record_id = records.id AND item.state = 'verified' AND (request.supervisor_id = ${supervisorId}
                OR request.supervisor_email = ${addressOf(owner, supervisorId)}))`,
          ]),
    ],
    sql` AND `,
  );
}

/** Whom a form names: the account's name, or its address without one, and its number. */
export function printedPerson(user: Parameters<typeof displayName>[0] & Pick<Person, "employeeNumber">) {
  return { name: displayName(user), employeeNumber: user.employeeNumber || null };
}

/**
 * The queries for the verified records that are chosen, in the order of the form, and for what is noted about them: for none of
 * them if they are more than a form can have. `size` then has the first day of which the form has not all.
 */
export function verifiedQueries(db: Db, choice: ExportChoice, owner: Owner) {
  const { types, hasDetails } = FORMS[choice.form];
  const all = isChosen(owner, choice);
  // A form without details prints none of `fields` if its kinds have no other text there.
  const texts = types.flatMap((type) => kindNamed(type).fields).filter(({ stored }) => stored === "fields");
  const bytes = hasDetails || texts.some(({ type }) => type !== "details") ? BYTES_OF_RECORD : BYTES_OF_COLUMNS;
  const isTooLarge = sql`(SELECT count(*) > ${EXPORT_MAX} OR total(bytes) > ${PART_BYTES}
    FROM (SELECT ${bytes} AS bytes FROM ${records} WHERE ${all} LIMIT ${EXPORT_MAX + 1}))`;
  // The last record of the part is the first that the form does not have.
  const part = idsInPart({ from: records, where: all, order: sql`date, id`, bytes, limit: EXPORT_MAX + 1 });
  const nextDay = sql<string | null>`iif(${isTooLarge}, (SELECT max(date) FROM ${records} WHERE id IN ${part}), NULL)`;
  const chosen = sql`${all} AND NOT ${isTooLarge}`;
  return {
    size: db.select({ nextDay: nextDay.as("next_day") }).from(sql`(SELECT 1)`),
    // No hash is made of them, so nothing is read for one.
    rows: selectAnyRecords(db, chosen, { owner: sql<string>`''`.as("owner") }).orderBy(
      ...(types.length > 1 ? [sql`${records.kind} <> ${types[0]}`] : []),
      ...[asc(records.date), asc(records.id)],
    ),
    // Less than `eventQueries` read: an account has thousands.
    verifications: db
      .select({
        recordId: verificationLog.recordId,
        event: verificationLog.event,
        stated: sql<string>`json_object(
          'supervisor', json((SELECT json_remove(facts, '$.address', '$.browser') FROM ${eventFacts} WHERE hash = supervisor_hash)),
          'technician', json((SELECT facts FROM ${eventFacts} WHERE hash = technician_hash)))`.as("stated"),
      })
      .from(verificationLog)
      .where(isEventOf(sql`(SELECT id FROM ${records} WHERE ${chosen})`, isEvent("verified", "confirmed")))
      .orderBy(asc(verificationLog.recordId), asc(verificationLog.number)),
    days: longDays(db, owner),
    asked: db
      .select({ id: supervisors.id })
      .from(supervisors)
      .where(sql`id = ${choice.supervisorId} AND user_id = ${owner}`),
  };
}

/** The verified records that are chosen, for a form without a code. */
export async function readVerified(context: AppLoadContext, choice: ExportChoice) {
  const { user, ...rows } = await requireUser(context, (owner, db) => verifiedQueries(db, choice, owner));
  return { user, found: await verifiedFromRows(rows) };
}

/** The records of the rows of `verifiedQueries`, and what is noted. */
type VerifiedRows = Omit<Rows<ReturnType<typeof verifiedQueries>>, "rows"> & {
  verified: KindAndRecord<AnyRecord>[];
};

/** Rows that are prepared before other requests have their turn: some milliseconds. */
const AT_ONCE = 100;

export async function verifiedFromRows({
  rows,
  ...others
}: Rows<ReturnType<typeof verifiedQueries>>): Promise<VerifiedRows> {
  const verified: KindAndRecord<AnyRecord>[] = [];
  if (rows.length > AT_ONCE) await othersTurn(); // the read took its time
  await inTurns(rows, AT_ONCE, (row) => verified.push(recordFromRow<AnyRecord>(row)));
  return { ...others, verified };
}

/**
 * The verified records as a form prints them that names `person`. It agrees with the view `printed_records`. Whom a record was
 * verified for is noted where that is another person; this and what the supervisor stated are those of the verification's event.
 */
export async function printRecords(
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
    const { technician, mailbox, confirmedMailbox, notes } = statedOf.get(id) ?? NOTHING_STATED;
    printed.push({
      recordId: id,
      type: kind.name,
      content: printedContentOf(kind, record),
      ...(hasDetails && { details: record.details ?? {} }),
      supervisor: verifiedBy,
      via: verifiedVia,
      domain: domainOf(confirmedMailbox ?? mailbox),
      confirmedOn: confirmedAt && utcDay(confirmedAt),
      verifiedFor: technician && !isSamePerson(technician, person) ? technician : null,
      dayHundredths: dayOf(kind, record),
      createdAt,
      verifiedAt,
      ...notes,
    });
  });
  return printed;
}

type FactsOfSides = NonNullable<ExportedRecord["stated"]>;

interface StatedOfRecord {
  technician: Person | null;
  mailbox: string | null;
  /** The mailbox that confirmed a verification by link. */
  confirmedMailbox: string | null;
  /** What the form prints of it. */
  notes: ReturnType<typeof statedNotes>;
}

const NOTHING_STATED: StatedOfRecord = { technician: null, mailbox: null, confirmedMailbox: null, notes: {} };

/** What was stated at the last verification of each record, and at its confirmation. */
async function statedFacts(verifications: VerifiedRows["verifications"]): Promise<Map<number, StatedOfRecord>> {
  const parsed = new Map<string, FactsOfSides>(); // many events have the same facts
  const statedOf = new Map<number, StatedOfRecord>();
  await inTurns(verifications, AT_ONCE, ({ recordId, event, stated }) => {
    const sides = parsed.get(stated) ?? (JSON.parse(stated) as FactsOfSides); // by the query above
    parsed.set(stated, sides);
    const { supervisor, technician } = sides;
    const before = statedOf.get(recordId);
    if (event === "confirmed" && before) before.confirmedMailbox = supervisor?.mailbox ?? null;
    else {
      const { name = null, employeeNumber = null } = technician?.technician ?? {};
      statedOf.set(recordId, {
        technician: technician?.technician ? { name, employeeNumber } : null,
        mailbox: supervisor?.mailbox ?? null,
        confirmedMailbox: null,
        notes: statedNotes(supervisor, technician),
      });
    }
  });
  return statedOf;
}
