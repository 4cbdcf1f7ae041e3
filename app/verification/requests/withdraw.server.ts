import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import { lastEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { entries, ropeHours } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { type Entry, findEntry } from "#app/records/entry/entries.server.ts";
import { type Kind, SCREENS } from "#app/records/kinds.ts";
import { findRopeHours, type RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { endRequest, isUnchanged } from "./end-request.server.ts";

/**
 * Takes a request back: its link ends, a message that still waits is not sent, and the log has a line more. Asking
 * again makes a new link. Returns the record.
 * @throws {AppError} 404 for a record that is not theirs; 409 where it is verified, or nobody is asked
 */
export async function withdrawRequest(context: AppLoadContext, kind: Kind, id: number): Promise<Entry | RopeHours> {
  const { db } = context;
  return retryOnConflict(async () => {
    const {
      entry,
      ropeHours: rope,
      last,
    } = await requireUser(context, (owner, db) => ({
      // One of the two looks for the id that nothing has: the batch then has one shape for both kinds.
      entry: findEntry(db, owner, kind === "entry" ? id : 0),
      ropeHours: findRopeHours(db, owner, kind === "rope_hour" ? id : 0),
      last: lastEvent(db, kind, id),
    }));
    const record = entry[0] ?? rope[0];
    if (!record) throw new AppError(404, SCREENS[kind].missing);
    if (record.verified) throw new AppError(409, SCREENS[kind].verified);
    const { verificationToken, ...rest } = record;
    if (!verificationToken) throw new AppError(409, "Nobody is asked to verify this, so there is nothing to withdraw.");
    const closed = { verificationToken: null };
    const { withdrawn } = await batch(db, {
      ...endRequest(context, kind, record, last[0], "withdrawn"),
      withdrawn:
        kind === "entry"
          ? db.update(entries).set(closed).where(isUnchanged(record)).returning({ id: entries.id })
          : db.update(ropeHours).set(closed).where(isUnchanged(record)).returning({ id: ropeHours.id }),
    });
    if (withdrawn.length === 0) return null;
    securityEvent(context, "verification_withdrawn", { kind, record: id });
    return rest;
  });
}
