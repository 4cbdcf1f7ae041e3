import type { AppLoadContext } from "@remix-run/cloudflare";
import { batch } from "#app/db/client.server.ts";
import { entries, ropeHours } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { type Entry, entryColumns, entrySearch } from "#app/records/entry/entries.server.ts";
import { entrySchema, type NewEntry } from "#app/records/entry/entry.schema.ts";
import { type Kind, SCREENS } from "#app/records/kinds.ts";
import type { RequestedRecord } from "#app/records/own-record.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { type NewRopeHours, ropeHoursSchema } from "#app/records/rope-hours/rope-hours.schema.ts";
import { type RopeHours, ropeHoursColumns, ropeHoursSearch } from "#app/records/rope-hours/rope-hours.server.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { endRequest, isUnchanged } from "#app/verification/requests/end-request.server.ts";
import { withRecord } from "./correctable.server.ts";

/** Refuses an edit of a record that is not any more what its editor was shown. */
export class EditConflictError extends AppError {
  constructor() {
    super(409, "This record was changed in another window or on another device. Nothing was saved.");
  }
}

/** What an edit came to. */
export interface Edited {
  record: Entry | RopeHours;
  /** Whether it changed anything, … */
  isChanged: boolean;
  /** … and with that ended a request to verify the record as it was. */
  hasEndedRequest: boolean;
}

/**
 * Changes one of the technician's own records that nobody has verified: the fields that `fields` brings, which may be
 * some or all; the result is judged as a new record is. It ends an open link, since a supervisor was asked about
 * something else. A change that changes nothing ends nothing. `shown` is the hash of the record that the editor saw.
 * @throws {AppError} 404 for a record that is not theirs, then 400 with what is wrong with each field, then 409 for one
 *   that is verified, or (`EditConflictError`) that is not as it was shown
 */
export async function edit(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  fields: () => Promise<unknown>,
  shown?: string,
): Promise<Edited> {
  const { db } = context;
  let sent: Promise<unknown> | undefined;
  return withRecord(context, kind, id, async ({ record, last }): Promise<Edited | null> => {
    sent ??= fields();
    const values = revised(record, await sent);
    if (record.verified) throw new AppError(409, SCREENS[kind].verified);
    if (recordHash({ id, ...values }) === recordHash(record)) {
      const { verificationToken: _, ...unchanged } = record;
      return { record: unchanged, isChanged: false, hasEndedRequest: false };
    }
    if (shown !== undefined && shown !== recordHash(record)) throw new EditConflictError();
    const { edited } = await batch(db, {
      ...endRequest(context, kind, record, last, "edited"),
      edited:
        "method" in values
          ? db
              .update(entries)
              .set({ ...values, search: entrySearch(values), verificationToken: null })
              .where(isUnchanged(record))
              .returning(entryColumns)
          : db
              .update(ropeHours)
              .set({ ...values, search: ropeHoursSearch(values), verificationToken: null })
              .where(isUnchanged(record))
              .returning(ropeHoursColumns),
    });
    const [stored] = edited;
    return stored ? { record: stored, isChanged: true, hasEndedRequest: record.verificationToken !== null } : null;
  });
}

/**
 * What a record says with these fields changed.
 * @throws {AppError} 400 with what is wrong with each field of the whole
 */
function revised(record: RequestedRecord, fields: unknown): NewEntry | NewRopeHours {
  const whole = applyPartialUpdate(record, fields);
  return "method" in record ? parse(entrySchema, whole) : parse(ropeHoursSchema, whole);
}
