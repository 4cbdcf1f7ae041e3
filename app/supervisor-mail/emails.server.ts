import type { Composers } from "#app/mail/deliver.server.ts";
import { email as digest } from "./digest.server.ts";
import { email as expiring } from "./expiring.server.ts";
import type { SupervisorEmail, SweepContext } from "./facts.ts";
import { email as inbox } from "./inbox.server.ts";
import { email as notice } from "./notice.server.ts";
import { email as reminder } from "./reminder.server.ts";
import { email as request } from "./request.server.ts";

/**
 * The emails to or about supervisors. Each is one file of this folder: when it goes out, to whom, what it reads, and its text. A
 * new one is named here, and its kind in `MESSAGES` (app/db/enumerations.ts). Their sweeps run in this order: a reminder has all
 * that waits for its address, so requests that were held back come after it.
 */
const EMAILS: SupervisorEmail[] = [reminder, request, notice, expiring, digest, inbox];

/** Their composers. */
export const supervisorEmails: Partial<Composers> = Object.fromEntries(
  EMAILS.map(({ kind, compose }) => [kind, compose]),
);

/** Queues the emails that are due by the timer. Returns what became of each sweep: if one fails, the others are done all the same. */
export async function sweepSupervisorEmails(context: SweepContext): Promise<PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (const { sweep } of EMAILS) if (sweep) results.push(...(await Promise.allSettled([sweep(context)])));
  return results;
}
