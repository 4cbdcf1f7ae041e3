import { Walk } from "#app/audit-log/check-rows.server.ts";
import { CompactRange } from "#app/audit-log/compact-range.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import type { Execute } from "#app/db/client.server.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { logOf } from "./checkpoint-note.ts";
import { type Kept, readKept, signatureOf } from "./kept-checkpoint.ts";

/** The rows of one statement, to limit memory. */
const PAGE = 5_000;

interface StoredCheckpoint {
  id: number;
  size: number;
  root: string;
  at: number;
  note: string;
}

interface CheckpointReport {
  /** The stored checkpoints. */
  checkpoints: number;
  /** Those of them whose key is not in the list: it was removed after a leak. */
  withoutKey: number;
  /** What is wrong with them, with the stored tree, and with the dates of events. */
  faults: string[];
  /** What is wrong with the kept checkpoint; null if it matches, or none was given. */
  mismatch: Mismatch | null;
}

/** What is wrong with a kept checkpoint, in the words of the command. */
export interface Mismatch {
  kind: "rewritten" | "shorter" | "signature" | "origin";
  text: string;
}

/** How far the tree over the events has been computed again. It can be stored as JSON, and continued. */
export interface TreeProgress {
  /** The log's id, the last checkpoint and the stored tree when the check began. */
  log: string;
  top: number;
  tree: Tree;
  keys: string[];
  /** The tree over the events so far, the id of the last of them, and that of the last checkpoint it was compared with. */
  computed: Tree;
  lastEvent: number;
  lastCheckpoint: number;
  report: Pick<CheckpointReport, "checkpoints" | "withoutKey" | "faults">;
  dates: SeenDates;
  isDone: boolean;
}

/** A compact range, as it is stored. */
interface Tree {
  size: number;
  roots: string;
}

export async function beginTree(execute: Execute): Promise<TreeProgress> {
  // What is compared is read before the events, so that all events that it is of are read.
  const [top] = await execute(
    `SELECT (SELECT max(id) FROM checkpoints) AS top, lower(hex(id)) AS log, size, roots
      FROM log_tree WHERE only = 1`,
  );
  return {
    log: String(top?.log ?? ""),
    top: Number(top?.top ?? 0),
    tree: { size: Number(top?.size ?? 0), roots: String(top?.roots ?? "") },
    keys: (await execute("SELECT x FROM signing_keys")).map(({ x }) => String(x)),
    computed: { size: 0, roots: "" },
    lastEvent: 0,
    lastCheckpoint: 0,
    report: { checkpoints: 0, withoutKey: 0, faults: [] },
    dates: {
      checkpoint: null,
      newest: null,
      late: { checkpoint: { first: "", count: 0 }, event: { first: "", count: 0 } },
    },
    isDone: false,
  };
}

/** Sees what a kept checkpoint is compared with, while the tree is computed. */
interface Watch {
  /** At each size of the tree. */
  atSize(range: CompactRange): void;
  /** At each stored checkpoint. Returns whether it is the kept one. */
  atCheckpoint(one: StoredCheckpoint, origin: string | null): boolean;
}

/**
 * Continues to compute the tree over the events, in the order of their ids, and to compare it with every stored checkpoint
 * and with the stored tree, until it is done or has read `most` events. Events that are dated long before what came before
 * them are faults too.
 */
export async function checkTree(
  execute: Execute,
  from: TreeProgress,
  most: number,
  watch: Watch | null = null,
): Promise<TreeProgress> {
  const { tree, keys, top } = from;
  const report = { ...from.report, faults: [...from.report.faults] };
  const stored = new Walk((last: StoredCheckpoint | null) =>
    checkpointsAfter(execute, last?.id ?? from.lastCheckpoint, top),
  );
  const events = new Walk((last: LeafEvent | null) => eventsAfter(execute, last?.id ?? from.lastEvent));
  await Promise.all([stored.next(), events.next()]);
  const range = new CompactRange(from.computed.size, from.computed.roots);
  const dates = new Dates(from.dates);
  let { lastEvent, lastCheckpoint } = from;
  for (let read = 0; ; read += 1) {
    const isBegun = read === 0 && from.computed.size > 0; // this size was compared before the check was interrupted
    if (!isBegun) {
      for (; stored.at && stored.at.size <= range.size; await stored.next()) {
        const origin = compareStored(stored.at, range, keys, report);
        lastCheckpoint = stored.at.id;
        if (watch?.atCheckpoint(stored.at, origin)) dates.addCheckpoint(stored.at);
      }
      if (tree.size === range.size && tree.roots !== range.roots)
        report.faults.push(`the stored tree of ${countedPlain(tree.size, "event")} differs from the events`);
      watch?.atSize(range);
    }
    if (!events.at) break;
    if (read >= most) {
      const computed = { size: range.size, roots: range.roots };
      return { ...from, computed, lastEvent, lastCheckpoint, report, dates: dates.seen };
    }
    range.append(events.at.hash);
    dates.addEvent(events.at);
    lastEvent = events.at.id;
    await events.next();
  }
  for (; stored.at; await stored.next()) {
    report.checkpoints += 1;
    report.faults.push(
      `${nameOf(stored.at)} is of ${countedPlain(stored.at.size, "event")}, but the log has ${range.size}`,
    );
  }
  if (tree.size > range.size)
    report.faults.push(`the stored tree has ${countedPlain(tree.size, "event")}, but the log has ${range.size}`);
  report.faults.push(...dates.faults());
  const computed = { size: range.size, roots: range.roots };
  return { ...from, computed, lastEvent, lastCheckpoint, report, dates: dates.seen, isDone: true };
}

