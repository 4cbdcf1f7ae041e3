import type { Db } from "#app/db/client.server.ts";
import type { RequestMail } from "#app/mail/outbox.server.ts";

/** What the timer's parts work with: `mail` holds the messages that they queue, `secret` hashes their recipients. */
export interface SweepContext {
  db: Db;
  now: Date;
  secret: string;
  mail: RequestMail;
}
