import { sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import type { Composers } from "#app/mail/deliver.server.ts";
import { formatGreeting } from "#app/mail/email.ts";
import { newRequestMail, queueMessage } from "#app/mail/outbox.server.ts";
import { bytesOf, databaseLimit, databaseSize } from "#app/server/database-limit.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { formatBytes, fullness } from "./system.server.ts";
import { SYSTEM_PATH } from "./view.tsx";

/** The kind of its message in the outbox. */
const KIND = "database_filling";

/** The advice in the log and in the email. */
const ADVICE =
  "From 90 % on new accounts and imports are refused, and all else goes on. Make room or raise DATABASE_LIMIT: docs/scale.md.";

/** The day on which this isolate has written it to the log, in days since 1970. */
let loggedOn = 0;

/**
 * Writes a warning to the log once a day, from 80 % of the limit of the database on, and emails it to every admin where
 * mail is on.
 */
export async function warnOfFullDatabase(db: Db, now: Date, env: Env, mail: object | null): Promise<void> {
  const bytes = bytesOf(await databaseSize(db));
  const limit = databaseLimit(env);
  if (fullness({ bytes, limit }).level === 0) return;
  const day = Math.floor(now.getTime() / DAY_MS);
  if (loggedOn !== day) logEvent("warn", "database filling", { bytes, limit, advice: ADVICE });
  loggedOn = day;
  if (!mail) return;
  await batch(db, {
    email: queueMessage(
      { db, now, mail: newRequestMail(true) },
      {
        kind: KIND,
        userId: sql`users.id`,
        submission: sql`${`${bytes} ${limit}`}`,
        from: sql`FROM ${users} WHERE id > 0 AND is_admin = 1 AND locked_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox
          WHERE outbox.user_id = users.id AND kind = ${KIND} AND outbox.created_at >= ${day * DAY_MS})`,
      },
    ),
  });
}

/** Composes the email from the size at the time when it was queued. Null if the recipient is no longer an admin. */
export const databaseEmails: Pick<Composers, typeof KIND> = {
  async [KIND]({ db, origin }, { userId, submission }) {
    const [bytes = 0, limit = 1] = (submission ?? "").split(" ").map(Number);
    const [admin] = await db
      .select({ name: users.name, email: users.email })
      .from(users)
      .where(sql`id = ${userId} AND is_admin = 1`);
    if (!admin) return null;
    const { percent } = fullness({ bytes, limit });
    return {
      to: admin,
      subject: `The database of Hours Tracker is ${percent} % full`,
      greeting: formatGreeting(admin),
      lead: `The database has ${formatBytes(bytes)} of ${formatBytes(limit)}. ${ADVICE}`,
      facts: [],
      button: { label: "Open System", url: `${origin}${SYSTEM_PATH}` },
      notes: ["You get this email once a day until the database is less than 80 % full."],
    };
  },
};
