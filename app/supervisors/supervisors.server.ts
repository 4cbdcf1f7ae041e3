import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { areAddressesUnchanged, type OwnAddresses, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
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
 * Refuses a supervisor whose address reaches a mailbox of the technician, by the rows of `ownAddressQueries`: technicians
 * cannot verify their own hours.
 * @throws {AppError} 400 on `email`, 401 if the account was deleted since the request began
 */
export function refuseOwnMailbox(
  context: Pick<AppLoadContext, "secret">,
  addresses: OwnAddresses,
  { email }: { email: string },
): void {
  if (addresses.present.length === 0) throw new AppError(401, "Unauthorized");
  const reason = ownMailboxReason(context, addresses, email);
  if (reason) throw invalidEmail(`${reason} Someone else must verify your hours.`);
}

function invalidEmail(message: string): AppError {
  return new AppError(400, message, [{ path: "email", message }]);
}

/**
 * The statements that save a supervisor: `inserted`, which saves nothing when the same form (named by `key`) comes
 * again, and `stored`, which then finds the first. Exactly one of them has the row; neither has it if the account's addresses
 * have changed since they were read, or if `onlyIf` is false.
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
  const { name, email, phone, certificationLevel, company } = supervisor;
  return {
    inserted: db
      .insert(supervisors)
      .select(
        sql`SELECT NULL, ${userId}, ${name}, ${email}, ${phone}, ${certificationLevel}, ${company}, ${submission},
          ${now.getTime()} WHERE NOT EXISTS (SELECT 1 FROM ${supervisors} WHERE ${isSameSubmission})
          AND ${onlyIf} AND ${areAddressesUnchanged(context, addresses)}`,
      )
      .returning(supervisorColumns),
    stored: db.select(supervisorColumns).from(supervisors).where(isSameSubmission).orderBy(asc(supervisors.id)),
  };
}
