import type { FactsRow, LogRow } from "#app/db/schema.ts";
import { sha256 } from "#app/records/record-hash.server.ts";
import { parseFacts } from "./event-facts.ts";

/** An event as it is stored, without the id that counts the events of all records. */
export type EventRow = Omit<LogRow, "id">;

/** An event with its facts, which are null after they were erased. */
export type StoredEvent = EventRow & { [Field in "userId" | "salt" | "facts"]: FactsRow[Field] | null };

/** `previous` of a record's first event. */
export const NO_PREVIOUS = "0".repeat(64);

/** The hash of an event: SHA-256, in hexadecimal, of all its other fields, the previous hash and `factsHash` included. */
export function eventHash(event: Omit<EventRow, "hash">): string {
  return sha256([
    event.recordKind,
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

/**
 * The hash of an event from before migration 0008, which covers the facts themselves. A missing account is left out, so
 * that events from before accounts were stored keep their hash.
 */
export function olderEventHash(event: Omit<EventRow, "hash">, text: string): string {
  const { address, browser, supervisor, name, accountId } = parseFacts(text);
  return sha256([
    event.recordKind,
    event.recordId,
    event.number,
    event.event,
    event.at.getTime(),
    address ?? null,
    browser ?? null,
    supervisor ? JSON.stringify(supervisor) : null,
    name ?? null,
    event.cause,
    event.recordHash,
    event.previous,
    ...(accountId ? [accountId] : []),
  ]);
}

/** Whether the event is from before migration 0008: it has no hash of its facts. */
export function isOlder({ factsHash }: Pick<EventRow, "factsHash">): boolean {
  return factsHash === null;
}
