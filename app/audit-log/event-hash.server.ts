import type { FactsRow, LogRow } from "#app/db/schema.ts";
import { sha256 } from "#app/records/record-hash.server.ts";

/** An event as it is stored, without the id that counts the events of all records. */
export type EventRow = Omit<LogRow, "id">;

/** An event with its facts, which are null after they were erased. */
export type StoredEvent = EventRow & { [Field in "userId" | "salt" | "facts"]: FactsRow[Field] | null };

/** `previous` of a record's first event. */
export const NO_PREVIOUS = "0".repeat(64);

/** The hash of an event: SHA-256, in hexadecimal, of all its other fields, the previous hash and `factsHash` included. */
export function eventHash(event: Omit<EventRow, "hash">): string {
  return sha256([
    event.recordId,
    event.number,
    event.event,
    event.at.getTime(),
    event.cause,
    event.via,
    event.recordHash,
    event.factsHash,
    event.previous,
  ]);
}

/** The hash of an event's facts, in which the random salt prevents guessing them after they were erased. */
export function factsHash(salt: string | null, facts: string): string {
  return sha256([salt, facts]);
}
