import { createHash } from "node:crypto";
import { ATTEMPTS, backOff } from "#app/db/conflict.server.ts";
import type { Execute } from "#app/db/execute.ts";
import { type AnyRecord, KINDS, type Kind } from "#app/records/kinds.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { ChainCheck, type Fault, predatesLog } from "./chain.server.ts";
import { type CheckedEvent, eventsAfter, eventsOf, recordById, recordsAfter, Walk } from "./check-rows.server.ts";
import { isOlder } from "./event-hash.server.ts";

export interface Report {
  lines: number;
  /** Those of them whose facts are erased. */
  erased: number;
  /** The number of records with a log. */
  chains: number;
  verified: number;
  /** Those of them that were verified before the log existed. */
  older: number;
  /**
   * SHA-256 over the last hash of every chain, every event that has no hash of its facts, and every verified record with
   * its owner and verifier. If you keep it, you can see later whether the past was changed. Erasing facts does not change it.
   */
  digest: string;
  faults: number;
}

/**
 * Checks the log of every record, deleted ones included, and compares each verified record with its log. It reads both in
 * pages, to limit memory, and passes each fault to `tell`. The app may run meanwhile: a record that looks faulty is read
 * again by itself.
 */
export async function checkLog(
  execute: Execute,
  tell: (kind: Kind | null, id: number | null, fault: Fault) => void,
): Promise<Report> {
  const [whole] = await execute(
    `SELECT (SELECT max(id) FROM verification_log) AS top,
      (SELECT seq FROM sqlite_sequence WHERE name = 'verification_log') AS written,
      (SELECT at FROM verification_log WHERE id = (SELECT min(id) FROM verification_log)) AS began,
      (SELECT min(id) FROM verification_log WHERE facts_hash IS NOT NULL) AS committed`,
  );
  const top = Number(whole?.top ?? 0);
  const began = whole?.began == null ? null : new Date(Number(whole.began));
  // From this id on every event has a hash of its facts.
  const committed = Number(whole?.committed ?? Number.POSITIVE_INFINITY);
  const digest = createHash("sha256");
  const report = { lines: 0, erased: 0, chains: 0, verified: 0, older: 0, digest: "", faults: 0 };
  const wrong = (kind: Kind | null, id: number | null, fault: Fault) => {
    report.faults += 1;
    tell(kind, id, fault);
  };

  for (const kind of KINDS) {
    const lines = new Walk((last: CheckedEvent | null) => eventsAfter(execute, kind, last, top));
    const records = new Walk((last: AnyRecord | null) => recordsAfter(execute, kind, last));
    await Promise.all([lines.next(), records.next()]);
    while (lines.at || records.at) {
      const id = Math.min(lines.at?.recordId ?? Number.POSITIVE_INFINITY, records.at?.id ?? Number.POSITIVE_INFINITY);
      const check = new ChainCheck();
      let count = 0;
      while (lines.at?.recordId === id) {
        const event = lines.at;
        check.add(event, event.id > committed);
        count += 1;
        if (isOlder(event)) digest.update(`${JSON.stringify({ ...event, userId: null, salt: null, facts: null })}\n`);
        await lines.next();
      }
      const record = records.at?.id === id ? records.at : null;
      if (record) await records.next();
      if (count > 0) {
        report.chains += 1;
        report.lines += count;
        report.erased += check.erased;
        digest.update(`${kind.name} ${id} ${count} ${check.last}\n`);
      }
      if (record?.verified) {
        report.verified += 1;
        if (predatesLog(record, count, began)) report.older += 1;
        // No event has the record's owner, an erased one no verifier, and a record older than the log has no event.
        const { userId, verifiedBy, verifiedAt } = record;
        digest.update(`${JSON.stringify([kind.name, id, userId, recordHash(kind, record), verifiedBy, verifiedAt])}\n`);
      }
      if (check.end(kind, record, began).length === 0) continue;
      for (const fault of await recheck(execute, kind, id, began, committed)) wrong(kind, id, fault);
    }
  }
  // Ids have no gaps, even after a refused batch, so the highest one is the number of events.
  const written = Math.max(top, Number(whole?.written ?? 0));
  if (report.lines !== written) {
    wrong(null, null, {
      line: null,
      text: `${countedPlain(written, "event")} ${written === 1 ? "was" : "were"} written, but the log has ${report.lines}`,
    });
  }
  return { ...report, digest: digest.digest("hex") };
}

/**
 * The faults of one record and its log, read consistently: the record is the same before and after reading its log. If it
 * changes during every attempt, that is reported as a fault.
 */
async function recheck(
  execute: Execute,
  kind: Kind,
  id: number,
  began: Date | null,
  committed: number,
): Promise<Fault[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const before = await recordById(execute, kind, id);
    const check = new ChainCheck();
    for (const event of await eventsOf(execute, kind, id)) check.add(event, event.id > committed);
    if (JSON.stringify(before) === JSON.stringify(await recordById(execute, kind, id))) {
      return check.end(kind, before, began);
    }
  }
  return [{ line: null, text: "it changed during every attempt, so check it again" }];
}
