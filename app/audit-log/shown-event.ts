import { SIDES } from "#app/db/enumerations.ts";
import type { Revocation } from "#app/records/certificates/certificate.kind.ts";
import type { Person } from "#app/records/evidence.ts";
import { type EventFacts, parseFacts, type ShownFacts, withAllFacts } from "./event-facts.ts";
import { type EventRow, isErased, type StoredEvent } from "./event-hash.server.ts";

/**
 * An event of a record's log, as people see it. If facts about the technician or about the supervisor are erased, they are
 * null and `erased` is true.
 */
export type ShownEvent = Omit<EventRow, "recordId"> & ShownFacts & { erased: boolean };

export function shownEvent(stored: StoredEvent): ShownEvent {
  const { recordId: _id, facts, ...event } = stored;
  return { ...event, ...withAllFacts(allFacts(facts)), erased: SIDES.some((side) => isErased(stored, side)) };
}

/** The facts of an event about both sides. */
export function allFacts(facts: StoredEvent["facts"]): EventFacts {
  return Object.assign({}, ...SIDES.map((side) => parseFacts(facts[side]?.facts ?? null)));
}

/**
 * The revocation of a certificate by the events of its log: a verification has the one that stood then, and each later change
 * is an event. Undefined if its facts are erased, or no event tells.
 */
export function notedRevocation(events: readonly StoredEvent[]): Revocation | null | undefined {
  const last = events.findLast(({ event }) => event === "verified" || event === "revoked");
  return last && !isErased(last, "technician") ? (allFacts(last.facts).revocation ?? null) : undefined;
}

/**
 * Reads the last verification among these events: the technician whom the supervisor saw, and the address through whose
 * mailbox it came or was confirmed. Null where it is erased, and the address by link alone.
 */
export function verificationFacts(events: readonly StoredEvent[]): {
  technician: Person | null;
  mailbox: string | null;
} {
  const verified = events.findLast(({ event }) => event === "verified");
  const last = events.findLast(({ event }) => event === "verified" || event === "confirmed");
  const { technician } = verified ? allFacts(verified.facts) : {};
  const { mailbox } = last ? allFacts(last.facts) : {};
  return {
    technician: technician
      ? { name: technician.name ?? null, employeeNumber: technician.employeeNumber ?? null }
      : null,
    mailbox: mailbox ?? null,
  };
}