/**
 * Computes the tree over the events again and compares it, as `checkTree` does, and with a checkpoint that somebody kept
 * elsewhere. It reads in pages; the app may run meanwhile.
 */
export async function checkCheckpoints(execute: Execute, kept: Kept | null): Promise<CheckpointReport> {
  const begun = await beginTree(execute);
  const origins = new Set<string>();
  let root: string | null = null;
  let isStored = false;
  const { report, computed } = await checkTree(execute, begun, Number.POSITIVE_INFINITY, {
    atSize(range) {
      if (kept?.size === range.size) root = range.root();
    },
    atCheckpoint(one, origin) {
      if (origin !== null) origins.add(origin);
      const isKept = one.size === kept?.size && isRootOf(kept, one.root);
      isStored ||= isKept;
      return isKept;
    },
  });
  if (!kept) return { ...report, mismatch: null };
  const { keys, log } = begun;
  const mismatch = mismatchOf(kept, { computed: root, size: computed.size, keys, origins, log });
  if (!mismatch && !isStored && kept.size > 0) {
    report.faults.push(
      `the kept checkpoint of ${countedPlain(kept.size, "event")} is not stored any more: stored ones were removed, or the database was restored from an older backup`,
    );
  }
  return { ...report, mismatch };
}

/** Returns the origin of a stored checkpoint, or null. */
function compareStored(
  one: StoredCheckpoint,
  range: CompactRange,
  keys: string[],
  report: TreeProgress["report"],
): string | null {
  report.checkpoints += 1;
  const note = readKept(one.note);
  if (!note || note.size !== one.size || note.root !== one.root) {
    report.faults.push(`${nameOf(one)} is not the one that was signed`);
    return null;
  }
  const signature = signatureOf(note, keys);
  if (signature === "unknown") report.withoutKey += 1;
  if (signature === "wrong") report.faults.push(`${nameOf(one)} has a wrong signature`);
  if (one.size !== range.size || one.root !== range.root())
    report.faults.push(
      `${nameOf(one)} differs: its ${countedPlain(one.size, "event")} ${one.size === 1 ? "was" : "were"} changed since`,
    );
  return note.origin;
}

const nameOf = ({ id, at }: StoredCheckpoint) => `checkpoint ${id} of ${dayOf(at)}`;

/** Also of a time that only a change past the app can store. */
const dayOf = (at: number) => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().slice(0, 10) : `${at}`);

interface LeafEvent {
  id: number;
  recordId: number;
  number: number;
  at: number;
  hash: string;
}

/** How much earlier than what came before it an event may be dated: clocks of servers differ, and may be set. */
const TOLERANCE_MS = DAY_MS;

/** What has been seen of dates: the kept checkpoint, and the event with the latest one. */
interface SeenDates {
  checkpoint: StoredCheckpoint | null;
  newest: LeafEvent | null;
  /** The first event of each sort, in words, and how many there are. */
  late: Record<"checkpoint" | "event", { first: string; count: number }>;
}

/**
 * Finds events that were added later than they are dated: more than a day before the kept checkpoint, which does not have
 * them, or before an event with a smaller id. (Other stored checkpoints are not asked: the demo fills in a year while the app
 * publishes some.) An honest event comes after both, unless a clock was ahead by more than a day.
 */
class Dates {
  readonly seen: SeenDates;

  constructor(seen: SeenDates) {
    this.seen = structuredClone(seen);
  }

