import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { outbox, users } from "#app/db/schema.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { latest } from "#app/server/attempt-limits.server.ts";

/** The most emails of this kind to one account in 24 hours. */
const MAX_A_DAY = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The statement that queues the email about a changed password, for the user that the condition `changed` selects, at
 * most three in 24 hours. It must follow the statement that sets the password, in the same batch.
 */
export function queuePasswordChangedEmail(context: AppLoadContext, changed: SQL) {
  const since = context.now.getTime() - DAY_MS;
  const until = latest(context.now).getTime();
  return queueMessage(context, {
    kind: "password_changed",
    userId: sql`${users}.id`,
    from: sql`FROM ${users} WHERE ${changed} AND (
      SELECT count(*) FROM ${outbox} WHERE user_id = ${users}.id AND kind = 'password_changed'
      AND created_at > ${since} AND created_at <= ${until} AND ${mayHaveArrived}) < ${MAX_A_DAY}`,
  });
}
