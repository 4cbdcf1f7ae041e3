import type { AppLoadContext } from "@remix-run/cloudflare";
import { desc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { commit, type Guarded, retryOnConflict } from "#app/db/commit.server.ts";
import { METHODS } from "#app/db/enumerations.ts";
import { rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { AppError } from "#app/errors.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import type { Kind } from "#app/records/kind.ts";
import { parse } from "#app/server/api.server.ts";
import { databaseSize, requireRoom } from "#app/server/database-limit.server.ts";
import { type DailyQuota, requireBelowQuota, rowAtQuota } from "#app/server/quotas.server.ts";
import { columnMeanings, isMethod } from "./columns.ts";
import { GUESSED } from "./encodings.ts";
import { keyOf, type MethodValues } from "./file-rows.ts";
import { type ImportView, viewOf } from "./import-view.server.ts";
import { ROWS_MAX } from "./parse-table.ts";
import { type ImportChoices, type Reading, readImport } from "./preview.ts";
import { DATE_ORDERS } from "./read-date.ts";
import { HOURS_UNITS } from "./read-hours.ts";
import { AS_WRITTEN } from "./read-records.ts";
import { chosenUpload, readSource, type SourceChoice, type Upload } from "./source.ts";
import {
  type ImportRow,
  importBytes,
  imports,
  noteBytes,
  noteDuplicates,
  OPEN_MAX,
  readStored,
  requireImport,
} from "./stored-import.server.ts";

/**
 * The daily quota of uploads, imported or not. One that was undone, discarded or replaced (`OPEN_MAX`) does not count:
 * none of its data is stored, and its records count for the account until they are swept.
 */
const UPLOADS_OF_A_DAY: DailyQuota = {
  table: imports,
  at: imports.createdAt,
  max: 100,
  why: `You uploaded 100 files in 24 hours, which is the most. One file can have up to ${ROWS_MAX.toLocaleString("en")} rows.`,
};

/**
 * Stores an upload and returns its preview. Nothing is imported yet.
 * @throws {AppError} 400 for an upload that cannot be imported; 429 after too many uploads in a day; 503 if the database is nearly full
 */
export async function createImport(
  context: AppLoadContext,
  { kind, upload }: { kind: Kind; upload: Upload },
): Promise<ImportView> {
  const { db, now } = context;
  let read: Reading | undefined; // once: a large file takes its time, and depends on nothing that is stored
  return retryOnConflict(context, "make_import", async () => {
    const { user, account, full, size, oldest } = await requireUser(context, (owner, db) => ({
      full: rowAtQuota(db, UPLOADS_OF_A_DAY, owner, now),
      size: databaseSize(db),
      oldest: db
        .select({ id: imports.id, bytes: sql<number>`octet_length(content)`.as("bytes") })
        .from(imports)
        .where(sql`user_id = ${owner} AND applied_at IS NULL`)
        .orderBy(desc(imports.id))
        .limit(UPLOADS_OF_A_DAY.max)
        .offset(OPEN_MAX - 1),
    }));
    requireBelowQuota(context, UPLOADS_OF_A_DAY, full);
    requireRoom(context, size, "imports");
    read ??= readImport(kind.name, await readSource(upload));
    const reading = read;
    const newest = sql`id = (SELECT max(id) FROM imports WHERE user_id = ${user.id})`;
    const { mapping, methods } = reading.choice;
    const { content, encoding } = upload;
    const { sheet } = reading.source;
    const inserted = db
      .insert(imports)
      .values({ userId: user.id, kind: kind.name, content, encoding, sheet, createdAt: now, mapping, methods });
    storing(inserted, user.id, rowBytes(content, encoding, sheet, mapping, methods) + noteBytes(reading));
    const replaced = db.delete(imports).where(
      inArray(
        imports.id,
        oldest.map(({ id }) => id),
      ),
    );
    storing(replaced, user.id, -oldest.reduce((sum, { bytes }) => sum + bytes, 0));
    const { stored } = await commit(db, [account], {
      inserted,
      duplicates: noteDuplicates(db, user.id, reading, newest),
      ...(oldest.length > 0 && { replaced }),
      stored: db.select().from(imports).where(newest),
    });
    return viewOf(context, onlyRow(stored), reading);
  });
}

/**
 * The values that a change may set. `skip` null: all duplicates. A change of the other values resets it to that.
 * Another sheet or encoding comes alone: its columns are other ones.
 */
export interface Change extends Partial<ImportChoices>, SourceChoice {
  skip?: number[] | null;
}

/**
 * Changes how an import is read or which rows are skipped, and returns the new preview. `changeOf` makes the change,
 * which may depend on the preview before it (null if there is none left).
 * @throws {AppError} 404 for an import that is not the user's, 400 for an invalid change, 409 for one that was applied
 */
export async function changeImport(
  context: AppLoadContext,
  id: number,
  changeOf: (row: ImportRow, view: ImportView | null) => Change,
): Promise<ImportView> {
  return retryOnConflict(context, "change_import", async () => {
    const { account, row } = await requireImport(context, id);
    if (row.appliedAt !== null) changeOf(row, null);
    const reading = await readStored(row);
    return storeChange(context, account, row, reading, changeOf(row, viewOf(context, row, reading)));
  });
}

/** Stores a change of an import that was read as `readBefore`, with its account. Returns the new preview. */
export async function storeChange(
  context: AppLoadContext,
  account: Guarded,
  row: ImportRow,
  readBefore: Reading,
  { skip, encoding, sheet, ...choice }: Change,
): Promise<ImportView> {
  const { db } = context;
  const { id, kind } = row;
  const isOther = encoding !== undefined || sheet !== undefined;
  if (isOther && Object.keys(choice).length > 0) {
    throw new AppError(
      "invalid",
      "Send encoding or sheet alone, and the columns after that: another sheet has other ones.",
    );
  }
  const upload = isOther ? chosenUpload(row, { encoding, sheet }) : row;
  const source = isOther ? await readSource(upload) : readBefore.source;
  const changed = isOther ? undefined : { ...readBefore.choice, ...choice };
  const isReadAgain = isOther || Object.keys(choice).length > 0;
  const reading = isReadAgain ? readImport(kind, source, changed) : readBefore;
  if (choice.person && reading.person === null) {
    throw new AppError("invalid", `The column of the people has no “${choice.person.slice(0, 40)}”.`);
  }
  const values = {
    ...(changed ?? reading.choice),
    encoding: upload.encoding,
    sheet: source.sheet,
    skip: skip === undefined || isOther ? (isReadAgain ? null : row.skip) : skip,
    ...(isReadAgain && { duplicates: "" }),
  };
  const update = db.update(imports).set(values).where(eq(imports.id, id));
  // The notes of a new reading replace those of the one before.
  const after = { ...row, ...values, ...(isReadAgain && { days: {} }) };
  storing(update, account.id, importBytes(after) + (isReadAgain ? noteBytes(reading) : 0) - importBytes(row));
  const { stored } = await commit(db, [account], {
    changed: update,
    duplicates: isReadAgain ? noteDuplicates(db, account.id, reading, sql`id = ${id}`) : {},
    stored: db.select().from(imports).where(eq(imports.id, id)),
  });
  return viewOf(context, onlyRow(stored), reading);
}

function onlyRow([row]: ImportRow[]): ImportRow {
  if (!row) throw new Error("the import was not stored");
  return row;
}

/**
 * A change that a form makes, checked as one that is sent.
 * @throws {AppError} 400 for an invalid one
 */
export function checkedChange(row: ImportRow, { methods, ...change }: Change): Change {
  return { ...parseChange(row, change), ...(methods && { methods: limited(methods) }) };
}

/**
 * The change of an import that is sent. A word that is null is unknown again; words that are not sent stay as they are.
 * @throws {AppError} 400 for an invalid one
 */
export function parseChange({ kind, mapping, methods }: ImportRow, sent: unknown): Change {
  const { values, ...change } = parse(changeSchema(kind, mapping.length), sent);
  if (!values?.method) return change;
  const words = new Map<string, MethodValues[string] | null>(Object.entries(methods));
  for (const [word, method] of Object.entries(values.method)) {
    words.set(keyOf(word), parse(methodValue, method));
  }
  const known = [...words].filter((chosen): chosen is [string, MethodValues[string]] => chosen[1] !== null);
  return { ...change, methods: limited(Object.fromEntries(known)) };
}

/** The most words that an import keeps. */
const WORDS_MAX = 500;

function limited(methods: MethodValues): MethodValues {
  if (Object.keys(methods).length > WORDS_MAX) {
    throw new AppError("invalid", `At most ${WORDS_MAX} words can mean a method. Correct the others in your file.`);
  }
  return methods;
}

const METHOD_MESSAGE = `A method is one of ${METHODS.join(", ")}, a list of two different ones, or null`;
const methodCode = z.enum(METHODS, { error: METHOD_MESSAGE });
const methodValue = z
  .union(
    [methodCode, z.tuple([methodCode, methodCode]).refine(([one, other]) => one !== other, { error: METHOD_MESSAGE })],
    {
      error: METHOD_MESSAGE,
    },
  )
  .nullable();

const HOURS_PER_DAY_MESSAGE = "The hours of a day are a number above 0, and 24 at most";
const ZONE_MESSAGE = `timeZone must be the name of a time zone, such as Europe/Oslo, or ${AS_WRITTEN}, or null`;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format() !== "";
  } catch {
    return false;
  }
}

