import type { Execute } from "#app/db/client.server.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { plainSql } from "./check-schema.server.ts";

/*
 * Checks what the other checks rely on: that no row is outside of the ids that a walk reads, and that the indexes, by which
 * pages and sums are read, say the same as their tables.
 */

/** How far the check of the tables has come. It can be stored as JSON, and continued. */
export interface TablesProgress {
  /** The table whose indexes are compared next (`EVIDENCE`), from 0, and the last id of it that was compared. */
  table: number;
  after: number | null;
  /** How many entries of an index differ from its table, by the name of the index. */
  differing: Record<string, number>;
  /** The faults of the ids, and at the end those of the indexes. */
  faults: string[];
  isDone: boolean;
}

/** The tables that the check of the log reads, with the column by which each is read in ranges: the first one of its key. */
const EVIDENCE = [
  ["records", "id"],
  ["verification_requests", "id"],
  ["verification_items", "request_id"],
  ["verification_answers", "id"],
  ["verification_log", "id"],
  ["checkpoints", "id"],
] as const;

/** The rows of a table that one statement compares: with 60,000 records it takes about a fifth of a second. */
const RANGE = 10_000;

export async function beginTables(execute: Execute): Promise<TablesProgress> {
  const faults = [...(await idFaults(execute)), ...(await sequenceFaults(execute))];
  return { table: 0, after: null, differing: {}, faults, isDone: false };
}

/** Compares the indexes of one table with its next rows, in one statement each: the app may run meanwhile. */
export async function checkTables(execute: Execute, from: TablesProgress): Promise<TablesProgress> {
  const [table, key] = EVIDENCE[from.table] ?? [];
  if (!table || !key) {
    const faults = Object.entries(from.differing).map(([name, entries]) => indexFault(name, entries));
    return { ...from, faults: [...from.faults, ...faults], isDone: true };
  }
  const [end] = await execute(
    `SELECT count(*) AS rows, max(${key}) AS last FROM (SELECT ${key} FROM ${table} NOT INDEXED
      WHERE ${key} > ${from.after ?? 0} AND ${key} <= ${Number.MAX_SAFE_INTEGER} ORDER BY ${key} LIMIT ${RANGE})`,
  );
  // The first range and the last one are open, for entries with ids that no row has.
  const last = end?.rows === RANGE ? Number(end.last) : null;
  const range = [from.after === null ? [] : `${key} > ${from.after}`, last === null ? [] : `${key} <= ${last}`].flat();
  const indexes = await indexesOf(execute, table);
  const [found = {}] = await execute(
    `SELECT ${indexes.map((index) => `(${differenceOf(index, table, key, range)}) AS ${index.name}`).join(", ")}`,
  );
  const differing = { ...from.differing };
  for (const { name } of indexes) {
    const entries = (differing[name] ?? 0) + Number(found[name]);
    if (entries > 0) differing[name] = entries;
  }
  return { ...from, ...(last === null ? { table: from.table + 1, after: null } : { after: last }), differing };
}

/** The faults of all tables. */
export async function tableFaults(execute: Execute): Promise<string[]> {
  let progress = await beginTables(execute);
  while (!progress.isDone) progress = await checkTables(execute, progress);
  return progress.faults;
}

const indexFault = (name: string, entries: number) =>
  `the index ${name} disagrees with its table in ${countedPlain(entries, "row")}: pages and sums that are read from it are wrong`;

interface Index {
  name: string;
  /** The columns that are in it, joined. An expression is none of them. */
  columns: string;
  /** The condition of a partial index, or null. */
  where: string | null;
}

/** The indexes of a table, as the schema has them. */
async function indexesOf(execute: Execute, table: string): Promise<Index[]> {
  const found = await execute(
    `SELECT made.name, made.sql, group_concat(part.name) AS columns
      FROM sqlite_master AS made, pragma_index_xinfo(made.name) AS part
      WHERE lower(made.type) = 'index' AND made.tbl_name = '${table}' AND part.cid >= 0 GROUP BY made.name`,
  );
  return found.map(({ name, sql, columns }) => ({
    name: String(name),
    columns: String(columns),
    where: plainSql(String(sql)).split(") WHERE ")[1] ?? null,
  }));
}

/** SQL: how many rows are in the index and not in the table, or the other way round, or in one of them more often. */
function differenceOf({ name, columns, where }: Index, table: string, key: string, range: string[]): string {
  const list = [...new Set([...columns.split(","), key])].map((column) => `"${column}"`).join(", ");
  const conditions = [...(where === null ? [] : [where]), ...range].join(" AND ") || "1";
  const read = (by: string, side: number) => `SELECT ${list}, ${side} AS side FROM ${table} ${by} WHERE ${conditions}`;
  return `SELECT count(DISTINCT ${key}) FROM (SELECT ${key} FROM
    (${read(`INDEXED BY ${name}`, 1)} UNION ALL ${read("NOT INDEXED", -1)}) GROUP BY ${list} HAVING sum(side) <> 0)`;
}

/**
 * Finds the tables with ids that the app never gives. JavaScript cannot distinguish those above 2^53, so no walk reads
 * such rows; those below 1 are read.
 */
async function idFaults(execute: Execute): Promise<string[]> {
  const keys = await execute(
    `SELECT made.name AS "table", part.name AS "column" FROM sqlite_master AS made, pragma_table_info(made.name) AS part
      WHERE lower(made.type) = 'table' AND made.name NOT LIKE '\\_%' ESCAPE '\\'
        AND part.type = 'INTEGER' AND (part.pk = 1 OR (made.name = 'verification_log' AND part.name = 'record_id'))`,
  );
  const lists = keys.map(
    ({ table, column }, index) =>
      `(SELECT json_array(count(*), CAST(min(${column}) AS TEXT), CAST(max(${column}) AS TEXT)) FROM ${table}
        WHERE ${column} < 1 OR ${column} > ${Number.MAX_SAFE_INTEGER}) AS key${index}`,
  );
  const [found = {}] = await execute(`SELECT ${lists.join(", ")}`);
  return keys.flatMap(({ table, column }, index) => {
    const [count, lowest, highest]: [number, string, string] = JSON.parse(String(found[`key${index}`]));
    const which = lowest === highest ? lowest : `from ${lowest} to ${highest}`;
    return count === 0
      ? []
      : [`the table ${table} has ${countedPlain(count, "row")} whose ${column} the app never gives: ${which}`];
  });
}

/** Whether the count of all events that were ever written is the id of the last one. */
async function sequenceFaults(execute: Execute): Promise<string[]> {
  const [found] = await execute(
    `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'verification_log'), 0) AS written,
      coalesce((SELECT max(id) FROM verification_log), 0) AS last`,
  );
  if (found?.written === found?.last) return [];
  return [
    `${found?.written} is stored as the id of the last event in sqlite_sequence, but the last one in the log has the id ${found?.last}`,
  ];
}
