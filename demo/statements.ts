/** A statement and the values that are bound to it. */
export interface Statement {
  sql: string;
  values: (string | number | null)[];
}

/** The statement that inserts one row. */
export function insertRow(table: string, row: Record<string, string | number | null>): Statement {
  const names = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    values: Object.values(row),
  };
}

/** Returns one statement that inserts many rows: D1 allows at most 100 bound values. */
export function insertRows(table: string, list: Record<string, unknown>[]): Statement {
  const names = Object.keys(list[0] ?? { id: 0 });
  const fields = names.map((name) => `value ->> '${name}'`).join(", ");
  return {
    sql: `INSERT INTO ${table} (${names.join(", ")}) SELECT ${fields} FROM json_each(?)`,
    values: [JSON.stringify(list)],
  };
}
