import { rows } from "#tests/worker/database.ts";

/** D1 returns bytes as a list of numbers. */
type Row = Record<string, string | number | null | number[]>;

/** The contents of a database: its rows by table, and its id counters. */
export type Snapshot = Map<string, Row[]>;

/** Reads the whole database at one instant. */
export async function snapshotOf(db: D1Database): Promise<Snapshot> {
  const names = await tablesOf(db);
  const found = await db.batch<Row>(names.map((table) => db.prepare(`SELECT * FROM "${table}"`)));
  return new Map(names.map((table, index) => [table, found[index]?.results ?? []]));
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
  const { triggers, references } = await schemaOf(db);
  // A set visits what is added to it while it is visited.
  for (const part of changed) for (const { child, parent } of references) if (parent === part) changed.add(child);
  // In the order of the tables: exports are deleted before the users whom they would otherwise outlive.
  const parts = [...before.keys()].filter((table) => changed.has(table) && table !== "sqlite_sequence");
  const counters = before.get("sqlite_sequence") ?? [];
  const insert = (table: string, list: Row[]) => {
    const columns = Object.keys(list[0] ?? {});
    const values = columns.map((column) =>
      list.some((row) => Array.isArray(row[column])) ? `unhex(value ->> '${column}')` : `value ->> '${column}'`,
    );
    return db
      .prepare(`INSERT INTO "${table}" (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`)
      .bind(JSON.stringify(list, (_name, value) => (isBytes(value) ? Buffer.from(value).toString("hex") : value)));
  };
  const switched = triggers.filter(({ table }) => parts.includes(table));
  const filled = parts.map((table) => [table, before.get(table) ?? []] as const);
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = ON"),
    ...switched.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS "${name}"`)),
    ...parts.map((table) => db.prepare(`DELETE FROM "${table}"`)),
    ...filled.flatMap(([table, list]) => (list.length > 0 ? [insert(table, list)] : [])),
    // They come last, because filling the tables moves them.
    db.prepare("DELETE FROM sqlite_sequence"),
    ...(counters.length > 0 ? [insert("sqlite_sequence", counters)] : []),
    ...switched.map(({ sql }) => db.prepare(sql)),
  ]);
}

interface Schema {
  triggers: { name: string; table: string; sql: string }[];
  /** Which tables refer to which others. */
  references: { child: string; parent: string }[];
}

/** What only migrations change of each database. It is read once. */
const schemas = new WeakMap<D1Database, Promise<Schema>>();

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

/** Whether a value of a row is bytes: a list of rows is a list, too. */
function isBytes(value: unknown): value is number[] {
  return Array.isArray(value) && typeof value[0] === "number";
}

/** The names of the tables of each database. They are read once: only migrations change them. */
const tables = new WeakMap<D1Database, Promise<string[]>>();

function tablesOf(db: D1Database): Promise<string[]> {
  const names = tables.get(db) ?? readTables(db);
  tables.set(db, names);
  return names;
}

async function readTables(db: D1Database): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name",
  );
  // The counters come last, because filling the tables moves them.
  const names = found.map(({ name }) => name).filter((name) => name !== "sqlite_sequence");
  return [...names, "sqlite_sequence"];
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
  let known: Set<Row[string]> | undefined; // most comparisons find no difference and do not need it
  const cell = (value: Row[string]) => {
    if (isBytes(value)) return "‹bytes›"; // they are random, and never change
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
