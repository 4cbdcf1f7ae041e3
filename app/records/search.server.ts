import { and, asc, desc, or, type SQL, sql } from "drizzle-orm";
import type { Db, Query } from "#app/db/client.server.ts";
import { METHODS } from "#app/db/enumerations.ts";
import { searchText } from "#app/plain-text.ts";
import { othersTurn } from "#app/server/others-turn.ts";
import { methodLabel, methodName } from "./entry/methods.ts";
import { choiceLabel, type Kind } from "./kind.ts";
import { records } from "./records.table.ts";

/*
 * The search of records. No index helps it, so it looks through the search text of each record, and the texts of the largest
 * account take a database a second. So a statement looks through a limited number of bytes, and the next ones go on where it
 * ended, each in a round trip of its own, between which other requests have their turn. An account of ordinary size needs one.
 */

/** How many bytes of search texts the statements of one round trip look through together: some 100 ms. */
const STEP_BYTES = 16_000_000;

/** The bytes counted for a record without a text. */
const ROW_BYTES = 100;

/** The choices of each column that has some, as they are searched. */
function choicesOf({
  fields,
  details,
}: Kind): [column: string, choices: (readonly [value: string, words: string])[]][] {
  const ofDetails = details
    .filter(({ isFilled }) => !isFilled)
    .map((detail) => ({ ...detail, type: "choice" }) as const);
  return [...fields, ...ofDetails].flatMap(({ type, stored, choices = [] }) => {
    if (!stored || stored === "fields") return [];
    const words = (value: string) => [value, searchText(choiceLabel(value))] as const;
    if (type === "method")
      return [
        ["method", METHODS.map((one) => [one, searchText(one, methodLabel(one), methodName(one) ?? null)] as const)],
      ];
    return choices.length > 0 ? [[records[stored].name, choices.map(words)]] : [];
  });
}

/**
 * The condition that a text is in a record of a kind: in its search text, or in what it has by choice in a column, such as its
 * method. Not LIKE, in which `%` and `_` are wildcards and long patterns are errors.
 */
export function contains(kind: Kind, text: string): SQL {
  const part = searchText(text);
  const chosen = choicesOf(kind).flatMap(([column, choices]) => {
    const found = choices.filter(([, words]) => words.includes(part)).map(([value]) => value);
    return found.length > 0 ? [sql`${sql.identifier(column)} IN ${found}`] : [];
  });
  return sql`(${or(sql`instr(records.search, ${part}) > 0`, ...chosen)})`;
}

/** Which records are looked through, and in which order. */
interface Scan {
  where: SQL | undefined;
  by: "date" | "end_date" | "id";
  isAscending?: boolean;
  /** How many statements a round trip has that look through records. */
  of?: number;
}

/** The first record that a step leaves out, with which the next begins. */
export interface Rest {
  day: string;
  id: number;
}

function positionOf({ by }: Scan): SQL {
  return by === "id" ? sql`id` : sql`(${sql.identifier(by)}, id)`;
}

function restOf({ where, by, isAscending = false, of = 1 }: Scan, from: Rest | undefined): SQL {
  const order = isAscending ? asc : desc;
  const columns = by === "id" ? [sql`id`] : [sql`${sql.identifier(by)}`, sql`id`];
  const ordered = sql.join(columns.map(order), sql`, `);
  const looked = sql`FROM ${records} WHERE ${and(where, isFrom({ where, by, isAscending }, from))}`;
  const bytes = sql`octet_length(search) + ${ROW_BYTES}`;
  const most = STEP_BYTES / of;
  // The running sum reads each record three times, so it is made only if these have more than a step. It ends with the first result.
  const all = sql`(SELECT total(${bytes}) FROM (SELECT search ${looked} ORDER BY ${ordered} LIMIT ${1 + most / ROW_BYTES}))`;
  return sql`(SELECT ${sql.identifier(by)} AS day, id FROM ${records}
    WHERE id = iif(${all} > ${most}, (SELECT id FROM (SELECT id, sum(${bytes})
      OVER (ORDER BY ${ordered} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before ${looked} ORDER BY ${ordered})
    WHERE bytes_before > ${most} LIMIT 1), NULL))`;
}

function isFrom(scan: Scan, from: Rest | undefined): SQL | undefined {
  if (!from) return undefined;
  const value = scan.by === "id" ? sql`${from.id}` : sql`(${from.day}, ${from.id})`;
  return sql`${positionOf(scan)} ${sql.raw(scan.isAscending ? ">=" : "<=")} ${value}`;
}

/** The condition that a record is among those of a step. */
function isInStep(scan: Scan, from: Rest | undefined): SQL | undefined {
  const { by, isAscending = false } = scan;
  // Beyond every record, where the step leaves out none.
  const end = isAscending ? [sql`'~'`, sql`${Number.MAX_SAFE_INTEGER}`] : [sql`''`, sql`0`];
  const columns =
    by === "id" ? sql`coalesce(max(id), ${end[1]})` : sql`coalesce(max(day), ${end[0]}), coalesce(max(id), ${end[1]})`;
  const rest = sql`(SELECT ${columns} FROM ${restOf(scan, from)})`;
  return and(isFrom(scan, from), sql`${positionOf(scan)} ${sql.raw(isAscending ? "<" : ">")} ${rest}`);
}

/**
 * The queries of a step of a search: what `read` reads of the records that it looks through, and where the next step begins.
 * Without a text they read all at once. Add `scan.where` in `read`. `readSteps` does the other steps.
 */
export function stepOf<Rows extends Query>(
  db: Db,
  text: SQL | undefined,
  scan: Scan,
  read: (where: SQL | undefined) => Rows,
  from?: Rest,
) {
  const columns = { day: sql<string>`day`.as("day"), id: sql<number>`id`.as("id") };
  return {
    rows: read(text && and(isInStep(scan, from), text)),
    ...(text && { rest: db.select(columns).from(restOf(scan, from)) }),
  };
}

interface Step<Row> {
  rows: Row[];
  rest?: Rest[];
}

/** All rows of a search, step by step until they are enough. `first` is the first step, `next` reads the one that begins at a record. */
export async function readSteps<Row>(
  first: Step<Row>,
  isEnough: (rows: Row[]) => boolean,
  next: (from: Rest) => Promise<Step<Row>>,
): Promise<Row[]> {
  const rows = [...first.rows];
  for (let [from] = first.rest ?? []; from && !isEnough(rows); ) {
    await othersTurn();
    const step = await next(from);
    rows.push(...step.rows);
    [from] = step.rest ?? [];
  }
  return rows;
}
