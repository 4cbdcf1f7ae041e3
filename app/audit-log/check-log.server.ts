import { createHash } from "node:crypto";
import { ATTEMPTS, BEFORE_FIRST, backOff, type Execute, groupBy } from "#app/db/client.server.ts";
import type { Kind } from "#app/records/kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { ChainCheck, type Fault } from "./chain.server.ts";
import {
  type AskingRequest,
  type AuditedRecord,
  type CheckedEvent,
  eventsAfter,
  eventsOf,
  recordById,
  recordsAfter,
  Walk,
} from "./check-rows.server.ts";

/** The counts of a check. */
interface Counts {
  lines: number;
  /** Those of them whose facts are erased. */
  erased: number;
  /** The number of records with a log. */
  chains: number;
  verified: number;
  faults: number;
}

export interface Report extends Counts {
  /**
   * SHA-256 over the last hash of every chain, and every verified record with its owner and verifier. If you keep it, you can see later whether the past was changed. Erasing facts does not change it.
   */
  digest: string;
}

/** How far a check of the records has come. It can be stored as JSON, and continued. */
export interface RecordsProgress extends Counts {
  /** The last event when the check began: later ones are left to the next check. */
  top: number;
  /** How many events were ever written by then. */
  written: number;
  /** The id of the last record that was checked. */
  last: number;
  isDone: boolean;
}

/** Called with each fault, with its record if it is about one. */
export type Tell = (kind: Kind | null, id: number | null, fault: Fault) => void;

/**
 * Checks the log of every record, deleted ones included, and compares each verified record with its log. It reads both in
 * pages, to limit memory, and passes each fault to `tell`. The app may run meanwhile: a record that looks faulty is read
 * again by itself.
 */
export async function checkLog(execute: Execute, tell: Tell): Promise<Report> {
  const digest = createHash("sha256");
  const begun = await beginRecords(execute);
  const report = await checkRecords(execute, begun, Number.POSITIVE_INFINITY, tell, (text) => digest.update(text));
  const { lines, erased, chains, verified, faults } = report;
  return { lines, erased, chains, verified, digest: digest.digest("hex"), faults };
}

export async function beginRecords(execute: Execute): Promise<RecordsProgress> {
  const [whole] = await execute(
    `SELECT (SELECT max(id) FROM verification_log) AS top,
      (SELECT seq FROM sqlite_sequence WHERE name = 'verification_log') AS written`,
  );
  const top = Math.min(Number(whole?.top ?? 0), Number.MAX_SAFE_INTEGER);
  // Ids have no gaps, even after a refused batch, so the highest one is the number of events.
  const written = Math.max(top, Number(whole?.written ?? 0));
  return { top, written, last: BEFORE_FIRST, isDone: false, lines: 0, erased: 0, chains: 0, verified: 0, faults: 0 };
}

/**
 * Continues a check until it is done, or has read `most` events and records and come to the end of a record. Returns how far
 * it has come then. `digest` gets the text over which the digest is.
 */
export async function checkRecords(
  execute: Execute,
  from: RecordsProgress,
  most: number,
  tell: Tell,
  digest: (text: string) => void = () => {},
): Promise<RecordsProgress> {
  const report = { ...from };
  const wrong: Tell = (kind, id, fault) => {
    report.faults += 1;
    tell(kind, id, fault);
  };
  const start = { recordId: from.last, number: Number.MAX_SAFE_INTEGER };
  const lines = new Walk((last: CheckedEvent | null) => eventsAfter(execute, last ?? start, from.top));
  const records = new Walk((last: AuditedRecord | null) => recordsAfter(execute, last?.record.id ?? from.last));
  await Promise.all([lines.next(), records.next()]);
  for (let read = 0; lines.at || records.at; ) {
    if (read >= most) return report;
    const next = records.at?.record.id ?? Number.POSITIVE_INFINITY;
    const id = Math.min(lines.at?.recordId ?? Number.POSITIVE_INFINITY, next);
    const check = new ChainCheck();
    let count = 0;
    while (lines.at?.recordId === id) {
      check.add(lines.at);
      count += 1;
      await lines.next();
    }
    const found = next === id ? records.at : null;
    if (found) await records.next();
    read += count + 1;
    report.last = id;
    if (count > 0) {
      report.chains += 1;
      report.lines += count;
      report.erased += check.erased;
      digest(`${id} ${count} ${check.last}\n`);
    }
    if (found?.record.verified) {
      report.verified += 1;
      // No event has the record's owner, and an erased one no verifier.
      const { userId, verifiedBy, verifiedAt } = found.record;
      digest(`${JSON.stringify([id, userId, recordHash(found.kind, found.record), verifiedBy, verifiedAt])}\n`);
    }
    if (faultsOf(check, found).length === 0) continue;
    for (const fault of await recheck(execute, id)) wrong(found?.kind ?? null, id, fault);
  }
  const { written } = from;
  if (report.lines !== written) {
    wrong(null, null, {
      line: null,
      text: `${countedPlain(written, "event")} ${written === 1 ? "was" : "were"} written, but the log has ${report.lines}`,
    });
  }
  return { ...report, isDone: true };
}

