import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { areAddressesUnchanged, type OwnAddresses, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import { type Db, insertSelect, type Owner, type Rows } from "#app/db/client.server.ts";
import { idsInPart } from "#app/db/parts.server.ts";
import { type SupervisorRow, supervisors } from "#app/db/schema.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import type { NewSupervisor } from "./supervisor.schema.ts";

/** A supervisor as its technician sees it. */
export type Supervisor = Pick<SupervisorRow, "id" | keyof NewSupervisor>;

export const supervisorColumns = {
  id: supervisors.id,
  name: supervisors.name,
  email: supervisors.email,
  phone: supervisors.phone,
  certificationLevel: supervisors.certificationLevel,
  company: supervisors.company,
  role: supervisors.role,
};

/** The most supervisors of an account. */
const SUPERVISORS_MAX = 1_000;

const TEXTS = [supervisors.name, supervisors.email, supervisors.phone, supervisors.company, supervisors.role];

/** The bytes of a supervisor, by those of each text. */
const bytesOf = (text: (column: SQLiteColumn) => SQL) => {
  const all = TEXTS.map((column) => sql`coalesce(octet_length(${text(column)}), 0)`);
  return sql`(80 + ${sql.join(all, sql` + `)})`;
};

/** A text as long as HTML writes this one: some characters take up to six bytes. */
const inHtml = (column: SQLiteColumn) =>
  [
    ["&", 5],
    ["<", 4],
    [">", 4],
    ['"', 6],
    ["''", 6],
  ].reduce(
    (text, [character, bytes]) =>
      sql`replace(${text}, ${sql.raw(`'${character}'`)}, ${sql.raw(`'${"-".repeat(Number(bytes))}'`)})`,
    sql`${column}`,
  );

const BYTES = { json: bytesOf((column) => sql`${column}`), page: sql`3 * ${bytesOf(inHtml)}` };

interface Range {
  before?: number | undefined;
  limit?: number;
  /** Where they are listed: a page where one chooses a supervisor names them twice, beside a log. */
  on?: keyof typeof BYTES;
}

/** A part of the owner's supervisors, newest first: at most `limit`, before the one with the id `before`. */
export function listSupervisors(db: Db, owner: Owner, { before, limit = SUPERVISORS_MAX, on = "json" }: Range = {}) {
  const where = and(eq(supervisors.userId, owner), before ? lt(supervisors.id, before) : undefined);
  const order = desc(supervisors.id);
  return db
    .select(supervisorColumns)
    .from(supervisors)
    .where(sql`id IN ${idsInPart({ from: supervisors, where, order, bytes: BYTES[on], limit })}`)
    .orderBy(order);
}

/**
 * The id of the supervisor that `addSupervisor` saved or found, as an SQL expression for a later statement in the same
 * batch. The form's key identifies the supervisor.
 */
export function addedSupervisorId(userId: number, supervisor: NewSupervisor, key: string | null) {
  return sql<number>`(SELECT min(id) FROM ${supervisors}
    WHERE user_id = ${userId} AND submission = ${submissionOf(key, supervisor)})`;
}

/**
 * Refuses a supervisor whose address reaches a mailbox of the technician, by the rows of `ownAddressQueries`: technicians
 * cannot verify their own hours.
 * @throws {AppError} 400 on `email`, 401 if the account was deleted since the request began
 */
export function refuseOwnMailbox(
  context: Pick<AppLoadContext, "secret">,
  addresses: OwnAddresses,
  { email }: { email: string },
): void {
  if (addresses.present.length === 0) throw new AppError("unauthorized", "Unauthorized");
  const reason = ownMailboxReason(context, addresses, email);
  if (reason) throw invalidEmail(`${reason} Someone else must verify your hours.`);
}

function invalidEmail(message: string): AppError {
  return new AppError("own_mailbox", message, [{ path: "email", message }]);
}

/**
 * The statements that save a supervisor: `inserted`, which saves nothing when the same form (named by `key`) comes
 * again, and `stored`, which then finds the first. Exactly one of them has the row; neither has it if the account's addresses
 * have changed since they were read, if `onlyIf` is false, if a supervisor of the list has the mailbox, or if the list is full:
 * `refuseUnsaved` reads the last two from `same` and `held`.
 * @throws {AppError} as `refuseOwnMailbox`
 */
export function addSupervisor(
  context: Pick<AppLoadContext, "db" | "now" | "secret">,
  { userId, addresses }: { userId: number; addresses: OwnAddresses },
  supervisor: NewSupervisor,
  key: string | null,
  onlyIf: SQL = sql`1`,
) {
  const { db, now } = context;
  refuseOwnMailbox(context, addresses, supervisor);
  const submission = submissionOf(key, supervisor);
  const isSameSubmission = and(eq(supervisors.userId, userId), eq(supervisors.submission, submission ?? ""));
  const { email } = supervisor;
  const same = withMailboxOf(db, userId, email);
  return {
    inserted: insertSelect(
      db,
      supervisors,
      { userId, ...supervisor, mailbox: normalizeMailbox(email), submission, createdAt: now },
      sql`WHERE NOT EXISTS (SELECT 1 FROM ${supervisors} WHERE ${isSameSubmission})
        AND NOT EXISTS ${same} AND ${onlyIf} AND ${areAddressesUnchanged(context, addresses)}
        AND (SELECT count(*) FROM ${supervisors} WHERE user_id = ${userId}) < ${SUPERVISORS_MAX}`,
    ).returning(supervisorColumns),
    stored: db.select(supervisorColumns).from(supervisors).where(isSameSubmission).orderBy(asc(supervisors.id)),
    same,
    held: db
      .select({ held: sql<number>`count(*)`.as("held") })
      .from(supervisors)
      .where(eq(supervisors.userId, userId)),
  };
}

/**
 * The query for the technician's supervisor with the mailbox of an address, leaving out the one with the id `exceptId`. They
 * have at most one, by a unique index: the same person twice in the list would look like two supervisors.
 */
export function withMailboxOf(db: Db, userId: number, email: string, exceptId = 0) {
  return db
    .select(supervisorColumns)
    .from(supervisors)
    .where(
      and(
        eq(supervisors.userId, userId),
        eq(supervisors.mailbox, normalizeMailbox(email)),
        ne(supervisors.id, exceptId),
      ),
    );
}

/**
 * Refuses a supervisor whose mailbox another one of the list has, by the rows of `withMailboxOf`.
 * @throws {AppError} 409 on `email`
 */
export function refuseSameMailbox([same]: Supervisor[]): void {
  if (!same) return;
  const message = `${same.name} (${same.email}) is already in your list. Choose or change that supervisor instead.`;
  throw new AppError("supervisor_exists", message, [{ path: "email", message }]);
}

/**
 * Refuses a supervisor that was not saved because another one has the mailbox, or because the list is full, by the rows of
 * `addSupervisor`.
 * @throws {AppError} 409
 */
export function refuseUnsaved({ inserted = [], stored = [], same = [], held = [] }: Partial<Added>): void {
  if (inserted.length > 0 || stored.length > 0) return;
  refuseSameMailbox(same);
  if ((held[0]?.held ?? 0) < SUPERVISORS_MAX) return;
  const max = SUPERVISORS_MAX.toLocaleString("en");
  throw new AppError(
    "account_full",
    `Your list has ${max} supervisors, which is the most. Delete one that you do not need, or choose one of them.`,
  );
}

type Added = Rows<ReturnType<typeof addSupervisor>>;
