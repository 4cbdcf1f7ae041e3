import type { Db, Owner } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { type Entry, findEntry } from "#app/records/entry/entries.server.ts";
import { findRopeHours, type RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { type Kind, SCREENS } from "./kinds.ts";

/** A record with the token of its link, which only its owner and their supervisor ever see. */
export type RequestedRecord = (Entry | RopeHours) & { verificationToken: string | null };

/** The statements that find one of the owner's records of either kind. */
export function ownRecordQueries(db: Db, owner: Owner, kind: Kind, id: number) {
  return {
    // One of the two looks for the id that nothing has: the batch then has one shape for both kinds.
    entry: findEntry(db, owner, kind === "entry" ? id : 0),
    ropeHours: findRopeHours(db, owner, kind === "rope_hour" ? id : 0),
  };
}

/**
 * The record that they found.
 * @throws {AppError} 404 where there is no such record, or it is somebody else's
 */
export function ownRecordFromRows(
  { entry, ropeHours }: { entry: RequestedRecord[]; ropeHours: RequestedRecord[] },
  kind: Kind,
): RequestedRecord {
  const record = entry[0] ?? ropeHours[0];
  if (!record) throw new AppError(404, SCREENS[kind].missing);
  return record;
}
