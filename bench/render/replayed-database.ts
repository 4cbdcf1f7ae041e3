/** A D1 binding that asks the real one the first time and gives the same answer ever after. */
export class ReplayedDatabase {
  readonly #real: D1Database;
  readonly #answers = new Map<string, { json: string; value: unknown }>();
  readonly #reads: boolean;

  /** Whether it `reads` each answer from JSON anew, as a request over the network would have to. */
  constructor(real: D1Database, reads: boolean) {
    this.#real = real;
    this.#reads = reads;
  }

  get binding(): D1Database {
    const bound = (sql: string, values: unknown[]): object => ({
      sql,
      values,
      bind: (...given: unknown[]) => bound(sql, given),
      all: () => this.#answer(sql, () => this.#statement(sql, values).all()),
      run: () => this.#answer(sql, () => this.#statement(sql, values).run()),
      first: () => this.#answer(`first ${sql}`, () => this.#statement(sql, values).first()),
      raw: () => this.#answer(`raw ${sql}`, () => this.#statement(sql, values).raw()),
    });
    const binding = {
      prepare: (sql: string) => bound(sql, []),
      batch: (parts: { sql: string; values: unknown[] }[]) =>
        this.#answer(parts.map(({ sql }) => sql).join("; "), () =>
          this.#real.batch(parts.map(({ sql, values }) => this.#statement(sql, values))),
        ),
      withSession: () => binding,
      getBookmark: () => null,
    };
    return binding as unknown as D1Database; // as much of it as the app uses
  }

  #statement(sql: string, values: unknown[]): D1PreparedStatement {
    return this.#real.prepare(sql).bind(...values);
  }

  async #answer(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    let known = this.#answers.get(key);
    if (!known) {
      const value = await ask();
      known = { json: JSON.stringify(value), value };
      this.#answers.set(key, known);
    }
    return this.#reads ? JSON.parse(known.json) : known.value;
  }
}
