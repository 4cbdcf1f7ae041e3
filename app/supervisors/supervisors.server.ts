import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, lt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type OwnAddresses, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { idsInPart } from "#app/db/parts.server.ts";
import { type SupervisorRow, supervisors } from "#app/db/schema.ts";
import { rowBytes, storing } from "#app/db/stored-bytes.server.ts";
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
  /** A text in the name, the address or the company; empty for all. */
  q?: string;
  /** Where they are listed: a page where one chooses a supervisor names them twice, beside a log. */
  on?: keyof typeof BYTES;
}

/** A part of the owner's supervisors, newest first: at most `limit`, before the one with the id `before`. */
export function listSupervisors(db: Db, owner: Owner, { before, limit = SUPERVISORS_MAX, q, on = "json" }: Range = {}) {
  const where = and(
    eq(supervisors.userId, owner),
    before ? lt(supervisors.id, before) : undefined,
    q ? hasText(q) : undefined,
  );
  const order = desc(supervisors.id);
  return db
    .select(supervisorColumns)
    .from(supervisors)
    .where(sql`id IN ${idsInPart({ from: supervisors, where, order, bytes: BYTES[on], limit })}`)
    .orderBy(order);
}

/**
 * The condition that a supervisor has a text, in any case. SQLite's lower() knows ASCII only, so other letters are looked for as
 * they were typed, small, capital, and capital at the start of a word.
 */
function hasText(q: string): SQL {
  const spellings = [
    q,
    q.toLowerCase(),
    q.toUpperCase(),
    q.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
  ];
  const texts = new Set(spellings.map((text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())));
  const all = sql`lower(name || char(10) || email || char(10) || coalesce(company, ''))`;
  return sql`(${sql.join(
    [...texts].map((text) => sql`instr(${all}, ${text}) > 0`),
    sql` OR `,
  )})`;
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

/** The queries by which a new supervisor is decided: the one that the same form (named by `key`) has saved, one with the mailbox, how many there are. */
export function newSupervisorQueries(db: Db, owner: Owner, supervisor: NewSupervisor, key: string | null) {
  const submission = submissionOf(key, supervisor);
  return {
    saved: db.select(supervisorColumns).from(supervisors).where(sql`user_id = ${owner} AND submission = ${submission}`),
    same: withMailboxOf(db, owner, supervisor.email),
    held: db
      .select({ held: sql<number>`count(*)`.as("held") })
      .from(supervisors)
      .where(eq(supervisors.userId, owner)),
  };
}

/**
 * Decides whether a new supervisor is saved: returns the one that the same form has saved before, or null.
 * @throws {AppError} as `refuseOwnMailbox`; 409 on `email` if another one of the list has the mailbox, 409 if the list is full
 */
export function decideNewSupervisor(
  context: Pick<AppLoadContext, "secret">,
  addresses: OwnAddresses,
  supervisor: NewSupervisor,
  { saved, same, held }: Rows<ReturnType<typeof newSupervisorQueries>>,
): Supervisor | null {
  refuseOwnMailbox(context, addresses, supervisor);
  if (saved[0]) return saved[0];
  refuseSameMailbox(same);
  if ((held[0]?.held ?? 0) < SUPERVISORS_MAX) return null;
  const max = SUPERVISORS_MAX.toLocaleString("en");
  throw new AppError(
    "account_full",
    `Your list has ${max} supervisors, which is the most. Delete one that you do not need, or choose one of them.`,
  );
}

/** The statement that saves a supervisor, after `decideNewSupervisor`, for `commit`. */
export function addSupervisor(
  { db, now }: Pick<AppLoadContext, "db" | "now">,
  userId: number,
  supervisor: NewSupervisor,
  key: string | null,
) {
  const mailbox = normalizeMailbox(supervisor.email);
  const inserted = db
    .insert(supervisors)
    .values({ userId, ...supervisor, mailbox, submission: submissionOf(key, supervisor), createdAt: now })
    .returning(supervisorColumns);
  return storing(inserted, userId, supervisorBytes(supervisor));
}

/** The bytes that a supervisor takes of the account. */
export function supervisorBytes({ name, email, phone, company, role }: NewSupervisor): number {
  return rowBytes(name, email, normalizeMailbox(email), phone, company, role);
}

/** The id of the supervisor whom `addSupervisor` has saved, for a later statement of the same batch. */
export function newestSupervisorId(userId: number): SQL<number> {
  return sql`(SELECT max(id) FROM ${supervisors} WHERE user_id = ${userId})`;
}

/**
 * The query for the technician's supervisor with the mailbox of an address, leaving out the one with the id `exceptId`. They
 * have at most one, by a unique index: the same person twice in the list would look like two supervisors.
 */
export function withMailboxOf(db: Db, userId: Owner, email: string, exceptId = 0) {
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
