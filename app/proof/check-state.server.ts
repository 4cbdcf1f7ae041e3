import { isIntact } from "#app/audit-log/chain.server.ts";
import { isErased, type StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { verificationFacts } from "#app/audit-log/shown-event.ts";
import type { FormName } from "#app/db/enumerations.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { isSamePerson, type Person, utcDay } from "#app/records/evidence.ts";
import { flagsOf, type RecordWithOwner, valuesOf } from "#app/records/kind.ts";
import { domainOf } from "#app/verification/link-view.server.ts";
import { type PrintedRecord, printedContentOf } from "./snapshot.ts";

/**
 * What became of a printed record: `changed` if it differs from the export or from its audit log, `disowned` if its
 * supervisor took the verification back, `deleted` if it is gone.
 */
export type RecordState = "unchanged" | "changed" | "disowned" | "deleted";

/** A record as it is stored now, with the address of the request that has verified it. */
export type CurrentRecord = RecordWithOwner & { mailbox: string | null };

/** `at`: when it was disowned. */
export interface StateOfRecord {
  state: RecordState;
  at: Date | null;
  /** When the supervisor took back the verification that the form states, whatever became of the record since; null if not. */
  withdrawnAt: Date | null;
  confirmed: { at: Date; domain: string | null } | null;
}

/**
 * What became of a printed record, by the record and the events of its log as they are stored now: its state, and whether its
 * verification was withdrawn, which the log says also of a record that was edited, deleted or verified again since.
 */
export function stateOf(
  form: FormName,
  person: Person,
  printed: PrintedRecord,
  current: CurrentRecord | undefined,
  events: StoredEvent[],
): StateOfRecord {
  const { verifiedAt } = printed;
  const withdrawn = events.find(({ event, at }) => event === "disowned" && verifiedAt && at > verifiedAt);
  const now = nowOf(form, person, printed, current, events);
  if (now.state === "unchanged") return { ...now, withdrawnAt: null };
  return { ...now, withdrawnAt: withdrawn?.at ?? (now.state === "disowned" ? now.at : null) };
}

type NowOfRecord = Omit<StateOfRecord, "withdrawnAt">;

const CHANGED: NowOfRecord = { state: "changed", at: null, confirmed: null };

/**
 * The state of a printed record, by the record and the events of its log as they are stored now. `person` is the technician
 * whom the export names. `confirmed` is the confirmation of an unchanged record, which may have come after the export.
 */
function nowOf(
  form: FormName,
  person: Person,
  printed: PrintedRecord,
  current: CurrentRecord | undefined,
  events: StoredEvent[],
): NowOfRecord {
  if (!current) return { state: "deleted", at: null, confirmed: null };
  const kind = kindNamed(printed.type);
  const now = printedContentOf(kind, current);
  const isSame = [...valuesOf(kind), ...flagsOf(kind)].every((field) => now[field] === printed.content[field]);
  const hasSameDetails = !FORMS[form].hasDetails || isSameText(current.details ?? {}, printed.details ?? {});
  if (!isSame || !hasSameDetails || !isIntact(events, kind, current)) return CHANGED;
  if (!current.verified) {
    const last = events.findLast(({ event }) => event === "verified" || event === "disowned");
    return last?.event === "disowned" ? { state: "disowned", at: last.at, confirmed: null } : CHANGED;
  }
  const { verifiedBy, verifiedVia, verifiedAt, confirmedAt, createdAt } = current;
  const { technician, mailbox } = verificationFacts(events);
  const domain = domainOf(mailbox);
  const last = events.findLast(({ event }) => event === "verified" || event === "confirmed");
  // Erased with the account that had answered, the mailbox is that of another address, which the request still has.
  const domains = [domain, ...(last && isErased(last, "supervisor") ? [domainOf(current.mailbox)] : [])];
  const isSameVerification =
    verifiedBy === printed.supervisor &&
    verifiedVia === printed.via &&
    isSameDay(verifiedAt, printed.verifiedAt) &&
    isSameDay(createdAt, printed.createdAt) &&
    // Printed before it was confirmed, a link has no domain.
    (verifiedVia === "link" && !printed.confirmedOn ? [null] : domains).includes(printed.domain) &&
    (!printed.confirmedOn || (confirmedAt !== null && utcDay(confirmedAt) === printed.confirmedOn)) &&
    (technician === null || isSamePerson(technician, printed.verifiedFor ?? person));
  if (!isSameVerification) return CHANGED;
  // A link alone does not undo what the supervisor took back, though verified again on the same day it looks the same on paper.
  const { verifiedAt: printedAt } = printed;
  const withdrawn = events.findLast(({ event, at }) => event === "disowned" && printedAt && at > printedAt);
  if (withdrawn && verifiedVia === "link" && (confirmedAt === null || confirmedAt < withdrawn.at))
    return { state: "disowned", at: withdrawn.at, confirmed: null };
  return { state: "unchanged", at: null, confirmed: confirmedAt && { at: confirmedAt, domain } };
}

/** Both have the details of a record in the order of its kind. */
const isSameText = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** Of an instant a form prints the day; the copies of forms that printed none lack it. */
const isSameDay = (now: Date | null, printed: Date | null | undefined) =>
  !printed || (now !== null && utcDay(now) === utcDay(printed));
