import { type EventFacts, parseFacts } from "./event-facts.ts";
import type { EventRow, StoredEvent } from "./event-hash.server.ts";

/** The facts of an event without any, so that a shown event always has all fields. */
const NO_FACTS: Required<EventFacts> = {
  address: null,
  browser: null,
  supervisor: null,
  technician: null,
  name: null,
  accountId: null,
  certification: null,
  sameNetwork: null,
  sameBrowser: null,
  reason: null,
};

/** An event of a record's log, as people see it. If its facts are erased, they are null and `erased` is true. */
export type ShownEvent = Omit<EventRow, "recordId"> & {
  [Fact in keyof EventFacts]-?: Exclude<EventFacts[Fact], undefined>;
} & { erased: boolean };

export function shownEvent(stored: StoredEvent): ShownEvent {
  const { recordId: _id, userId: _owner, salt: _salt, facts, ...event } = stored;
  return { ...event, ...NO_FACTS, ...parseFacts(facts), erased: facts === null };
}
