/** A D1 binding that runs each statement once on the real one and repeats the result. */
export class ReplayedDatabase {
  readonly #real: D1Database;
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(real: D1Database) {
    this.#real = real;
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
    return binding as unknown as D1Database; // the parts that the app uses
  }

  #statement(sql: string, values: unknown[]): D1PreparedStatement {
    return this.#real.prepare(sql).bind(...values);
  }

  #answer(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const answer = this.#answers.get(key) ?? ask();
    this.#answers.set(key, answer);
    return answer;
  }
}
