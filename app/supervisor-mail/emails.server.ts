import type { Db } from "#app/db/client.server.ts";
import type { MessageKind } from "#app/db/enumerations.ts";
import type { Compose, Composers } from "#app/mail/deliver.server.ts";
import type { RequestMail } from "#app/mail/outbox.server.ts";

/*
 * The emails to or about supervisors. Each is one file of this folder: when it goes out, to whom, what it reads, and its text. A
 * new one needs its file, which exports `email`, and its kind in `MESSAGES` (app/db/enumerations.ts).
 */

/** What the timer works with: `mail` holds the messages that it queues, `secret` hashes their recipients. */
export interface SweepContext {
  db: Db;
  now: Date;
  secret: string;
  mail: RequestMail;
}

export interface SupervisorEmail {
  kind: MessageKind;
  compose: Compose;
  /** What the timer does for it, if it is not queued by an act. */
  sweep?: (context: SweepContext) => Promise<void>;
}

const EMAILS = Object.values(
  import.meta.glob<SupervisorEmail>(["./*.server.ts", "!./{emails,limits}.server.ts"], {
    import: "email",
    eager: true,
  }),
);

/** Their composers. */
export const supervisorEmails: Partial<Composers> = Object.fromEntries(
  EMAILS.map(({ kind, compose }) => [kind, compose]),
);

/** Queues the emails that are due by the timer. Returns what became of each sweep: if one fails, the others are done all the same. */
export function sweepSupervisorEmails(context: SweepContext): Promise<PromiseSettledResult<void>[]> {
  return Promise.allSettled(EMAILS.flatMap(({ sweep }) => sweep?.(context) ?? []));
}
