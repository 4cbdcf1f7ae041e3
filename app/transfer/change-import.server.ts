import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { parse } from "#app/server/api.server.ts";
import { targetsOf } from "./columns.ts";
import { type ImportView, viewOf } from "./import-view.server.ts";
import { imports } from "./imports.table.ts";
import { ROWS_MAX } from "./parse-table.ts";
import { type Choice, readImport } from "./preview.ts";
import { DATE_ORDERS } from "./read-date.ts";
import { noteDuplicates, OPEN_MAX, readStored, requireImport } from "./stored-import.server.ts";

/**
 * Stores an uploaded text and returns its preview. Nothing is imported yet. `read` gets the text after the user check.
 * @throws {AppError} 400 for a text that cannot be imported
 */
export async function createImport(
  context: AppLoadContext,
  read: () => Promise<{ kind: Kind; text: string }>,
): Promise<ImportView> {
  const { db, now } = context;
  const { user } = await requireUser(context);
  const { kind, text } = await read();
  const reading = readImport(kind.name, text);
  const newest = sql`id = (SELECT max(id) FROM imports WHERE user_id = ${user.id})`;
  const { stored } = await batch(db, {
    inserted: db
      .insert(imports)
      .values({ userId: user.id, kind: kind.name, content: text, mapping: reading.choice.mapping, createdAt: now }),
    duplicates: noteDuplicates(db, user.id, reading, newest),
    replaced: db.delete(imports).where(
      sql`user_id = ${user.id} AND applied_at IS NULL AND id NOT IN (SELECT id FROM imports
        WHERE user_id = ${user.id} AND applied_at IS NULL ORDER BY id DESC LIMIT ${OPEN_MAX})`,
    ),
    stored: db.select().from(imports).where(newest),
  });
  const [row] = stored;
  if (!row) throw new Error("the import was not stored");
  return viewOf(row, reading);
}

/** What a change may set. `skip` null: all duplicates. A change of the others brings that back. */
export interface Change extends Partial<Choice> {
  skip?: number[] | null;
}

/**
 * Changes the columns, the order of the dates or the skipped rows of an import, and returns the new preview. `fields`
 * reads the change (`Change`), which may depend on the preview before it (null if there is none any more).
 * @throws {AppError} 404 for an import that is not the user's, 400 for an invalid change, 409 for one that was applied
 */
export async function changeImport(
  context: AppLoadContext,
  id: number,
  fields: (view: ImportView | null) => Promise<unknown>,
): Promise<ImportView> {
  const { db } = context;
  return retryOnConflict(async () => {
    const { user, row } = await requireImport(context, id);
    if (row.appliedAt !== null) parse(changeSchema(row.kind, row.mapping.length), await fields(null));
    const before = readStored(row);
    const { skip, ...choice } = parse(changeSchema(row.kind, row.mapping.length), await fields(viewOf(row, before)));
    const changed = { ...before.choice, ...choice };
    const isReadAnew = choice.mapping !== undefined || choice.dateOrder !== undefined;
    const reading = isReadAnew ? readImport(row.kind, row.content, changed) : before;
    const isCurrent = and(eq(imports.id, id), eq(imports.userId, user.id), eq(imports.version, row.version + 1));
    const { stored } = await batch(db, {
      changed: db
        .update(imports)
        .set({
          ...changed,
          skip: skip === undefined ? (isReadAnew ? null : row.skip) : skip,
          version: row.version + 1,
          ...(isReadAnew && { duplicates: "" }),
        })
        .where(
          and(
            eq(imports.id, id),
            eq(imports.userId, user.id),
            eq(imports.version, row.version),
            sql`applied_at IS NULL`,
          ),
        ),
      duplicates: isReadAnew ? noteDuplicates(db, user.id, reading, sql`${isCurrent}`) : {},
      stored: db.select().from(imports).where(isCurrent),
    });
    const [now] = stored;
    return now ? viewOf(now, reading) : null;
  });
}

/** The schema of a change, which depends on the file's columns. */
function changeSchema(kind: string, columns: number) {
  const targets = targetsOf(kind);
  return z.object(
    {
      mapping: z
        .array(z.enum(targets, { error: `A column is one of ${targets.join(", ")}, or null` }).nullable(), {
          error: "mapping must be a list",
        })
        .length(columns, { error: `mapping must have ${columns} items, one for each column` })
        .refine(isEachOnce, { error: "Two columns have the same meaning. Choose one of them." })
        .optional(),
      dateOrder: z.enum(DATE_ORDERS, { error: "dateOrder must be ymd, dmy or mdy" }).optional(),
      skip: z
        .array(z.int({ error: "skip must be a list of row numbers" }).min(1), {
          error: "skip must be a list of row numbers",
        })
        .max(ROWS_MAX)
        .nullable()
        .optional(),
    },
    { error: "An import is changed with mapping, dateOrder and skip" },
  );
}

function isEachOnce(mapping: readonly (string | null)[]): boolean {
  const used = mapping.filter((target) => target !== null);
  return new Set(used).size === used.length;
}
