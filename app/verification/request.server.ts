import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch } from "#app/db/client.server.ts";
import { entries } from "#app/db/schema.ts";
import { type Entry, findEntry } from "#app/hours/entries.server.ts";
import { perRequest } from "#app/http/per-request.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import type { NewSupervisor } from "#app/supervisors/supervisor.schema.ts";
import { addSupervisor, listSupervisors, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import { mailRequest } from "./mail.server.ts";

/** An entry with the token of its link, which only its owner and their supervisor ever see. */
export type RequestedEntry = Entry & { verificationToken: string | null };

/** What the dialog is about, and who can be asked. */
export interface Requestable {
  user: User;
  record: RequestedEntry;
  supervisors: Supervisor[];
}

/** The supervisor that is asked: one of the saved, or a new one; with the key of the form, where there is one. */
export type Choice = { key?: string | null } & ({ supervisorId: number } | { newSupervisor: NewSupervisor });

/**
 * One of the technician's own entries, with their supervisors.
 * @throws {Refusal} 404 where there is no such entry, or it is somebody else's
 */
export const findRequestable = perRequest(async (context: AppLoadContext, id: number): Promise<Requestable> => {
  const { user, found, supervisors } = await requireUser(context, (owner, db) => ({
    found: findEntry(db, owner, id),
    supervisors: listSupervisors(db, owner),
  }));
  const [record] = found;
  if (!record) throw new Refusal(404, "There is no such entry in your log.");
  return { user, record, supervisors };
});

/**
 * Asks a supervisor to verify an entry. The link is made at the first request and stays the same until the entry is
 * verified. A new supervisor is saved in the same transaction, and so is the message to whoever is asked.
 * `choose` reads who is asked; it runs after the 404 and before the 409, and may refuse with 400.
 * @throws {Refusal} 404 for an entry or a supervisor that is not theirs; 409 for an entry that is verified
 */
export async function requestVerification(
  context: AppLoadContext,
  id: number,
  choose: () => Promise<Choice>,
): Promise<{ record: Entry; token: string; supervisor: Supervisor }> {
  const { db, now } = context;
  const { user, record, supervisors } = await findRequestable(context, id);
  const choice = await choose();
  const saved = "supervisorId" in choice ? supervisors.find(({ id }) => id === choice.supervisorId) : null;
  if (saved === undefined) throw new Refusal(404, "That supervisor is not in your list.");
  const alreadyVerified = new Refusal(409, "This entry is already verified.");
  if (record.verified) throw alreadyVerified;

  const ask = db
    .update(entries)
    .set({ verificationToken: sql`coalesce(${entries.verificationToken}, ${crypto.randomUUID()})` })
    .where(and(eq(entries.id, id), eq(entries.userId, user.id), eq(entries.verified, false)))
    .returning({ token: entries.verificationToken });
  const mail = mailRequest(context, { type: "entry", id, userId: user.id }, choice);
  const { asked, supervisor } = await ("newSupervisor" in choice
    ? batch(db, { ask, ...addSupervisor(db, user, choice.newSupervisor, choice.key ?? null, now), mail }).then(
        ({ ask, inserted, stored }) => ({ asked: ask[0], supervisor: inserted[0] ?? stored[0] }),
      )
    : batch(db, { ask, mail }).then(({ ask }) => ({ asked: ask[0], supervisor: saved })));
  if (!asked?.token) throw alreadyVerified;
  if (!supervisor) throw new Error("the new supervisor was not saved");
  const { verificationToken: _, ...entry } = record;
  return { record: entry, token: asked.token, supervisor };
}

/** Where a supervisor verifies the record with this token. */
export function verificationUrl({ origin }: Pick<AppLoadContext, "origin">, token: string): string {
  return `${origin}/verify/${token}`;
}
