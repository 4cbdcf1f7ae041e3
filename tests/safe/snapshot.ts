import { rows } from "#tests/worker/database.ts";

/** A row: bytes as a text of hexadecimal digits. */
type Row = Record<string, Value>;

type Value = string | number | null;

/** The contents of a database: its rows by table, and its id counters. */
export type Snapshot = Map<string, Row[]>;

/** Reads the whole database at one instant. */
export async function snapshotOf(db: D1Database): Promise<Snapshot> {
  const { tables, reading } = await tablesOf(db);
  // As one text of JSON for each table: D1 takes three times as long for the rows of as many statements.
  const [texts] = await rows<Record<string, string>>(db, reading);
  return new Map(
    [...tables].map(([table, columns]) => {
      const list: Value[][][] = JSON.parse(texts?.[table] ?? "[]");
      return [table, list.map((parts) => rowOf(columns, parts.flat()))];
    }),
  );
}

const rowOf = (columns: Column[], values: Value[]): Row =>
  Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));

/** D1's functions take at most 32 arguments. */
const ARGUMENTS_MAX = 32;

/** The statement that reads all tables as JSON: each row is a list of lists of at most `ARGUMENTS_MAX` values. */
function readingOf(tables: Map<string, Column[]>): string {
  const texts = [...tables].map(([table, columns]) => {
    const values = columns.map(({ name, isBytes }) =>
      isBytes ? `iif("${name}" IS NULL, NULL, lower(hex("${name}")))` : `"${name}"`,
    );
    const parts = Array.from({ length: Math.ceil(values.length / ARGUMENTS_MAX) }, (_, part) =>
      values.slice(part * ARGUMENTS_MAX, (part + 1) * ARGUMENTS_MAX).join(", "),
    );
    const row = parts.map((part) => `json_array(${part})`).join(", ");
    return `(SELECT json_group_array(json_array(${row})) FROM "${table}") AS "${table}"`;
  });
  return `SELECT ${texts.join(", ")}`;
}

/**
 * Restores the database to a snapshot, ids and counters too, with the triggers that would forbid it switched off. Only the tables
 * that have changed are written, and those whose rows would be deleted with theirs: switching a trigger costs more than a request.
 */
