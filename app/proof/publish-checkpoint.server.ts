import { sql } from "drizzle-orm";
import { CompactRange } from "#app/audit-log/compact-range.server.ts";
import { type CheckpointRow, checkpoints, growTree, storedTree } from "#app/audit-log/grow-tree.server.ts";
import { batch, type Db, insertSelect } from "#app/db/client.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { type ListedKey, originOf, signedCheckpoint } from "./checkpoint-note.ts";
import { readSigningKey } from "./signing-key.ts";
import { isNamedByKey, noteKeyUse, signerOf, signingKeys, storedKeys } from "./signing-keys.server.ts";

interface LogKey {
  /** SIGNING_KEY, unchecked. */
  signingKey: string | null;
  /** The host of the app, which with the log's own id is its name in checkpoints. */
  logOrigin: string;
}

/**
 * Runs the timer's work for checkpoints: once a day, by UTC, it appends the new events to the tree and signs its head.
 * Without a signing key it does nothing. If two timers run at once, one signs. The next run finishes what one run does
 * not.
 */
export async function publishCheckpoint(db: Db, now: Date, key: LogKey): Promise<void> {
  // A malformed key is reported at the start and by each export, not each minute.
  if (!key.signingKey || !readSigningKey(key.signingKey)) return;
  const { tree, stored, last, newest } = await batch(db, {
    tree: storedTree(db),
    stored: storedKeys(db),
    last: lastPublished(db),
    newest: db.select({ id: sql<number | null>`max(${verificationLog.id})` }).from(verificationLog),
  });
  if (!tree[0] || !isDue(last[0], newest[0]?.id ?? 0, now)) return;
  const signer = await signerOf(key);
  const grown = signer && (await growTree(db, tree[0]));
  if (!grown) return;
  const { size } = grown;
  const root = grown.root();
  const origin = originOf(key.logOrigin, tree[0].log);
  const isKnown = stored.some(({ kid }) => kid === signer.kid);
  const keys = isKnown ? stored : [...stored, { kid: signer.kid, x: signer.x, addedAt: now }];
  const note = await signedCheckpoint({ origin, size, root, at: now.getTime(), keys: listedKeys(keys) }, signer);
  const listed = JSON.stringify(keys.map(({ kid, addedAt }) => ({ kid, at: addedAt.getTime() })));
  await batch(db, {
    keyUse: noteKeyUse({ db, now }, signer),
    published: insertSelect(
      db,
      checkpoints,
      { size, root, at: now, note },
      // A key that was added meanwhile is in the next one: this one would contradict its date.
      sql`FROM log_tree WHERE only = 1 AND size = ${size}
        AND NOT EXISTS (SELECT 1 FROM ${signingKeys} WHERE NOT EXISTS (SELECT 1 FROM json_each(${listed})
          WHERE value ->> 'kid' = kid AND value ->> 'at' = added_at))
        AND NOT EXISTS (SELECT 1 FROM ${checkpoints} WHERE id > ${last[0]?.id ?? 0})`,
    ),
  });
}

/** The keys of the list that is published, as a checkpoint has them. */
function listedKeys(keys: readonly { kid: string; x: string; addedAt: Date }[]): ListedKey[] {
  return keys.filter(isNamedByKey).map(({ kid, addedAt }) => ({ kid, addedAt: addedAt.getTime() }));
}

/**
 * Whether the last checkpoint is of another day, also of a later one by a clock that was ahead; or of an empty log, which has
 * an event by now.
 */
function isDue(last: CheckpointRow | undefined, newestEvent: number, now: Date): boolean {
  return !last || dayOf(last.at) !== dayOf(now) || (last.size === 0 && newestEvent > 0);
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

function lastPublished(db: Db) {
  return db.select().from(checkpoints).where(sql`id = (SELECT max(id) FROM ${checkpoints})`);
}

/**
 * The last checkpoint as a signed note. Before the first one, which follows within a minute, it is that of an empty tree; null
 * if there is no key to sign it.
 */
export async function currentCheckpoint(db: Db, now: Date, key: LogKey): Promise<string | null> {
  const { last, tree, stored } = await batch(db, {
    last: lastPublished(db),
    tree: storedTree(db),
    stored: storedKeys(db),
  });
  if (last[0]) return last[0].note;
  const signer = await signerOf(key);
  if (!signer || !tree[0]) return null;
  const origin = originOf(key.logOrigin, tree[0].log);
  const head = { origin, size: 0, root: new CompactRange().root(), at: now.getTime(), keys: listedKeys(stored) };
  return signedCheckpoint(head, signer);
}