  addCheckpoint(one: StoredCheckpoint): void {
    if (one.size > 0) this.seen.checkpoint = one;
  }

  addEvent(event: LeafEvent): void {
    const latest = event.at + TOLERANCE_MS;
    const { checkpoint, newest, late } = this.seen;
    if (checkpoint && latest < checkpoint.at) {
      late.checkpoint.first ||= `${eventOf(event)} is dated more than a day before ${nameOf(checkpoint)}, which does not have it`;
      late.checkpoint.count += 1;
    } else if (newest && latest < newest.at) {
      late.event.first ||= `${eventOf(event)} is dated more than a day before ${eventOf(newest)}, which was written earlier`;
      late.event.count += 1;
    }
    if (!newest || event.at > newest.at) this.seen.newest = event;
  }

  /** One fault of each sort. */
  faults(): string[] {
    return Object.values(this.seen.late)
      .filter(({ count }) => count > 0)
      .map(({ first, count }) => (count === 1 ? first : `${first}; ${count - 1} more, too`));
  }
}

const eventOf = ({ number, recordId, at }: LeafEvent) => `event ${number} of record ${recordId} (${dayOf(at)})`;

interface Found {
  /** The root hash at the size of the kept checkpoint; null if there are fewer events. */
  computed: string | null;
  size: number;
  keys: string[];
  /** Of the stored checkpoints. */
  origins: Set<string>;
  /** The log's own id. */
  log: string;
}

function mismatchOf(kept: Kept, { computed, size, keys, origins, log }: Found): Mismatch | null {
  const signature = kept.origin === null ? "valid" : signatureOf(kept, keys);
  // What was rewritten may have no checkpoints any more, or other names in them: so the list of keys is asked too.
  if (signature !== "wrong" && kept.origin !== null && logOf(kept.origin) !== log) {
    return {
      kind: "origin",
      text: `It is a checkpoint of another log, ${kept.origin}: this one has the id ${log}. Another app signed it, or a new database was made since.`,
    };
  }
  if (signature === "unknown" && origins.size > 0 && kept.origin !== null && !origins.has(kept.origin)) {
    const own = [...origins].join(", ");
    return { kind: "origin", text: `It is a checkpoint of another log, ${kept.origin}: this one is ${own}.` };
  }
  if (signature === "wrong") {
    return {
      kind: "signature",
      text: "Its signature is wrong: the text was changed, so it says nothing about this log.",
    };
  }
  if (signature === "unknown") {
    return {
      kind: "signature",
      text: "Its signature is by none of the keys in the list of this app. Compare its size and root hash alone.",
    };
  }
  if (computed === null) {
    return {
      kind: "shorter",
      text: `Events are missing: it is of ${countedPlain(kept.size, "event")}, and the log has ${size}. The database was restored from a backup, or events were removed.`,
    };
  }
  if (isRootOf(kept, computed)) return null;
  return {
    kind: "rewritten",
    text: `The log was rewritten: the root hash of its first ${countedPlain(kept.size, "event")} is ${computed}, and not ${kept.root}. If you typed it, compare it with the paper first.`,
  };
}

/** Whether a kept checkpoint has this root hash: a file has it exactly, other texts its start, as somebody read it on paper. */
function isRootOf(kept: Kept, root: string): boolean {
  return kept.origin === null ? alike(root).startsWith(alike(kept.root)) : root === kept.root;
}

/** The text with one character for those that look alike on paper: `I`, `l` and `1`, `O` and `0`. */
const alike = (root: string) => root.replaceAll(/[Il]/g, "1").replaceAll("O", "0");

async function checkpointsAfter(execute: Execute, last: number, top: number) {
  const found = await execute(
    `SELECT id, size, root, at, note FROM checkpoints WHERE id > ${last} AND id <= ${top} ORDER BY id LIMIT ${PAGE}`,
  );
  return found.map(
    ({ id, size, root, at, note }): StoredCheckpoint => ({
      id: Number(id),
      size: Number(size),
      root: String(root),
      at: Number(at),
      note: String(note),
    }),
  );
}

async function eventsAfter(execute: Execute, id: number) {
  const found = await execute(
    `SELECT id, record_id, number, at, lower(hex(hash)) AS hash FROM verification_log WHERE id > ${id} ORDER BY id LIMIT ${PAGE}`,
  );
  return found.map(
    (row): LeafEvent => ({
      id: Number(row.id),
      recordId: Number(row.record_id),
      number: Number(row.number),
      at: Number(row.at),
      hash: String(row.hash),
    }),
  );
}
