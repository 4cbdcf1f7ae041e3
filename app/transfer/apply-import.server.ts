import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { databaseMessage, inChunks } from "#app/db/client.server.ts";
import { commit, isAccountFull, retryOnConflict, withoutLimit } from "#app/db/commit.server.ts";
import { AccountFullError, rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { importSubmission, isOfImport } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { contentRow, filledRow, recordsBytes } from "#app/records/content.server.ts";
import { records as recordsTable } from "#app/records/records.table.ts";
import { duplicatesIn, hasRoomFor, insertStatement, isDuplicate, RecordsFullError } from "#app/records/save.server.ts";
import { requireRoom } from "#app/server/database-limit.server.ts";
import { type FormChange, NOTHING_READY } from "./import-form.ts";
import { type ImportView, viewOf } from "./import-view.server.ts";
import { checkedChange, storeChange } from "./open-import.server.ts";
import { type ChosenRecord, chosenRecords, doubtfulIn, readImport } from "./preview.ts";
import type { ImportRecord } from "./read-row.ts";
import { doubtfulOf, importBytes, imports, readStored, requireImport } from "./stored-import.server.ts";

/** How many records an import created, and how many records and rows with errors it left out. */
interface Applied {
  created: number;
  skipped: number;
}

/** The database's error if the records of an import are more than the account holds. */
const NO_ROOM = "CHECK constraint failed: created >= 0";

/**
 * Saves the records of an import, all or none and once: applied again, it returns what the first time did. A record that
 * came into the log since the preview is left out too. `choose` is what the form of the preview changes: it
 * is imported as it is sent, or stored if the import is refused.
 * @throws {AppError} 404 for an import that is not the user's; 409 if its columns, its person or what is not certain
 *   are not chosen, if its records are more than an account holds, or if a form would save none: its upload would be gone
 */
export async function applyImport(
  context: AppLoadContext,
  id: number,
  choose?: (view: ImportView) => FormChange,
): Promise<Applied> {
  const { db, now } = context;
  return retryOnConflict(context, "apply_import", async () => {
    const { user, account, row, size, held } = await requireImport(context, id);
    if (row.created !== null && row.skipped !== null) return { created: row.created, skipped: row.skipped };
    requireRoom(context, size, "imports");
    const stored = await readStored(row);
    const { keep, skip, ...sent } = choose?.(viewOf(context, row, stored)) ?? {};
    const change = checkedChange(row, sent);
    const isReadAgain = Object.keys(change).length > 0;
    /** Stores what the form changed, so that the preview has it when it comes back with this refusal. */
    const refused = async (error: AppError) => {
      if (choose) await storeChange(context, withoutLimit(account), row, stored, { ...change, skip });
      return error;
    };
    if (change.encoding !== undefined || change.sheet !== undefined) {
      const message = "Another sheet or encoding was chosen. Check how its rows are read, then import them.";
      throw await refused(new AppError("import_incomplete", message));
    }
    const reading = isReadAgain ? readImport(row.kind, stored.source, { ...stored.choice, ...change }) : stored;
    if (!reading.isReadable) {
      const message = reading.problems[0]?.message ?? "Choose what the columns mean first.";
      throw await refused(new AppError("import_incomplete", message));
    }
    const { kind, records, wrong } = reading;
    // The insert finds the duplicates among rows that are read again: those of before were found for the rows as they
    // were read then.
    const chosen = isReadAgain
      ? keptRecords(records, doubtfulIn(reading, duplicatesIn(kind, records)), new Set(keep))
      : chosenRecords(records, doubtfulOf(row, stored), skip === undefined ? row.skip : skip);
    if (choose && chosen.length === 0) throw await refused(new AppError("import_incomplete", NOTHING_READY));
    const all = records.length + wrong;
    // A file with a column for the level worked as states it in every row, also by an empty cell.
    const isTold = kind.details.some(({ name, isFilled }) => isFilled && reading.choice.mapping.includes(name));
    const list = chosen.map(({ values, again }) => ({
      ...(isTold
        ? contentRow(kind, values)
        : { ...filledRow(kind, values, held), sent: contentRow(kind, values).fields }),
      ...(again && { again }),
    }));
    const created = sql`(SELECT count(*) FROM ${recordsTable} WHERE user_id = ${user.id} AND ${isOfImport(id)})`;
    const update = db
      .update(imports)
      .set({
        appliedAt: now,
        // If there are too many records by now: -1, which the table refuses, and the whole batch with it.
        created: sql`iif(${hasRoomFor(account, kind, 0)}, ${created}, -1)`,
        skipped: sql`${all} - ${created}`,
        // Nothing reads these of an import that was applied, and its row is kept for 90 days.
        content: "",
        encoding: null,
        sheet: null,
        methods: {},
        person: null,
        timeZone: null,
        skip: null,
        duplicates: "",
        days: {},
      })
      .where(eq(imports.id, id))
      .returning({ created: imports.created, skipped: imports.skipped });
    storing(update, user.id, rowBytes(row.mapping, {}, {}) - importBytes(row));
    const { applied } = await commit(db, [account], {
      saved: Object.fromEntries(
        inChunks(list).map((chunk, part) => [
          `part${part}`,
          storing(
            insertStatement(db, user.id, kind, chunk, {
              submission: importSubmission(id, part),
              now,
              where: sql`(value ->> 'again' OR NOT (${isDuplicate(kind, user.id, chunk)}))`,
            }),
            user.id,
            recordsBytes(chunk),
          ),
        ]),
      ),
      applied: update,
    }).catch(async (error) => {
      if (isAccountFull(error)) throw await refused(new AccountFullError());
      throw databaseMessage(error)?.includes(NO_ROOM) ? await refused(new RecordsFullError(kind, account)) : error;
    });
    const [counts] = applied;
    return { created: counts?.created ?? 0, skipped: counts?.skipped ?? 0 };
  });
}

/** The records that are not doubtful, and those of the rows that are imported all the same. */
function keptRecords(
  records: readonly ImportRecord[],
  doubtful: ReadonlySet<number>,
  keep: ReadonlySet<number>,
): ChosenRecord[] {
  return records.flatMap(({ row, values }, index) => {
    const again = keep.has(row);
    return doubtful.has(index) && !again ? [] : [{ values, again }];
  });
}