export async function restore(db: D1Database, before: Snapshot): Promise<void> {
  const now = await snapshotOf(db);
  const isChanged = (table: string) => JSON.stringify(now.get(table)) !== JSON.stringify(before.get(table));
  const changed = new Set([...before.keys()].filter(isChanged));
  if (changed.size === 0) return;
  const { tables } = await tablesOf(db);
  const { triggers, references } = await schemaOf(db);
  // A set visits what is added to it while it is visited.
  for (const part of changed) for (const { child, parent } of references) if (parent === part) changed.add(child);
  // In the order of the tables: exports are deleted before the users whom they would otherwise outlive.
  const parts = [...before.keys()].filter((table) => changed.has(table) && table !== "sqlite_sequence");
  const insert = (table: string) => {
    const columns = tables.get(table) ?? [];
    const values = columns.map(({ name, isBytes }) => (isBytes ? `unhex(value ->> '${name}')` : `value ->> '${name}'`));
    return db
      .prepare(
        `INSERT INTO "${table}" (${columns.map(({ name }) => name).join(", ")})
          SELECT ${values.join(", ")} FROM json_each(?)`,
      )
      .bind(JSON.stringify(before.get(table)));
  };
  const switched = triggers.filter(({ table }) => parts.includes(table));
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = ON"),
    ...switched.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS "${name}"`)),
    ...parts.map((table) => db.prepare(`DELETE FROM "${table}"`)),
    ...parts.filter((table) => before.get(table)?.length).map(insert),
    // They come last, because filling the tables moves them.
    db.prepare("DELETE FROM sqlite_sequence"),
    insert("sqlite_sequence"),
    ...switched.map(({ sql }) => db.prepare(sql)),
  ]);
}

interface Column {
  name: string;
  isBytes: boolean;
}

/** The parts of each database that only migrations change, read once. */
const [columns, schemas] = [new WeakMap<D1Database, Promise<Tables>>(), new WeakMap<D1Database, Promise<Schema>>()];

interface Tables {
  /** The columns of each table. */
  tables: Map<string, Column[]>;
  /** The statement that reads all tables. */
  reading: string;
}

function tablesOf(db: D1Database): Promise<Tables> {
  const found = columns.get(db) ?? readTables(db);
  columns.set(db, found);
  return found;
}

async function readTables(db: D1Database): Promise<Tables> {
  // The counters come last, because filling the tables moves them. Revisions and bytes count acts: an act that is sent twice counts twice.
  const found = await rows<{ owner: string; name: string; type: string }>(
    db,
    `SELECT owner.name AS owner, info.name, info.type FROM sqlite_master AS owner, pragma_table_info(owner.name) AS info
      WHERE owner.type = 'table' AND owner.name NOT LIKE '\\_%' ESCAPE '\\'
        AND NOT (owner.name = 'users' AND info.name IN ('revision', 'bytes'))
      ORDER BY owner.name = 'sqlite_sequence', owner.name, info.cid`,
  );
  const tables = new Map<string, Column[]>();
  for (const { owner, name, type } of found) {
    tables.set(owner, [...(tables.get(owner) ?? []), { name, isBytes: type === "BLOB" }]);
  }
  return { tables, reading: readingOf(tables) };
}

interface Schema {
  triggers: { name: string; table: string; sql: string }[];
  /** Which tables refer to which others. */
  references: { child: string; parent: string }[];
}

function schemaOf(db: D1Database): Promise<Schema> {
  const schema = schemas.get(db) ?? readSchema(db);
  schemas.set(db, schema);
  return schema;
}

async function readSchema(db: D1Database): Promise<Schema> {
  return {
    triggers: await rows(db, "SELECT name, tbl_name AS 'table', sql FROM sqlite_master WHERE type = 'trigger'"),
    references: await rows(
      db,
      `SELECT child.name AS child, parent."table" AS parent
        FROM sqlite_master AS child, pragma_foreign_key_list(child.name) AS parent
        WHERE child.type = 'table' AND child.name NOT LIKE '\\_%' ESCAPE '\\'`,
    ),
  };
}

/** Random or time-dependent values: tokens, hashes, keys, addresses of clients, instants. */
const RANDOM =
  /^([0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|10(\.\d+){3}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{22}|[\w-]{43}|([\w-]+\.){2}[\w-]{86}|\$scrypt\$.*)$/;

/**
 * Returns the difference of a database to its former state in a comparable form: the rows removed from and added to
 * each table, with `‹new›` for every random value that was not there before. Counted attempts are left out: an attempt
 * counts as soon as it begins, whatever its result (app/server/attempt-limits.server.ts). So are checks of exports.
 */
export function changes(before: Snapshot, after: Snapshot): string[] {
  let known: Set<Value> | undefined; // most comparisons find no difference and do not need it
  const cell = (value: Value) => {
    known ??= new Set([...before.values()].flat().flatMap((row) => Object.values(row)));
    if (known.has(value)) return value;
    if (typeof value === "number" && value > 1.6e12) return "‹new›";
    return typeof value === "string" && RANDOM.test(value) ? "‹new›" : value;
  };
  // The facts of an event are compared value by value, because they contain the client's address.
  const parsed = (row: Row): Row =>
    typeof row.facts === "string" ? { ...row, ...JSON.parse(row.facts), facts: null } : row;
  const write = (row: Row) =>
    JSON.stringify(Object.fromEntries(Object.entries(parsed(row)).map(([name, value]) => [name, cell(value)])));
  const rowsOf = (snapshot: Snapshot, table: string) =>
    (snapshot.get(table) ?? []).filter(({ name }) => table !== "sqlite_sequence" || !UNCOUNTED.includes(String(name)));
  return [...after.keys()].flatMap((table) => {
    if (table === "attempts") return [];
    const textsOf = (snapshot: Snapshot) =>
      rowsOf(snapshot, table).map((row) => [JSON.stringify(uncounted(row)), row] as const);
    const [old, now] = [textsOf(before), textsOf(after)];
    const without = (list: typeof old, others: typeof old) => {
      const texts = new Set(others.map(([text]) => text));
      return list.flatMap(([text, row]) => (texts.has(text) ? [] : [row]));
    };
    const [gone, made] = [without(old, now), without(now, old)];
    return [...gone.map((row) => `- ${table} ${write(row)}`), ...made.map((row) => `+ ${table} ${write(row)}`)].sort();
  });
}

/** Tables whose highest id says nothing: attempts are left out, and the ids of exports are random. */
const UNCOUNTED = ["attempts", "exports"];

/** A row without the number of checks, which a check counts even if its answer is lost. */
function uncounted({ checks: _checks, checked_at: _checkedAt, ...row }: Row): Row {
  return row;
}
