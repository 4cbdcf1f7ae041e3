import { isIntact } from "#app/audit-log/chain.server.ts";
import { isErased, type StoredEvent } from "#app/audit-log/event-hash.server.ts";
import { allFacts, verificationFacts } from "#app/audit-log/shown-event.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { isSamePerson, utcDay } from "#app/records/evidence.ts";
import { flagsOf, type RecordWithOwner, valuesOf } from "#app/records/kind.ts";
import { domainOf } from "#app/verification/link-view.server.ts";
import { isAbsent, type PrintedRecord, type Snapshot } from "./snapshot.ts";

/**
 * The state of a printed record: `changed` if it differs from the export or from its audit log, `disowned` if its
 * supervisor withdrew the verification, `deleted` if it is gone.
 */
export type RecordState = "unchanged" | "changed" | "disowned" | "deleted";

/** A record as it is stored now, with the address of the request that has verified it. */
export type CurrentRecord = RecordWithOwner & { mailbox: string | null };

/** `at`: when it was disowned. */
export interface StateOfRecord {
  state: RecordState;
  at: Date | null;
  /**
   * When the supervisor took back the verification that the form states, whatever became of the record since; null if they did
   * not, or if the record is unchanged because the same mailbox verified it again.
   */
  withdrawnAt: Date | null;
  confirmed: { at: Date; domain: string | null } | null;
}

/** The part of a paper besides its records. */
type Paper = Pick<Snapshot, "form" | "madeAt" | "name" | "employeeNumber">;

/**
 * Returns the state of a printed record, by the record and the answers in its log as they are stored now, and whether
 * its verification was withdrawn, which the log says also of a record that was edited, deleted or verified again since.
 */
export function stateOf(
  paper: Paper,
  printed: PrintedRecord,
  current: CurrentRecord | undefined,
  events: StoredEvent[],
): StateOfRecord {
  const { verifiedAt } = printed;
  // The first, if a clock was set back and a later one has the same time: then the withdrawal of either counts.
  const verification = events.find(
    ({ event, at }) => event === "verified" && at <= paper.madeAt && at.getTime() === verifiedAt?.getTime(),
  );
  // Altered past the app: of this moment the seal has only the day.
  if (verifiedAt && !verification) return { ...CHANGED, withdrawnAt: null };
  // By its number: if a clock was set back, both events have the same time.
  const withdrawal = events.find(
    ({ event, number }) => event === "disowned" && verification && number > verification.number,
  );
  const now = nowOf(paper, printed, current, events, withdrawal);
  if (now.state === "unchanged") return { ...now, withdrawnAt: null };
  return { ...now, withdrawnAt: withdrawal?.at ?? (now.state === "disowned" ? now.at : null) };
}

type NowOfRecord = Omit<StateOfRecord, "withdrawnAt">;

const CHANGED: NowOfRecord = { state: "changed", at: null, confirmed: null };

/**
 * The state of a printed record, by the record and the answers in its log as they are stored now. `withdrawal` is the event by
 * which the printed verification was taken back. `confirmed` is the confirmation of an unchanged record, which may have come
 * after the export.
 */
function nowOf(
  { form, ...person }: Paper,
  printed: PrintedRecord,
  current: CurrentRecord | undefined,
  events: StoredEvent[],
  withdrawal: StoredEvent | undefined,
): NowOfRecord {
  if (!current) return { state: "deleted", at: null, confirmed: null };
  const kind = kindNamed(printed.type);
  const isSame = [...valuesOf(kind), ...flagsOf(kind)].every(
    (field) => printed.content[field] === (isAbsent(current[field]) ? undefined : current[field]),
  );
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
  // A record that was verified again on the same day, by any supervisor, looks the same on paper.
  if (withdrawal && !isUndone(withdrawal, last)) return { state: "disowned", at: withdrawal.at, confirmed: null };
  return { state: "unchanged", at: null, confirmed: confirmedAt && { at: confirmedAt, domain } };
}

/**
 * Whether a withdrawal was undone by the last verification or confirmation: it came through the same mailbox. Once the
 * mailboxes are erased this is unknown, so it counts as not undone; a new export states the last verification alone.
 */
function isUndone(withdrawal: StoredEvent, last: StoredEvent | undefined): boolean {
  if (!last || (last.event === "verified" && last.via === "link")) return false;
  const { mailbox } = allFacts(withdrawal.facts);
  return Boolean(mailbox) && mailbox === allFacts(last.facts).mailbox;
}

/** Both have the details of a record in the order of its kind. */
const isSameText = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether two times are the same on a form, which prints the day; the copies of forms that printed none lack the time.
 */
const isSameDay = (now: Date | null, printed: Date | null | undefined) =>
  !printed || (now !== null && utcDay(now) === utcDay(printed));
