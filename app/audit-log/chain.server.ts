import type { LogRow } from "#app/db/schema.ts";
import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { eventHash, NO_PREVIOUS } from "./log.server.ts";

/** An event as it is stored, without the id that counts the events of all records. */
export type StoredEvent = Omit<LogRow, "id">;

export interface Fault {
  /** The number of the event; null for the whole log. */
  line: number | null;
  text: string;
}

/**
 * Checks one record's log, event by event, without keeping them: that they are numbered 1 to n, that each contains the hash
 * of the previous one, and that its own hash is correct; at the end, that the stored record is the one that was verified.
 */
export class ChainCheck {
  readonly faults: Fault[] = [];
  #lines = 0;
  #previous = NO_PREVIOUS;
  #verified: StoredEvent[] = [];

  add(line: StoredEvent): void {
    this.#lines += 1;
    if (line.number !== this.#lines) this.#fault(line, `its number is ${line.number} and should be ${this.#lines}`);
    if (line.previous !== this.#previous) this.#fault(line, "its hash of the previous event is wrong");
    if (line.hash !== eventHash(line)) this.#fault(line, "its hash does not match its content");
    if (line.event === "verified") this.#verified.push(line);
    this.#previous = line.hash;
  }

  /** The hash of the last event. Compared with an earlier one it shows whether events at the end are missing. */
  get last(): string {
    return this.#previous;
  }

  /**
   * Compares the log with the record; a deleted record is null and not compared. `began` is the time of the first event of
   * all records, or null without events: a record that was verified before has no log.
   */
  end(kind: Kind, record: ShownRecord | null, began: Date | null): Fault[] {
    if (!record) return this.faults;
    const [line, ...more] = this.#verified;
    if (more.length > 0) this.#fault(more[0], "it is a second verification");
    if (!line) {
      if (record.verified && !predatesLog(record, this.#lines, began)) {
        this.#fault(undefined, "the record is verified, but its log has no verification");
      }
      return this.faults;
    }
    if (!record.verified) {
      this.#fault(line, "it is a verification, but the record is not verified");
    } else {
      if (line.recordHash !== recordHash(kind, record)) this.#fault(line, "the record differs from the verified one");
      if (line.name !== record.verifiedBy) this.#fault(line, "the record names another verifier");
      if (line.at.getTime() !== record.verifiedAt?.getTime())
        this.#fault(line, "the record has another time of verification");
    }
    return this.faults;
  }

  #fault(line: StoredEvent | undefined, text: string): void {
    this.faults.push({ line: line?.number ?? null, text });
  }
}

/** Whether a record was verified before the log existed, so that it has none. */
export function predatesLog({ verifiedAt }: ShownRecord, lines: number, began: Date | null): boolean {
  return lines === 0 && verifiedAt !== null && (began === null || verifiedAt < began);
}

/** Whether a record's log is unaltered and the record matches it. */
export function isIntact(lines: StoredEvent[], kind: Kind, record: ShownRecord, began: Date | null): boolean {
  const check = new ChainCheck();
  for (const line of lines) check.add(line);
  return check.end(kind, record, began).length === 0;
}
