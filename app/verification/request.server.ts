import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { entries, ropeHours } from "#app/db/schema.ts";
import { type Entry, findEntry } from "#app/hours/entries.server.ts";
import { findRopeHours, type RopeHours } from "#app/hours/rope-hours.server.ts";
import { securityEvent } from "#app/http/log.server.ts";
import { perRequest } from "#app/http/per-request.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { addSupervisor, listSupervisors, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import { type Kind, SCREENS } from "./kind.ts";
import { findRequestMail, mailRequest } from "./mail.server.ts";
import type { Choice } from "./verification.schema.ts";

/** A record with the token of its link, which only its owner and their supervisor ever see. */
export type RequestedRecord = (Entry | RopeHours) & { verificationToken: string | null };

/** What the dialog is about, and who can be asked. */
export interface Requestable {
  user: User;
  record: RequestedRecord;
  supervisors: Supervisor[];
}

/** The statements that find what the dialog needs: one of the owner's records of a kind, and whom they can ask. */
export function requestableWith(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    // One of the two looks for the id that nothing has: the batch then has one shape for both kinds.
    entry: findEntry(db, owner, kind === "entry" ? id : 0),
    ropeHours: findRopeHours(db, owner, kind === "rope_hour" ? id : 0),
    supervisors: listSupervisors(db, owner),
    mails: findRequestMail(db, owner, kind, id),
  };
}

/**
 * One of the technician's own records, with their supervisors.
 * @throws {Refusal} 404 where there is no such record, or it is somebody else's
 */
export const findRequestable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Requestable> => {
    const found = await requireUser(context, (owner, db) => requestableWith(db, owner, kind, id));
    const record = found.entry[0] ?? found.ropeHours[0];
    if (!record) throw new Refusal(404, SCREENS[kind].missing);
    return { user: found.user, record, supervisors: found.supervisors };
  },
);

/**
 * Asks a supervisor to verify a record. The link is made at the first request and stays the same until the record is
 * verified. A new supervisor is saved in the same transaction, and so is the message to whoever is asked.
 * `choose` reads who is asked; it runs after the 404 and before the 409, and may refuse with 400.
 * @throws {Refusal} 404 for a record or a supervisor that is not theirs; 409 for a record that is verified
 */
export async function requestVerification(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  choose: () => Promise<Choice>,
): Promise<{ record: Entry | RopeHours; token: string; supervisor: Supervisor }> {
  const { db, now } = context;
  const { user, record, supervisors } = await findRequestable(context, kind, id);
  const choice = await choose();
  const saved = "supervisorId" in choice ? supervisors.find(({ id }) => id === choice.supervisorId) : null;
  if (saved === undefined) throw new Refusal(404, "That supervisor is not in your list.");
  const alreadyVerified = new Refusal(409, SCREENS[kind].verified);
  if (record.verified) throw alreadyVerified;

  const link = { verificationToken: sql`coalesce(verification_token, ${crypto.randomUUID()})` };
  const unverified = sql`id = ${id} AND user_id = ${user.id} AND verified = 0`;
  const ask =
    kind === "entry"
      ? db.update(entries).set(link).where(unverified).returning({ token: entries.verificationToken })
      : db.update(ropeHours).set(link).where(unverified).returning({ token: ropeHours.verificationToken });
  const mail = mailRequest(context, { type: kind, id, userId: user.id }, choice);
  const { asked, supervisor } = await ("newSupervisor" in choice
    ? batch(db, { ask, ...addSupervisor(db, user, choice.newSupervisor, choice.key ?? null, now), mail }).then(
        ({ ask, inserted, stored }) => ({ asked: ask[0], supervisor: inserted[0] ?? stored[0] }),
      )
    : batch(db, { ask, mail }).then(({ ask }) => ({ asked: ask[0], supervisor: saved })));
  if (!asked?.token) throw alreadyVerified;
  if (!supervisor) throw new Error("the new supervisor was not saved");
  securityEvent(context, "verification_requested", { kind, record: id, supervisor: supervisor.id });
  const { verificationToken: _, ...rest } = record;
  return { record: rest, token: asked.token, supervisor };
}

/** Where a supervisor verifies the record with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}
