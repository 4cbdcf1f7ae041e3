import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { changeOwn, lastEvent } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind } from "#app/records/kinds.ts";
import { findRecord, requireRecord, selectRecords, withoutToken } from "#app/records/queries.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { verificationRequests } from "#app/verification/requests.table.ts";
import { endRequest } from "./end-request.server.ts";

/**
 * Withdraws the verification request of a record: its link ends, a waiting email is cancelled, and the record's log
 * gets an event. The next request makes a new link. Returns the record.
 * @throws {AppError} 404 for a record that is not the technician's; 409 if it is verified or no request is open
 */
export async function withdrawRequest(context: AppLoadContext, kind: Kind, id: number): Promise<AnyRecord> {
  const { db } = context;
  return changeOwn(context, async () => {
    const { found, last } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      last: lastEvent(db, id),
    }));
    const record = requireRecord(kind, found);
    if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);
    if (record.verificationToken === null) {
      throw new AppError(409, "No verification request is open, so there is nothing to withdraw.");
    }
    const ofLink = sql`request_id = (SELECT id FROM ${verificationRequests} WHERE token = ${record.verificationToken})`;
    const { ended, stored } = await batch(db, {
      ...endRequest(context, kind, record, last[0], "withdrawn", ofLink),
      stored: selectRecords(db, kind, { where: sql`id = ${id}` }),
    });
    if (ended.length === 0) return null;
    securityEvent(context, "verification_withdrawn", { kind: kind.name, record: id });
    return stored[0] ?? withoutToken(record);
  });
}
