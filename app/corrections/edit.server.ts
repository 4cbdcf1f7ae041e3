import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import type { Changes } from "#app/audit-log/event-facts.ts";
import { appendEvent, timeAfter } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { type AnyRecord, flagsOf, type Kind, valuesOf } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { areUnchanged, isUnchanged, updateContent } from "#app/records/save.server.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";
import { changeRecord } from "./correctable.server.ts";

/** Thrown if the record has changed since it was shown to the technician. */
export class EditConflictError extends AppError {
  constructor() {
    super("record_changed", "This record was changed in another window or on another device. Nothing was saved.");
  }
}

export interface Edited {
  record: AnyRecord;
  isChanged: boolean;
  hasEndedRequest: boolean;
}

type Values = { [field: string]: unknown };

/** The fields and details that an edit changes, with their values before and after it. */
function changesOf(kind: Kind, record: AnyRecord, edited: object): Changes {
  const [before, after]: Values[] = [record, edited as Values].map((values) => ({
    ...values,
    ...(values.details as object),
  }));
  const textOf = (value: unknown) => (value ?? null) as Changes[string][0]; // what a kind's fields hold, no dates but text
  return Object.fromEntries(
    [...valuesOf(kind), ...flagsOf(kind), ...kind.details.map(({ name }) => name)].flatMap((field) => {
      const change: Changes[string] = [textOf(before?.[field]), textOf(after?.[field])];
      return change[0] === change[1] ? [] : [[field, change]];
    }),
  );
}

/**
 * Edits one of the technician's own unverified records. `sent` holds some or all fields; the result must be as
 * valid as a new record. An edit that changes the record ends its open verification request, because the supervisor was
 * asked about other values. `shown` is the hash of the record as the technician saw it.
 * @throws {AppError} 404 for a record that is not the technician's, then 400 with a message for each invalid field, then
 *   409 for a verified record or (`EditConflictError`) one that has changed since it was shown
 */
export async function edit(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  sent: unknown,
  shown?: string,
): Promise<Edited> {
  const { db } = context;
  return changeRecord(context, kind, id, async ({ record, last }): Promise<Edited | null> => {
    const values = parse(kind.schema, applyPartialUpdate(record, sent));
    if (record.verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
    const before = recordHash(kind, record);
    if (recordHash(kind, { id, owner: record.owner, ...values }) === before) {
      return { record: withoutOwner(record), isChanged: false, hasEndedRequest: false };
    }
    if (shown !== undefined && shown !== before) throw new EditConflictError();
    const changes = changesOf(kind, record, values);
    const hash = recordHash(kind, { id, owner: record.owner, ...values });
    const { stored: edited } = await batch(db, {
      // One event: the end of the request says what was changed, or else the edit.
      ...(record.status === "requested"
        ? endWaiting(context, { recordId: id }, [{ kind, record, last, changes }], "edited")
        : {
            ...endWaiting(context, { recordId: id }, [], "edited", areUnchanged([{ kind, record }])),
            edited: appendEvent(
              db,
              { id, userId: record.userId, last },
              {
                event: "edited",
                at: timeAfter(context.now, [last]),
                client: context.client,
                changes,
                recordHash: hash,
              },
              sql`WHERE ${areUnchanged([{ kind, record }])}`,
            ),
          }),
      stored: updateContent(db, kind, values, isUnchanged(kind, record)),
    });
    const [stored] = edited;
    return stored ? { record: stored, isChanged: true, hasEndedRequest: record.status === "requested" } : null;
  });
}