const NOT_ROWS = "skip must be a list of row numbers";

/** The longest name of a person that can be chosen. */
const NAME_MAX = 1_000;

/** The schema of a change, which depends on the file's columns. */
function changeSchema(kind: string, columns: number) {
  const targets = columnMeanings(kindNamed(kind));
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
      hoursUnit: z
        .enum(HOURS_UNITS, { error: `hoursUnit must be one of ${HOURS_UNITS.join(", ")}, or null` })
        .nullish(),
      hoursPerDay: z
        .number({ error: HOURS_PER_DAY_MESSAGE })
        .gt(0, { error: HOURS_PER_DAY_MESSAGE })
        .max(24, { error: HOURS_PER_DAY_MESSAGE })
        .nullish(),
      timeZone: z
        .string({ error: ZONE_MESSAGE })
        .refine((name) => name === AS_WRITTEN || isTimeZone(name), { error: ZONE_MESSAGE })
        .nullish(),
      encoding: z.enum(GUESSED, { error: `encoding must be ${GUESSED.join(", ")}` }).optional(),
      sheet: z.string({ error: "sheet must be a name of the list sheets" }).optional(),
      values: z
        .object(
          // Checked word by word: zod's record leaves out `__proto__`, which a cell can be.
          { method: z.custom<object>(isObject, { error: "values.method must be an object" }).optional() },
          { error: "values must be an object with method" },
        )
        .optional(),
      person: z
        .string({ error: "person must be a name of the file, or null" })
        .trim()
        .min(1, { error: "person must be a name of the file, or null" })
        .max(NAME_MAX, { error: "person must be a name of the file, or null" })
        .nullable()
        .optional(),
      skip: z
        .array(z.int({ error: NOT_ROWS }).min(1, NOT_ROWS), { error: NOT_ROWS })
        .max(ROWS_MAX, `skip has at most ${ROWS_MAX.toLocaleString("en")} rows`)
        .nullable()
        .optional(),
    },
    {
      error:
        "An import is changed with mapping, dateOrder, hoursUnit, hoursPerDay, timeZone, values, person and skip, or with encoding or sheet",
    },
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The hours of a method may be in several columns. */
function isEachOnce(mapping: readonly (string | null)[]): boolean {
  const used = mapping.filter((target) => target !== null && !isMethod(target));
  return new Set(used).size === used.length;
}
