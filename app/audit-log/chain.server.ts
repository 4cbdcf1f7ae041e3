import type { LogRow } from "#app/db/schema.ts";
import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { eventHash, FIRST } from "./log.server.ts";

/** A line as it is stored. */
export type Line = Omit<LogRow, "id">;

/** What is wrong with a log: at which line, or with the whole of it. */
export interface Fault {
  line: number | null;
  text: string;
}

/**
 * Checks one record's log, its lines in their order, of which it keeps none: whether they are numbered 1 to n, each
 * carries the hash of the one before and its own is right; and in the end, whether the record as it is stored is the
 * one that the log says was verified.
 */
export class ChainCheck {
  readonly faults: Fault[] = [];
  #lines = 0;
  #previous = FIRST;
  #verified: Line[] = [];

  add(line: Line): void {
    this.#lines += 1;
    if (line.number !== this.#lines) this.#fault(line, `it is number ${line.number} where ${this.#lines} should be`);
    if (line.previous !== this.#previous) this.#fault(line, "the hash that it has of the line before is another");
    if (line.hash !== eventHash(line)) this.#fault(line, "what it says is not what its hash was made of");
    if (line.event === "verified") this.#verified.push(line);
    this.#previous = line.hash;
  }

  /** The hash of the last line: who has noted it sees whether lines at the end have gone since. */
  get last(): string {
    return this.#previous;
  }

  /**
   * Holds the lines against the record, null where it is gone: then they stand for themselves. `began` is when the log
   * got its first line of all, null while it has none: what was verified before has none.
   */
  end(kind: Kind, record: ShownRecord | null, began: Date | null): Fault[] {
    if (!record) return this.faults;
    const [line, ...more] = this.#verified;
    if (more.length > 0) this.#fault(more[0], "it is not the only one that tells of a verification");
    if (!line) {
      if (record.verified && !isOlder(record, this.#lines, began)) {
        this.#fault(undefined, "the record is verified, and no line tells of it");
      }
      return this.faults;
    }
    if (!record.verified) {
      this.#fault(line, "it tells of a verification, and the record is not verified");
    } else {
      if (line.recordHash !== recordHash(kind, record)) this.#fault(line, "the record is not what was verified");
      if (line.name !== record.verifiedBy) this.#fault(line, "the record names another verifier");
      if (line.at.getTime() !== record.verifiedAt?.getTime()) this.#fault(line, "the record has another time");
    }
    return this.faults;
  }

  #fault(line: Line | undefined, text: string): void {
    this.faults.push({ line: line?.number ?? null, text });
  }
}

/** Whether a record was verified before there was a log, so that it has none. */
export function isOlder({ verifiedAt }: ShownRecord, lines: number, began: Date | null): boolean {
  return lines === 0 && verifiedAt !== null && (began === null || verifiedAt < began);
}

/** Whether a record's log is as it was written, and the record as the log says. */
export function isIntact(lines: Line[], kind: Kind, record: ShownRecord, began: Date | null): boolean {
  const check = new ChainCheck();
  for (const line of lines) check.add(line);
  return check.end(kind, record, began).length === 0;
}
