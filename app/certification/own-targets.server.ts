import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { targetFromPreset, targetPresetNamed } from "#app/certification/presets/presets.ts";
import { shownTarget } from "#app/certification/target.schema.ts";
import { batch, type Db, insertSelect, type Owner, type Rows } from "#app/db/client.server.ts";
import { isReusedKey, KeyReusedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type NewTarget, targetSchema } from "./target.schema.ts";
import { type Target, targetItems, targets } from "./targets.table.ts";

/** The most targets of a technician. */
export const TARGETS_MAX = 20;

/**
 * Reads the body of `POST /api/targets`: `{preset}`, or a target.
 * @throws {AppError} 400 with a message for each invalid field
 */
export function parseNewTarget(body: unknown, now: Date): NewTarget {
  const isPreset = typeof body === "object" && body !== null && "preset" in body;
  if (!isPreset) return parse(targetSchema(now), body);
  const preset = targetPresetNamed(body.preset);
  if (preset) return targetFromPreset(preset);
  const message = "There is no such preset. GET /api/target-presets lists them.";
  throw new AppError("invalid", message, [{ path: "preset", message }]);
}

/**
 * Saves a new target of a technician, in one round trip. `key` identifies the submission: sent again, it returns the
 * target of the first time.
 * @throws {AppError} 409 if there are too many, and for a call under the key of another target
 */
export async function addTarget(
  db: Db,
  userId: number,
  values: NewTarget,
  { key, now, isApi = false }: { key: string | null; now: Date; isApi?: boolean },
): Promise<Target> {
  const { items, ...fields } = values;
  // A call without a key is a submission of its own: its items find their target by it.
  const submission = submissionOf(key, values) ?? crypto.randomUUID();
  const mine = sql`user_id = ${userId}`;
  const ofSubmission = sql`${mine} AND submission = ${submission}`;
  const isReused = sql`${mine} AND ${isReusedKey({ isApi }, submission)}`;
  const inserted = insertSelect(
    db,
    targets,
    { userId, ...fields, submission, createdAt: now },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${targets} WHERE ${ofSubmission} OR ${isReused})
      AND (SELECT count(*) FROM ${targets} WHERE ${mine}) < ${TARGETS_MAX}`,
  );
  const stored = sql<number>`(SELECT id FROM ${targets} WHERE ${ofSubmission})`;
  const { reused, ...answers } = await batch(db, {
    inserted,
    reused: db.select({ id: targets.id }).from(targets).where(isReused).limit(1),
    insertedItems: insertItems(
      db,
      stored,
      items,
      sql`NOT EXISTS (SELECT 1 FROM ${targetItems} WHERE target_id = ${stored})`,
    ),
    ...targetQueries(db, userId, ofSubmission),
  });
  const [target] = targetsFromRows(answers);
  if (!target && reused[0]) throw new KeyReusedError();
  if (!target)
    throw new AppError("account_full", `You have ${TARGETS_MAX} targets, which is the most. Delete one first.`);
  return target;
}

/** The statement that stores the items of a target, if it still exists and the condition is true. */
function insertItems(db: Db, target: ReturnType<typeof sql<number>>, items: NewTarget["items"], where = sql`1`) {
  return db.insert(targetItems).select(
    sql`SELECT ${target}, key, value ->> 'title', value ->> 'clause', value ->> 'unit', value ->> 'kind',
      value -> 'methods', value ->> 'required', value ->> 'category', value ->> 'part', value ->> 'level',
      value ->> 'withinYears', value ->> 'workedAs', value ->> 'standard'
      FROM json_each(${JSON.stringify(items)}) WHERE ${target} IS NOT NULL AND ${where}`,
  );
}

/**
 * Returns the signed-in technician and one of their targets.
 * @throws {AppError} 404 if there is none with this id, or another technician owns it
 */
export const findTarget = perRequest(async (context: AppLoadContext, id: number) => {
  const { user, ...answers } = await requireUser(context, (owner, db) =>
    targetQueries(db, owner, sql`user_id = ${owner} AND id = ${id}`),
  );
  const [target] = targetsFromRows(answers);
  if (!target) throw notFound();
  return { user, target };
});

function notFound(): AppError {
  return new AppError("not_found", "There is no such target in your list.");
}

/**
 * Applies a partial update, as it was sent, to one of the technician's targets. Items that are sent replace all of them.
 * @throws {AppError} 404 as `findTarget`, then 400 with a message for each invalid field
 */
export async function changeTarget(context: AppLoadContext, id: number, sent: unknown): Promise<Target> {
  const { user, target } = await findTarget(context, id);
  const { items, ...values } = parse(targetSchema(context.now), applyPartialUpdate(shownTarget(target), sent));
  const { db } = context;
  const own = sql`user_id = ${user.id} AND id = ${id}`;
  const stored = sql<number>`(SELECT id FROM ${targets} WHERE ${own})`;
  // Only the changed fields, so that two requests can change different fields at once.
  const changed = Object.entries(values).filter(([name, value]) => target[name as keyof typeof values] !== value);
  const answers = await batch(db, {
    ...(changed.length > 0 && {
      updated: db.update(targets).set(Object.fromEntries(changed)).where(own),
    }),
    ...(JSON.stringify(items) !== JSON.stringify(target.items) && {
      removed: db.delete(targetItems).where(sql`target_id = ${stored}`),
      added: insertItems(db, stored, items),
    }),
    ...targetQueries(db, user.id, own),
  });
  const [saved] = targetsFromRows(answers);
  if (!saved) throw notFound();
  return saved;
}

/**
 * Deletes one of the technician's targets. Their records stay.
 * @throws {AppError} 404 as `findTarget`
 */
export async function deleteTarget(context: AppLoadContext, id: number): Promise<void> {
  const { user } = await requireUser(context);
  const deleted = await context.db
    .delete(targets)
    .where(and(eq(targets.id, id), eq(targets.userId, user.id)))
    .returning({ id: targets.id });
  if (deleted.length === 0) throw notFound();
}

const { userId: _userId, submission: _submission, ...targetColumns } = getTableColumns(targets);

/**
 * The queries of a technician's targets, newest first; `where` restricts them and names the owner too. Read the answers
 * with `targetsFromRows`.
 */
export function targetQueries(db: Db, owner: Owner, where = sql`user_id = ${owner}`) {
  return {
    targets: db.select(targetColumns).from(targets).where(where).orderBy(desc(targets.id)),
    items: db
      .select()
      .from(targetItems)
      .where(sql`target_id IN (SELECT id FROM ${targets} WHERE ${where})`)
      .orderBy(asc(targetItems.targetId), asc(targetItems.position)),
  };
}

/** The targets with their items, from the rows of `targetQueries`. */
export function targetsFromRows({ targets, items }: Rows<ReturnType<typeof targetQueries>>): Target[] {
  return targets.map((target) => ({
    ...target,
    items: items
      .filter(({ targetId }) => targetId === target.id)
      .map(({ targetId: _targetId, position: _position, ...item }) => item),
  }));
}
