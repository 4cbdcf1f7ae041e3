import { SIDES } from "#app/db/enumerations.ts";
import { revocationOf } from "#app/records/certificates/certificate.kind.ts";
import type { AnyRecord, Kind, RecordWithOwner, ShownRecord } from "#app/records/kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { parseFacts } from "./event-facts.ts";
import {
  eventHash,
  factsHash,
  factsHashOf,
  isErased,
  NO_PREVIOUS,
  type StoredEvent,
  type StoredFacts,
} from "./event-hash.server.ts";
import { notedRevocation } from "./shown-event.ts";

export interface Fault {
  /** The number of the event; null for the whole log. */
  line: number | null;
  text: string;
}

/** A record as a log is compared with it. `mailbox`: the address of the request that has verified it; null once erased. */
type ChainedRecord = ShownRecord &
  Pick<AnyRecord, "userId"> &
  Pick<RecordWithOwner, "owner"> & { mailbox: string | null };

/**
 * Checks one record's log, event by event, without keeping them: that they are numbered 1 to n, that each contains the hash
 * of the previous one, and that its own hash and those of its facts are correct; at the end, that the stored record is the
 * one that was verified. Erased facts are no fault: of such an event only the rest is checked.
 */
export class ChainCheck {
  readonly faults: Fault[] = [];
  /** How many events have erased facts. */
  erased = 0;
  #lines = 0;
  #previous = NO_PREVIOUS;
  #at = 0;
  /** The last verification and whether it was disowned after it. */
  #verified: StoredEvent | undefined;
  #isDisowned = false;
  /** The last event that tells whether a certificate is revoked. */
  #noted: StoredEvent | undefined;
  /** The first event without the facts about the technician that it had. */
  #forgotten: StoredEvent | undefined;
  /** The confirmation of that verification. */
  #confirmed: StoredEvent | undefined;
  /** The events of requests, and whether the facts about their supervisors are erased. */
  readonly asked: { line: number; at: number; isErased: boolean }[] = [];
  /** An event whose facts belong to an account, for each such account. */
  readonly #owners = new Map<number, StoredEvent>();

