import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type EarlierAddress, isEarlierAddress } from "#app/accounts/earlier-addresses.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { type SupervisorRow, supervisors } from "#app/db/schema.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import type { NewSupervisor } from "./supervisor.schema.ts";

/** A supervisor as its technician sees it. */
export type Supervisor = Pick<SupervisorRow, "id" | "name" | "email" | "phone" | "certificationLevel" | "company">;

export const supervisorColumns = {
  id: supervisors.id,
  name: supervisors.name,
  email: supervisors.email,
  phone: supervisors.phone,
  certificationLevel: supervisors.certificationLevel,
  company: supervisors.company,
};

/** The owner's supervisors, newest first. */
export function listSupervisors(db: Db, owner: Owner) {
  return db
    .select(supervisorColumns)
    .from(supervisors)
    .where(eq(supervisors.userId, owner))
    .orderBy(desc(supervisors.id));
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
 * Refuses a supervisor with the technician's own address: technicians cannot verify their own hours.
 * @throws {AppError} 400 on `email` for the technician's own address
 */
export function refuseOwnAddress(owner: { email: string }, supervisor: NewSupervisor): void {
  if (supervisor.email === owner.email) {
    throw invalidEmail("This is your own email address. Someone else must verify your hours.");
  }
}

/**
 * Refuses a supervisor with an address that the technician's account had before, by the rows of `listEarlierAddresses`:
 * its mailbox is probably still theirs.
 * @throws {AppError} 400 on `email`
 */
export function refuseEarlierAddress(
  context: Pick<AppLoadContext, "secret">,
  owner: { id: number; earlier: EarlierAddress[] },
  supervisor: NewSupervisor,
): void {
  if (isEarlierAddress(context, owner, supervisor.email)) {
    throw invalidEmail("This was the email address of your own account. Someone else must verify your hours.");
  }
}

function invalidEmail(message: string): AppError {
  return new AppError(400, message, [{ path: "email", message }]);
}

/**
 * The statements that save a supervisor: `inserted`, which saves nothing when the same form (named by `key`) comes
 * again, and `stored`, which then finds the first. Exactly one of them has the row. If `onlyIf` is false, none is saved.
 * @throws {AppError} as `refuseOwnAddress`
 */
export function addSupervisor(
  db: Db,
  owner: { id: number; email: string },
  supervisor: NewSupervisor,
  key: string | null,
  now: Date,
  onlyIf: SQL = sql`1`,
) {
  refuseOwnAddress(owner, supervisor);
  const submission = submissionOf(key, supervisor);
  const isSameSubmission = and(eq(supervisors.userId, owner.id), eq(supervisors.submission, submission ?? ""));
  const { name, email, phone, certificationLevel, company } = supervisor;
  return {
    inserted: db
      .insert(supervisors)
      .select(
        sql`SELECT NULL, ${owner.id}, ${name}, ${email}, ${phone}, ${certificationLevel}, ${company}, ${submission},
          ${now.getTime()} WHERE ${onlyIf} AND NOT EXISTS (SELECT 1 FROM ${supervisors} WHERE ${isSameSubmission})`,
      )
      .returning(supervisorColumns),
    stored: db.select(supervisorColumns).from(supervisors).where(isSameSubmission).orderBy(asc(supervisors.id)),
  };
}
