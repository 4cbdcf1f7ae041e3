import type { Side } from "#app/db/enumerations.ts";
import type { LogRow } from "#app/db/schema.ts";
import { sha256 } from "#app/records/record-hash.server.ts";

/** An event as it is stored, without the id that counts the events of all records. */
export type EventRow = Omit<LogRow, "id">;

/** The facts of an event about one side, as they are stored. */
export interface StoredFacts {
  /** The owner of the record. */
  userId: number;
  /** In hexadecimal. */
  salt: string;
  /** JSON. */
  facts: string;
}

/** An event with its facts; those of a side are missing if the event has none or they were erased. */
export type StoredEvent = EventRow & { facts: Partial<Record<Side, StoredFacts>> };

/** `previous` of a record's first event. */
export const NO_PREVIOUS = "0".repeat(64);

/** The hash of an event: SHA-256, in hexadecimal, of all its other fields, the other hashes included. */
export function eventHash(event: Omit<EventRow, "hash">): string {
  return sha256([
    event.recordId,
    event.number,
    event.event,
    event.at.getTime(),
    event.cause,
    event.via,
    event.recordHash,
    event.technicianHash,
    event.supervisorHash,
    event.previous,
  ]);
}

/** An event's hash of its facts about a side; null if it has none. */
export function factsHashOf(event: Pick<EventRow, `${Side}Hash`>, side: Side): string | null {
  return side === "technician" ? event.technicianHash : event.supervisorHash;
}

/** Whether facts of an event were erased: it has a hash of them. */
export function isErased(event: Pick<StoredEvent, "facts" | `${Side}Hash`>, side: Side): boolean {
  return factsHashOf(event, side) !== null && event.facts[side] === undefined;
}

/** The hash of facts, in which the random salt prevents guessing them after they were erased. @param salt in hexadecimal */
export function factsHash(salt: string, facts: string): string {
  return sha256([salt, facts]);
}