  /** `isApart`: the events before it were not read. */
  add(line: StoredEvent, isApart = false): void {
    if (isApart && line.number > this.#lines + 1) [this.#lines, this.#previous] = [line.number - 1, line.previous];
    this.#lines += 1;
    if (line.number !== this.#lines) this.#fault(line, `its number is ${line.number} and should be ${this.#lines}`);
    if (line.previous !== this.#previous) this.#fault(line, "its hash of the previous event is wrong");
    if (line.at.getTime() < this.#at) this.#fault(line, "it is dated before the event that it follows");
    this.#at = line.at.getTime();
    this.#checkHashes(line);
    if (SIDES.some((side) => isErased(line, side))) this.erased += 1;
    if (isErased(line, "technician")) this.#forgotten ??= line;
    if (line.event === "requested")
      this.asked.push({ line: line.number, at: line.at.getTime(), isErased: isErased(line, "supervisor") });
    for (const { userId } of Object.values(line.facts)) this.#owners.set(userId, line);
    if (line.event === "verified" || line.event === "revoked") this.#noted = line;
    if (line.event === "verified") {
      if (this.#verified && !this.#isDisowned) this.#fault(line, "it is a second verification");
      else [this.#verified, this.#isDisowned, this.#confirmed] = [line, false, undefined];
    }
    if (line.event === "confirmed") {
      const isOpen = this.#verified?.via === "link" && !this.#isDisowned && !this.#confirmed;
      if (!isOpen) this.#fault(line, "it confirms a record that was not verified by the link alone, or again");
      this.#confirmed = line;
    }
    if (line.event === "disowned") {
      if (!this.#verified || this.#isDisowned) this.#fault(line, "it disowns a record that was not verified");
      this.#isDisowned = true;
    }
    this.#previous = line.hash;
  }

  #checkHashes(line: StoredEvent): void {
    if (line.hash !== eventHash(line)) this.#fault(line, "its hash does not match its content");
    for (const side of SIDES) {
      const own = line.facts[side];
      if (own && factsHashOf(line, side) !== hashOf(own))
        this.#fault(line, `its facts about the ${side} do not match their hash`);
    }
  }

  /** The number of the last verification, if the facts about the supervisor who made it are erased. */
  get erasedVerification(): number | null {
    return this.#verified && isErased(this.#verified, "supervisor") ? this.#verified.number : null;
  }

  /** The hash of the last event. Compared with an earlier one it shows whether events at the end are missing. */
  get last(): string {
    return this.#previous;
  }

  /** Compares the log with the record; a deleted record is null and not compared. */
  end(kind: Kind, record: ChainedRecord | null): Fault[] {
    if (!record) return this.faults;
    // These facts are erased with the account alone, and the record with them.
    if (this.#forgotten) this.#fault(this.#forgotten, "its facts about the technician are gone, but the record is not");
    for (const [owner, line] of this.#owners) {
      if (owner !== record.userId) this.#fault(line, "its facts belong to another account than the record");
    }
    const line = this.#verified;
    if (!line || this.#isDisowned) {
      if (record.verified) {
        this.#fault(line, `the record is verified, but ${line ? "this was disowned" : "its log has no verification"}`);
      }
      return this.faults;
    }
    if (!record.verified) {
      this.#fault(line, "it is a verification, but the record is not verified");
    } else {
      if (line.recordHash !== recordHash(kind, record)) this.#fault(line, "the record differs from the verified one");
      const { supervisor } = line.facts;
      const { name, mailbox } = parseFacts(supervisor?.facts ?? null);
      if (supervisor && name !== record.verifiedBy) this.#fault(line, "the record names another verifier");
      const confirming = parseFacts(this.#confirmed?.facts.supervisor?.facts ?? null).mailbox;
      for (const address of [mailbox, confirming]) {
        if (address && address !== record.mailbox)
          this.#fault(line, "the request has another address than the mailbox that verified");
      }
      const { technician } = parseFacts(line.facts.technician?.facts ?? null);
      if (technician && technician.id !== record.userId)
        this.#fault(line, "the record was verified for another account");
      if (line.at.getTime() !== record.verifiedAt?.getTime())
        this.#fault(line, "the record has another time of verification");
      if (line.via !== record.verifiedVia) this.#fault(line, "the record was verified in another way");
      if (this.#confirmed?.at.getTime() !== record.confirmedAt?.getTime())
        this.#fault(this.#confirmed ?? line, "the record has another time of confirmation");
      const noted = notedRevocation(this.#noted ? [this.#noted] : []);
      const revocation = revocationOf(record);
      if (noted !== undefined && (noted?.on !== revocation?.on || noted?.reason !== revocation?.reason))
        this.#fault(this.#noted, "the certificate has another revocation than its log, or none");
    }
    return this.faults;
  }

  #fault(line: StoredEvent | undefined, text: string): void {
    this.faults.push({ line: line?.number ?? null, text });
  }
}

/** The hashes of facts that many events share. */
const hashes = new WeakMap<StoredFacts, string>();

function hashOf(own: StoredFacts): string {
  const hash = hashes.get(own) ?? factsHash(own.salt, own.facts);
  hashes.set(own, hash);
  return hash;
}

/**
 * Whether these events of a record's log are unaltered and the record matches them. All answers of supervisors are among them;
 * with `page`, so are the first event and all with the numbers of the page. Others may be missing.
 */
export function isIntact(
  lines: StoredEvent[],
  kind: Kind,
  record: ChainedRecord,
  page?: { first: number; last: number },
): boolean {
  const check = new ChainCheck();
  for (const [index, line] of lines.entries()) {
    const isOnPage = page && line.number > page.first && line.number <= page.last;
    check.add(line, !isOnPage && !(page && index === 0));
  }
  if (page && lines.findLast(({ number }) => number <= page.last)?.number !== page.last) return false;
  return check.end(kind, record).length === 0;
}
