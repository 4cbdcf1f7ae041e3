import type { Db } from "#app/db/client.server.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import { throwFirst } from "#app/server/logger.server.ts";
import { sweepReleased } from "./queue-email.server.ts";
import { sweepExpired, sweepExpiring } from "./requests/expiry.server.ts";
import { sweepNotices } from "./telling/notices.server.ts";
import { sweepReminders } from "./telling/reminders.server.ts";

/**
 * What the timer does for verification requests: it ends those whose time is over, and queues what technicians and
 * supervisors are told. Without mail (`null`) nobody is told. If one part fails, the others are done all the same.
 */
export async function sweepRequests(db: Db, now: Date, mail: { secret: string } | null): Promise<void> {
  const context = { db, now, secret: mail?.secret ?? "", mail: newRequestMail(true) };
  const results = await Promise.allSettled([
    sweepExpired(db, now),
    mail && sweepExpiring(db, now, context.mail),
    mail && sweepReleased(context),
    mail && sweepReminders(context),
    mail && sweepNotices(context),
  ]);
  throwFirst(results);
}
