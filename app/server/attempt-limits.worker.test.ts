import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { logIn, refused, times, visitor } from "#tests/worker/attempts.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * The rate limits of registration and password reset, each at its exact boundary, and what the attempts' table stores.
 * The limits of logins and links are in login-limits and link-limits.
 */

const app = await startApp();
const MINUTE = 60_000;

test("a network can create sixty accounts an hour and no more", async () => {
  const from = visitor(app);
  const register = (email: string) =>
    from.json("POST", "/api/auth/register", { email, password: PASSWORD, name: "Crew Member" });
  expect((await register("crew-1@example.com")).status).toBe(201);
  const [row] = await rows<{ subject: string; at: number }>(app.db, "SELECT * FROM attempts ORDER BY id DESC LIMIT 1");
  const more = "INSERT INTO attempts (subject, at) SELECT ?, ? FROM json_each(?)";
  const list = (n: number) => JSON.stringify(Array<number>(n).fill(0));
  await app.db.prepare(more).bind(row?.subject, row?.at, list(58)).run();
  expect((await register("crew-60@example.com")).status).toBe(201);
  const answer = await register("crew-61@example.com");
  expect(refused(answer)).toBeGreaterThan(50 * 60);
  expect(await count(app.db, "users", "email = ?", "crew-61@example.com")).toBe(0);
  expect(
    (await visitor(app).json("POST", "/api/auth/register", { email: "crew-61@example.com", password: PASSWORD }))
      .status,
  ).toBe(201);
});

test("an address gets three reset emails an hour; the fourth request has the same answer and sends none", async () => {
  const mailApp = await startMailApp();
  const { user } = await mailApp.register();
  const ask = (email: string) => mailApp.json("POST", "/api/auth/reset-password", { email });
  const answers = await times(4, () => ask(user.email));
  const unknown = await ask("nobody@example.com");
  for (const { status, text, trips } of answers) {
    expect([status, text, trips]).toEqual([unknown.status, unknown.text, unknown.trips]);
  }
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(3);
  await mailApp.db
    .prepare("UPDATE attempts SET at = at - ?")
    .bind(60 * MINUTE)
    .run();
  await ask(user.email);
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(4);
});

test("an address gets ten reset emails a day; the eleventh request has the same answer and sends none", async () => {
  const mailApp = await startMailApp();
  const { user } = await mailApp.register();
  const ask = () => mailApp.json("POST", "/api/auth/reset-password", { email: user.email });
  const answers: Answer[] = [];
  for (let n = 0; n < 14; n += 1) {
    if (n % 3 === 0) await mailApp.nextDay(60 * MINUTE);
    answers.push(await ask());
  }
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]?.text]));
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(10);
  await mailApp.nextDay();
  await ask();
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(11);
});

test("the table of attempts does not reveal its subjects, and it is cleared after a day", async () => {
  const from = visitor(app, "198.51.100.77");
  await logIn(from, "somebody@example.com");
  expect(JSON.stringify(await rows(app.db, "SELECT * FROM attempts"))).not.toMatch(/198\.51|somebody/);
  await app.tick(new Date());
  expect(await count(app.db, "attempts", "1")).toBeGreaterThan(0);
  await app.tick(new Date(Date.now() + 24 * 60 * MINUTE));
  expect(await count(app.db, "attempts", "1")).toBe(0);
});
