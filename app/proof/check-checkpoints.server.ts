import { Walk } from "#app/audit-log/check-rows.server.ts";
import { CompactRange } from "#app/audit-log/compact-range.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import { BEFORE_FIRST, type Execute, idsAfter } from "#app/db/client.server.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { type Head, type ListedKey, logOf } from "./checkpoint-note.ts";
import { type Kept, readKept, signatureOf } from "./kept-checkpoint.ts";
import { isNamedByKey } from "./signing-keys.server.ts";

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
  /** The faults in them, in the stored tree, in the list of keys, and in the ids and dates of events. */
  faults: string[];
  /** The mismatch of the kept checkpoint; null if it matches, or none was given. */
  mismatch: Mismatch | null;
}

/** The mismatch of a kept checkpoint, in the words of the command. */
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
  keys: StoredKey[];
  /** The tree over the events so far, the id of the last of them, and that of the last checkpoint it was compared with. */
  computed: Tree;
  lastEvent: number | null;
  lastCheckpoint: number;
  report: Pick<CheckpointReport, "checkpoints" | "withoutKey" | "faults">;
  order: SeenOrder;
  isDone: boolean;
}

/** A row of the list of keys. */
interface StoredKey extends ListedKey {
  /** The public key, in base64url. */
  x: string;
}

/** A compact range, as it is stored. */
interface Tree {
  size: number;
  roots: string;
}