function faultsOf(check: ChainCheck, found: AuditedRecord | null): Fault[] {
  if (!found) return check.faults;
  const { verified, isAnswered, isAnswerNamed, differing, isCanonical } = found.record;
  const faults = [...check.end(found.kind, found.record), ...halfErased(check, found.requests)];
  if (!verified) return faults;
  const line = check.erasedVerification;
  return [
    ...faults,
    ...(isAnswered ? [] : [{ line: null, text: NO_ANSWER }]),
    ...(line !== null && isAnswerNamed ? [{ line, text: NAMED_ANSWER }] : []),
    ...(differing ? [{ line: null, text: `it has in columns what its fields do not say: ${differing}` }] : []),
    ...(isCanonical ? [] : [{ line: null, text: NOT_CANONICAL }]),
  ];
}

/**
 * The events whose facts about a supervisor are gone while the request that they made still names them: an erasure removes
 * both. A record's own request may have gone to another supervisor, and names the one of its last event. An ended one is not
 * known to be one, so of those that ended only such count as have a single event.
 */
function halfErased({ asked }: ChainCheck, requests: readonly AskingRequest[]): Fault[] {
  if (!asked.some(({ isErased }) => isErased)) return [];
  const eventsAt = groupBy(asked, ({ at }) => at);
  const requestsAt = groupBy(requests, ({ createdAt }) => createdAt);
  return requests.flatMap(({ createdAt, endedAt, isOwn, isNamed }) => {
    const others = (at: number) => (requestsAt.get(at)?.length ?? 0) - (at === createdAt ? 1 : 0);
    const during = asked.filter(({ at }) => at >= createdAt && at <= (endedAt ?? Number.POSITIVE_INFINITY));
    // Events with the same timestamp cannot be told apart.
    const isClear = during.every(({ at }) => others(at) === 0 || others(at) === eventsAt.get(at)?.length);
    const last = during.findLast(({ at }) => others(at) === 0);
    if (!isNamed || !isClear || !last?.isErased || !(isOwn || last.at === createdAt)) return [];
    return [{ line: last.line, text: NAMED_REQUEST }];
  });
}

const NAMED_REQUEST =
  "its facts about the supervisor are gone, but the request still names them: an erasure removes both, so repeat one that was interrupted";
const NAMED_ANSWER =
  "its facts about the supervisor are gone, but the answer still names them: an erasure removes both";
const NO_ANSWER = "it is verified, but no request for it says so";
const NOT_CANONICAL =
  "the JSON of its fields is not as the app writes it: a name is unknown or there twice, or something is spelled otherwise";

/** A fault in words, with its record: `OJT entry 7, event 2: its hash does not match its content`. */
export function faultText(kind: Kind | null, id: number | null, { line, text }: Fault): string {
  const where = kind === null ? "The log" : `${kind.texts.title} ${id}${line === null ? "" : `, event ${line}`}`;
  return `${where}: ${text}`;
}

/**
 * The faults of one record and its log, read consistently: the record is the same before and after reading its log. If it
 * changes during every attempt, that is reported as a fault.
 */
async function recheck(execute: Execute, id: number): Promise<Fault[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const before = await recordById(execute, id);
    const check = new ChainCheck();
    for (const event of await eventsOf(execute, id)) check.add(event);
    if (JSON.stringify(before) === JSON.stringify(await recordById(execute, id))) return faultsOf(check, before);
  }
  return [{ line: null, text: "it changed during every attempt, so check it again" }];
}
