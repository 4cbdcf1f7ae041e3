/**
 * A D1 binding of a Worker that stops at its `stopsAt`-th round trip, before or after that takes effect: from then on
 * every call fails.
 */
export function stoppingDatabase(real: D1Database, stopsAt: number, afterwards: boolean) {
  let trips = 0;
  const make = async <T>(trip: () => Promise<T>): Promise<T> => {
    trips += 1;
    if (trips === stopsAt && afterwards) await trip();
    if (trips >= stopsAt) throw new Error("D1_ERROR: the Worker has stopped");
    return trip();
  };
  const wrap = (statement: D1PreparedStatement): Wrapped => ({
    statement,
    bind: (...values) => wrap(statement.bind(...values)),
    run: () => make(() => statement.run()),
    all: () => make(() => statement.all()),
    // The tests' database has no raw(): the same rows, as lists.
    raw: () => make(async () => (await statement.all()).results.map((row) => Object.values(row))),
  });
  const database = {
    prepare: (sql: string) => wrap(real.prepare(sql)),
    batch: (parts: Wrapped[]) => make(() => real.batch(parts.map(({ statement }) => statement))),
  };
  return {
    database: database as unknown as D1Database, // the part of the binding that Drizzle uses
    isDead: () => trips >= stopsAt,
  };
}

interface Wrapped {
  statement: D1PreparedStatement;
  bind(...values: unknown[]): Wrapped;
  run(): Promise<unknown>;
  all(): Promise<unknown>;
  raw(): Promise<unknown>;
}
