import { isIntact } from "#app/audit-log/chain.server.ts";
import type { StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { verificationFacts } from "#app/audit-log/shown-event.ts";
import { isSamePerson, type Person } from "#app/records/evidence.ts";
import { flagsOf, valuesOf } from "#app/records/kind.ts";
import type { Kind, RecordWithOwner } from "#app/records/kinds.ts";
import { domainOf } from "#app/verification/link-view.ts";
import type { PrintedRecord } from "./snapshot.ts";

/**
 * What became of a printed record: `changed` if it differs from the export or from its audit log, `disowned` if its
 * supervisor took the verification back, `deleted` if it is gone.
 */
export type RecordState = "unchanged" | "changed" | "disowned" | "deleted";

/** A record as it is stored now, with the address of the request that has verified it. */
export type CurrentRecord = RecordWithOwner & { mailbox: string | null };

/**
 * The state of a printed record, by the record and the events of its log as they are stored now. `person` is the technician
 * whom the export names.
 */
export function stateOf(
  kind: Kind,
  person: Person,
  printed: PrintedRecord,
  current: CurrentRecord | undefined,
  events: StoredEvent[],
): { state: RecordState; at: Date | null } {
  if (!current) return { state: "deleted", at: null };
  const isSame = [...valuesOf(kind), ...flagsOf(kind)].every((field) => current[field] === printed.content[field]);
  if (!isSame || !isIntact(events, kind, current)) return { state: "changed", at: null };
  if (!current.verified) {
    const last = events.findLast(({ event }) => event === "verified" || event === "disowned");
    return last?.event === "disowned" ? { state: "disowned", at: last.at } : { state: "changed", at: null };
  }
  const { verifiedBy, verifiedVia } = current;
  const { technician, mailbox } = verificationFacts(events);
  const isSameVerification =
    verifiedBy === printed.supervisor &&
    verifiedVia === printed.via &&
    domainOf(mailbox) === printed.domain &&
    (technician === null || isSamePerson(technician, printed.verifiedFor ?? person));
  return { state: isSameVerification ? "unchanged" : "changed", at: null };
}