export async function beginTree(execute: Execute): Promise<TreeProgress> {
  // The rows to compare with are read before the events, so that all the events that they cover are read.
  const [top] = await execute(
    `SELECT (SELECT max(id) FROM checkpoints) AS top, lower(hex(id)) AS log, size, roots
      FROM log_tree WHERE only = 1`,
  );
  const keys = (await execute("SELECT kid, x, added_at FROM signing_keys")).map(
    ({ kid, x, added_at }): StoredKey => ({ kid: String(kid), x: String(x), addedAt: Number(added_at) }),
  );
  const misnamed = keys.filter((key) => !isNamedByKey(key));
  return {
    log: String(top?.log ?? ""),
    top: Number(top?.top ?? 0),
    tree: { size: Number(top?.size ?? 0), roots: String(top?.roots ?? "") },
    keys: keys.filter(isNamedByKey),
    computed: { size: 0, roots: "" },
    lastEvent: null,
    lastCheckpoint: BEFORE_FIRST,
    report: {
      checkpoints: 0,
      withoutKey: 0,
      faults: misnamed.map(({ kid }) => `the key ${kid} is not named by its thumbprint, so it is not published`),
    },
    order: { checkpoint: null, newest: null, wrong: {} },
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
  const events = new Walk((last: LeafEvent | null) => eventsAfter(execute, last?.id ?? from.lastEvent ?? BEFORE_FIRST));
  await Promise.all([stored.next(), events.next()]);
  const range = new CompactRange(from.computed.size, from.computed.roots);
  const order = new Order(from.order);
  let { lastEvent, lastCheckpoint } = from;
  for (let read = 0; ; read += 1) {
    const isBegun = read === 0 && from.computed.size > 0; // this size was compared before the check was interrupted
    if (!isBegun) {
      for (; stored.at && stored.at.size <= range.size; await stored.next()) {
        const origin = compareStored(stored.at, range, keys, report, order);
        lastCheckpoint = stored.at.id;
        if (watch?.atCheckpoint(stored.at, origin)) order.addCheckpoint(stored.at);
      }
      if (tree.size === range.size && tree.roots !== range.roots)
        report.faults.push(`the stored tree of ${countedPlain(tree.size, "event")} differs from the events`);
      watch?.atSize(range);
    }
    if (!events.at) break;
    if (read >= most) {
      const computed = { size: range.size, roots: range.roots };
      return { ...from, computed, lastEvent, lastCheckpoint, report, order: order.seen };
    }
    range.append(events.at.hash);
    order.addEvent(events.at, lastEvent);
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
  report.faults.push(...order.faults());
  const computed = { size: range.size, roots: range.roots };
  return { ...from, computed, lastEvent, lastCheckpoint, report, order: order.seen, isDone: true };
}

/**
 * Computes the tree over the events again and compares it, as `checkTree` does, and with a checkpoint that was kept
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
  const published = keys.map(({ x }) => x);
  if (kept.signed && signatureOf(kept, published) === "valid")
    report.faults.push(...keyFaults("the kept checkpoint", kept.signed, keys));
  const mismatch = mismatchOf(kept, { computed: root, size: computed.size, keys: published, origins, log });
  if (!mismatch && !isStored && kept.size > 0) {
    report.faults.push(
      `the kept checkpoint of ${countedPlain(kept.size, "event")} is no longer stored: stored ones were removed, or the database was restored from an older backup`,
    );
  }
  return { ...report, mismatch };
}

/** Returns the origin of a stored checkpoint, or null. */
function compareStored(
  one: StoredCheckpoint,
  range: CompactRange,
  keys: StoredKey[],
  report: TreeProgress["report"],
  order: Order,
): string | null {
  report.checkpoints += 1;
  const note = readKept(one.note);
  if (!note?.signed || note.size !== one.size || note.root !== one.root || note.signed.at !== one.at) {
    report.faults.push(`${nameOf(one)} is not the one that was signed`);
    return null;
  }
  for (const fault of keyFaults(nameOf(one), note.signed, keys)) order.wrong("key", fault);
  const signature = signatureOf(
    note,
    keys.map(({ x }) => x),
  );
  if (signature === "unknown") report.withoutKey += 1;
  if (signature === "wrong") report.faults.push(`${nameOf(one)} has a wrong signature`);
  if (one.size !== range.size || one.root !== range.root())
    report.faults.push(
      `${nameOf(one)} differs: its ${countedPlain(one.size, "event")} ${one.size === 1 ? "was" : "were"} changed since`,
    );
  return note.origin;
}

/** Compares the stored keys with the list of a checkpoint. A listed key that is not stored was removed after a leak. */
function keyFaults(checkpoint: string, { at, keys }: Pick<Head, "at" | "keys">, stored: StoredKey[]): string[] {
  return stored.flatMap(({ kid, addedAt }) => {
    const listed = keys.find((key) => key.kid === kid);
    if (listed && listed.addedAt !== addedAt)
      return [`the key ${kid} is dated ${timeOf(addedAt)}, and ${timeOf(listed.addedAt)} in ${checkpoint}`];
    return !listed && addedAt + TOLERANCE_MS < at
      ? [`the key ${kid} is dated ${timeOf(addedAt)}, more than a day before ${checkpoint}, which does not have it`]
      : [];
  });
}

const nameOf = ({ id, at }: StoredCheckpoint) => `checkpoint ${id} of ${dayOf(at)}`;

/** Also of a time that only a change past the app can store. */
const timeOf = (at: number) => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at}`);
const dayOf = (at: number) => timeOf(at).replace(/T.*/, "");

interface LeafEvent {
  id: number;
  recordId: number;
  number: number;
  at: number;
  hash: string;
}

/** How much earlier than what came before it an event may be dated: clocks of servers differ, and may be set. */
const TOLERANCE_MS = DAY_MS;

/** The ids and dates seen so far: the kept checkpoint, and the event with the latest date. */
interface SeenOrder {
  checkpoint: StoredCheckpoint | null;
  newest: LeafEvent | null;
  /** The fault of the first event or key of each sort, in words, and how many there are. */
  wrong: Record<string, { first: string; count: number }>;
}

/**
 * Finds events whose ids have a gap before them: the app deletes none. And events that were added later than they are dated: more than a day before the kept checkpoint, which does not have
 * them, or before an event with a smaller id. (Other stored checkpoints are not asked: the demo fills in a year while the app
 * publishes some.) An honest event comes after both, unless a clock was ahead by more than a day.
 */
class Order {
  readonly seen: SeenOrder;

  constructor(seen: SeenOrder) {
    this.seen = structuredClone(seen);
  }

  addCheckpoint(one: StoredCheckpoint): void {
    if (one.size > 0) this.seen.checkpoint = one;
  }

  /** @param previous the id of the event before it, or null */
  addEvent(event: LeafEvent, previous: number | null): void {
    const latest = event.at + TOLERANCE_MS;
    const { checkpoint, newest } = this.seen;
    if (event.id !== (previous ?? 0) + 1)
      this.wrong("id", `${eventOf(event)} has the id ${event.id}, which does not follow ${previous ?? 0}`);
    if (checkpoint && latest < checkpoint.at) {
      this.wrong(
        "checkpoint",
        `${eventOf(event)} is dated more than a day before ${nameOf(checkpoint)}, which does not have it`,
      );
    } else if (newest && latest < newest.at) {
      this.wrong(
        "event",
        `${eventOf(event)} is dated more than a day before ${eventOf(newest)}, which was written earlier`,
      );
    }
    if (!newest || event.at > newest.at) this.seen.newest = event;
  }

  wrong(sort: string, text: string): void {
    const { first, count } = this.seen.wrong[sort] ?? { first: text, count: 0 };
    this.seen.wrong[sort] = { first, count: count + 1 };
  }

  /** One fault of each sort. */
  faults(): string[] {
    return Object.values(this.seen.wrong).map(({ first, count }) =>
      count === 1 ? first : `${first}; ${count - 1} more, too`,
    );
  }
}

const eventOf = ({ number, recordId, at }: LeafEvent) => `event ${number} of record ${recordId} (${dayOf(at)})`;

interface Found {
  /** The root hash at the size of the kept checkpoint; null if there are fewer events. */
  computed: string | null;
  size: number;
  keys: string[];
  /** The origins of the stored checkpoints. */
  origins: Set<string>;
  /** The log's own id. */
  log: string;
}

function mismatchOf(kept: Kept, { computed, size, keys, origins, log }: Found): Mismatch | null {
  const signature = kept.origin === null ? "valid" : signatureOf(kept, keys);
  // A rewritten log may have no checkpoints left, or other names in them: so the list of keys is compared too.
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

/**
 * Whether a kept checkpoint has this root hash: a file has it exactly, other texts its start, as it was read on paper.
 */
function isRootOf(kept: Kept, root: string): boolean {
  return kept.origin === null ? alike(root).startsWith(alike(kept.root)) : root === kept.root;
}

/** The text with one character for those that look alike on paper: `I`, `l` and `1`, `O` and `0`. */
const alike = (root: string) => root.replaceAll(/[Il]/g, "1").replaceAll("O", "0");

async function checkpointsAfter(execute: Execute, last: number, top: number) {
  const found = await execute(
    `SELECT id, size, root, at, note FROM checkpoints WHERE ${idsAfter("id", last)} AND id <= ${top} ORDER BY id LIMIT ${PAGE}`,
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
    `SELECT id, record_id, number, at, lower(hex(hash)) AS hash FROM verification_log WHERE ${idsAfter("id", id)} ORDER BY id LIMIT ${PAGE}`,
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
