import { expect, test } from "vitest";
import { startApp } from "./app.ts";
import { count } from "./database.ts";

/* The behaviour of D1 that the app relies on. In the executable another database implements the same binding. */

const app = await startApp();

const insert = (name: string) =>
  app.db
    .prepare(
      "INSERT INTO users (email, password, name, search, created_at) VALUES (?, '$scrypt$', ?, '', 1) RETURNING id, name",
    )
    .bind(`${name.toLowerCase()}@example.com`, name);

test("a statement reports the rows that it changed, read and wrote, and the id that it created", async () => {
  const made = await insert("Ada").run<{ id: number; name: string }>();
  const [row] = made.results;
  expect(made).toMatchObject({ success: true, results: [{ name: "Ada" }] });
  expect(made.meta).toMatchObject({ changes: 1, last_row_id: row?.id, changed_db: true });
  expect(made.meta.rows_written).toBeGreaterThan(0);
  expect(made.meta.size_after).toBeGreaterThan(4096);
  expect(made.meta.duration).toBeGreaterThanOrEqual(0);

  const none = await app.db.prepare("UPDATE users SET name = 'Eve' WHERE email = 'nobody@example.com'").run();
  expect(none.meta).toMatchObject({ changes: 0, changed_db: false });
  const read = await app.db.prepare("SELECT name FROM users").run();
  expect(read.meta).toMatchObject({ changes: 0, rows_read: 1, rows_written: 0, changed_db: false });
  expect(read.results).toEqual([{ name: "Ada" }]);
});

// Catches a batch that runs its statements separately: the first would stay.
test("a batch is one transaction: if one statement fails, none takes effect, and the error is D1's", async () => {
  await insert("Piet").run();
  await expect(app.db.batch([insert("Olga"), insert("Piet")])).rejects.toThrow(
    /^D1_ERROR: UNIQUE constraint failed: users\.email/,
  );
  expect(await count(app.db, "users", "name = 'Olga'")).toBe(0);
  const [one, two] = await app.db.batch([insert("Olga"), app.db.prepare("SELECT count(*) AS n FROM users")]);
  expect([one?.meta.changes, two?.results]).toEqual([1, [{ n: await count(app.db, "users") }]]);
});

test("foreign keys are enforced in both directions", async () => {
  const [user] = (await insert("Marta").run<{ id: number }>()).results;
  const session = (id: number | undefined) =>
    app.db
      .prepare(`INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('${"0".repeat(64)}', ?, 1, 2)`)
      .bind(id ?? 0);
  await expect(session(999_999).run()).rejects.toThrow(/FOREIGN KEY constraint failed/);
  await session(user?.id).run();
  await app.db
    .prepare("DELETE FROM users WHERE id = ?")
    .bind(user?.id ?? 0)
    .run();
  expect(await count(app.db, "sessions")).toBe(0);
});

test("a statement takes at most a hundred values, and a wrong number of values is an error", async () => {
  const numbers = Array.from({ length: 101 }, (_, i) => i);
  const select = (list: number[]) => app.db.prepare(`SELECT ${list.map(() => "?").join("+")} AS sum`).bind(...list);
  expect((await select(numbers.slice(0, 100)).run()).results).toEqual([{ sum: 4950 }]);
  await expect(select(numbers).run()).rejects.toThrow(/D1_ERROR/);
  await expect(app.db.prepare("SELECT ?, ?").bind(1).run()).rejects.toThrow(/D1_ERROR/);
  await expect(app.db.prepare("SELECT FROM").run()).rejects.toThrow(/D1_ERROR: .*syntax error/);
});
