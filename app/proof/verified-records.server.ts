import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { displayName } from "#app/accounts/user.ts";
import { isEvent, isEventOf } from "#app/audit-log/log.server.ts";
import { addDays, formatDate } from "#app/calendar-date.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { type Category, FORM_NAMES, type FormName } from "#app/db/enumerations.ts";
import { idsInPart, PART_BYTES } from "#app/db/parts.server.ts";
import { supervisors } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { type Chosen, typedNames } from "#app/pdf/form.ts";
import { allLeftOut, FORMS, type LeftOut, leftOutText, nothingVerified, refused } from "#app/pdf/forms.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { continuityText } from "#app/records/certificates/continuity.ts";
import { workedMonths } from "#app/records/certificates/worked-months.server.ts";
import { longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { isSamePerson, type Person } from "#app/records/evidence.ts";
import { BYTES_OF_COLUMNS, BYTES_OF_RECORD, IS_LIVE } from "#app/records/queries.server.ts";
import { withDateChecks } from "#app/records/record-fields.ts";
import { records } from "#app/records/records.table.ts";
import type { Toast } from "#app/server/flash.ts";
import { inTurns } from "#app/server/others-turn.ts";
import { domainOf } from "#app/verification/link-view.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { recordContents, type StoredContent, statedFacts } from "./exports.table.ts";
import { type PrintedRecord, printedRecord } from "./snapshot.ts";

/* Which verified records a form has, and what it prints of each: of an export, and of a page that is printed without a code. */

/** The most records of one form. It has at most `PART_BYTES` of texts, too: a browser makes the PDF of all at once. */
const EXPORT_MAX = 2_000;

const CHOOSE_SUPERVISOR = "Choose a supervisor";

const day = (name: string) =>
  withDateChecks(
    z
      .string({ error: `${name} must be a day, such as 2026-11-21` })
      .trim()
      .meta({ format: "date" }),
    name,
  )
    .nullish()
    .transform((value) => value || null);

/**
 * The choice for an export: the form, and which verified records, all of them without the rest. It is the body of `POST
 * /api/exports`, the fields of the page that chooses, and the query of a page to print.
 */
export const choiceSchema = z
  .object(
    {
      form: z.enum(FORM_NAMES, { error: `form must be ${FORM_NAMES.join(" or ")}` }),
      from: day("From").meta({ description: "The first day of which records are exported" }),
      to: day("To").meta({ description: "The last one" }),
      supervisorId: z
        .union(
          [
            z.number().meta({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
            z.string().regex(/^\d*$/, CHOOSE_SUPERVISOR),
          ],
          { error: CHOOSE_SUPERVISOR },
        )
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

/** Returns the choice as a form of these records prints it; null if it has all verified records. */
export function chosenOf({ from, to, supervisorId }: ExportChoice, printed: readonly PrintedRecord[]): Chosen | null {
  if (!from && !to && !supervisorId) return null;
  const isOfOneSupervisor = supervisorId !== null;
  return { from, to, isOfOneSupervisor, supervisor: isOfOneSupervisor ? typedNames(printed) : null };
}

/** Thrown if there is nothing to export. */
class NothingVerifiedError extends AppError {
  /** The message on a page. */
  readonly toast: Toast;

  constructor(toast: Toast) {
    super("nothing_verified", toast.text ?? toast.title);
    this.toast = toast;
  }
}

/** Returns the message of a page where no form can be made. */
export function toastOf(error: AppError): Toast {
  return error instanceof NothingVerifiedError ? error.toast : refused(error.message);
}

/**
 * Refuses what no form can be made of.
 * @throws {AppError} 404 for an unknown supervisor, 409 without a verified record or with more than `EXPORT_MAX`
 */
export function requireSome(choice: ExportChoice, { contents, asked, size, others }: VerifiedRows): void {
  if (choice.supervisorId !== null && asked.length === 0) {
    throw new AppError("not_found", "That supervisor is not in your list.");
  }
  const nextDay = size[0]?.nextDay;
  if (nextDay) throw new AppError("export_too_large", tooLargeText(nextDay, choice));
  if (contents.length > 0) return;
  const leftOut = leftOutOf(others);
  throw new NothingVerifiedError(leftOut ? allLeftOut(leftOutText(leftOut)) : nothingVerified(choice));
}

/** Returns the records that the form leaves out, from the rows of `verifiedQueries`; null if it has all. */
export function leftOutOf([others]: VerifiedRows["others"]): LeftOut | null {
  return others && others.records > 0 ? others : null;
}

/** Returns the message about more records than a form has. The form would have the records before `nextDay`. */
function tooLargeText(nextDay: string, { from }: ExportChoice): string {
  const most = `One form has at most ${EXPORT_MAX.toLocaleString("en")} records and 2 MB of text.`;
  const lastDay = addDays(nextDay, -1);
  if (from && lastDay < from) return `${most} This day has more: choose the records of one supervisor.`;
  return `${most} Yours are more: export those to ${formatDate(lastDay)} first, then those from ${formatDate(nextDay)}.`;
}

/**
 * The address of a supervisor. A list may have a supervisor twice, with one address: then both have verified the same
 * records.
 */
function addressOf(owner: Owner, supervisorId: number): SQL {
  return sql`(SELECT email FROM ${supervisors} WHERE id = ${supervisorId} AND user_id = ${owner})`;
}

/** The condition that a form has a column for the method of a record. The methods are constants of the app. */
function hasColumn({ form }: ExportChoice): SQL {
  const { methods } = FORMS[form];
  return methods ? sql.raw(`method IN (${methods.map((method) => `'${method}'`).join()})`) : sql`1`;
}

/** The condition of the user's verified records that are chosen, whether or not the form has a column for them. */
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
  const chosenRecords = isChosen(owner, choice);
  const all = sql`${chosenRecords} AND ${hasColumn(choice)}`;
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
    contents: db
      .select({ id: sql<number>`id`.as("id"), content: sql`content`.mapWith(recordContents.content).as("content") })
      .from(sql`${recordContents} AS records`) // as the condition names them
      .where(chosen)
      .orderBy(...(types.length > 1 ? [sql`kind <> ${types[0]}`] : []), sql`date, id`),
    others: db
      .select({
        records: sql<number>`count(*)`.as("records"),
        hundredths: sql<number>`coalesce(sum(hours), 0)`.as("hundredths"),
      })
      .from(records)
      .where(sql`${chosenRecords} AND NOT ${hasColumn(choice)}`),
    // Less than `eventQueries` read: an account has thousands.
    verifications: db
      .select()
      .from(statedFacts)
      .where(isEventOf(sql`(SELECT id FROM ${records} WHERE ${chosen})`, isEvent("verified", "confirmed")))
      .orderBy(asc(statedFacts.recordId), asc(statedFacts.number)),
    days: longDays(db, owner),
    ...(types.includes(certificateKind.name) && workedMonths(db, owner)),
    asked: db
      .select({ id: supervisors.id })
      .from(supervisors)
      .where(sql`id = ${choice.supervisorId} AND user_id = ${owner}`),
  };
}

export type VerifiedRows = Rows<ReturnType<typeof verifiedQueries>>;

/** The rows of the verified records that are chosen, for a form without a code. */
export function readVerified(context: AppLoadContext, choice: ExportChoice) {
  return requireUser(context, (owner, db) => verifiedQueries(db, choice, owner));
}

/** Rows that are prepared before other requests have their turn: some milliseconds. */
const AT_ONCE = 100;

/**
 * The verified records as a form prints them that names `person`. Whom a record was verified for is noted where that is another
 * person; this and what the supervisor stated are those of its last verification.
 */
export async function printRecords(
  form: FormName,
  person: Person,
  madeOn: string,
  { contents, verifications, days, worked = [], roped = [] }: VerifiedRows,
): Promise<PrintedRecord[]> {
  const lastOf = new Map<number, { verified: Verification; confirmed: Verification | null }>();
  for (const verification of verifications) {
    const last = lastOf.get(verification.recordId);
    if (verification.event === "confirmed" && last) last.confirmed = verification;
    else lastOf.set(verification.recordId, { verified: verification, confirmed: null });
  }
  const dayOf = longDayIn(days);
  const work = [...worked, ...roped];
  const printed: PrintedRecord[] = [];
  await inTurns(contents, AT_ONCE, ({ id, content }) => {
    const { verified, confirmed } = lastOf.get(id) ?? { verified: null, confirmed: null };
    const { technician } = verified?.stated.technician ?? {};
    const isOther = technician && !isSamePerson(technician, person);
    printed.push(
      printedRecord(form, {
        recordId: id,
        content,
        continuity: content.kind === certificateKind.name ? continuityText(certificateOf(content), work, madeOn) : null,
        domain: domainOf((confirmed ?? verified)?.stated.supervisor?.mailbox ?? null),
        verifiedFor: isOther ? { name: technician.name, employeeNumber: technician.employeeNumber } : null,
        dayHundredths: dayOf(kindNamed(content.kind), content),
        stated: verified?.stated ?? null,
      }),
    );
  });
  return printed;
}

/** The fields of a certificate that its continuity depends on. */
function certificateOf({ subtype, method, standard, date, endDate, revokedOn }: StoredContent) {
  return { category: subtype as Category, method, standard, issuedOn: date, expiresOn: endDate, revokedOn }; // a certificate's
}

type Verification = VerifiedRows["verifications"][number];
