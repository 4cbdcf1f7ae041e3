import { beforeEach, expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { ask, emailedBy, freshEmail, mailedTo } from "#tests/worker/request-emails.ts";

/*
 * The limit on emails to a supervisor about one record. A day passes by moving the stored rows into the past. Catches a
 * check before the write (all parallel requests would pass).
 */

// A long timeout, so that a busy machine does not change the outcome.
const app = await startMailApp({ MAIL_TIMEOUT_MS: "25000" });
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

for (const [what, kind, add] of [
  ["an entry", "verify-request", (ada: Technician) => ada.addEntry()],
  ["rope hours", "verify-request-rope", (ada: Technician) => ada.addRopeHours()],
] as const) {
  test(`ten requests for ${what} to one supervisor send one email in 24 hours, and each returns the link`, async () => {
    const ada = await app.register();
    const [{ id }, email] = [await add(ada), freshEmail()];
    const supervisor = await ada.addSupervisor({ email });
    const emailed = [];
    for (let n = 0; n < 10; n += 1) {
      emailed.push(emailedBy(await ask(ada, id, supervisor.id, kind)));
      await app.idle();
    }
    expect(await mailedTo(app, email)).toBe(1);
    expect(emailed).toEqual([true, ...Array<boolean>(9).fill(false)]);
    await app.nextDay(DAY - 60_000);
    expect(emailedBy(await ask(ada, id, supervisor.id, kind))).toBe(false);
    await app.nextDay(60_000);
    expect(emailedBy(await ask(ada, id, supervisor.id, kind))).toBe(true);
    expect(await mailedTo(app, email)).toBe(2);
  });

  test(`after an edit of ${what} another email is allowed at once, also after a withdrawal`, async () => {
    const ada = await app.register();
    const [{ id }, email] = [await add(ada), freshEmail()];
    const supervisor = await ada.addSupervisor({ email });
    const record = `/api/${kind === "verify-request" ? "entries" : "rope-hours"}/${id}`;
    const send = async () => emailedBy(await ask(ada, id, supervisor.id, kind));
    expect([await send(), await send()]).toEqual([true, false]);
    await app.idle();
    await ada.json("PATCH", record, { hours: 9 });
    expect([await send(), await send()]).toEqual([true, false]);
    await app.idle();
    // A withdrawal alone does not allow another email; an edit does, with or without an open link.
    await ada.json("DELETE", `/api/${kind}/${id}`);
    expect(await send()).toBe(false);
    await ada.json("DELETE", `/api/${kind}/${id}`);
    await ada.json("PATCH", record, { hours: 7 });
    expect(await send()).toBe(true);
    expect(await mailedTo(app, email)).toBe(3);
  });
}

test("20 concurrent requests for one record send one email, and one response says so", async () => {
  const ada = await app.register();
  const [{ id }, email] = [await ada.addEntry(), freshEmail()];
  const supervisor = await ada.addSupervisor({ email });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(ada, id, supervisor.id)));
  await app.sweep(); // on a busy machine the first try can fail after ten seconds
  expect(await mailedTo(app, email)).toBe(1);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(1);
});

test("a failed email does not count for its record; a retried one counts once", async () => {
  const ada = await app.register();
  const [{ id }, email] = [await ada.addEntry(), freshEmail()];
  const supervisor = await ada.addSupervisor({ email });
  mailChannels.behave({ status: 400 });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  const [last] = await rows(app.db, "SELECT subject FROM attempts ORDER BY id DESC LIMIT 1");
  await app.idle();
  mailChannels.behave({ status: 503 });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  await app.idle();
  await app.sweep();
  mailChannels.behave("send");
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
  await app.sweep();
  const counted = await count(app.db, "attempts", "subject = ?", last?.subject);
  expect([await mailedTo(app, email), counted]).toEqual([1, 1]);
});

test("a repeated request with the same key has the same response", async () => {
  const ada = await app.register();
  const [{ id }, supervisor] = [await ada.addEntry(), await ada.addSupervisor({ email: freshEmail() })];
  const send = () =>
    ada.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id }, { "Idempotency-Key": "k" });
  const answers = [await send(), await send()];
  expect(answers.map(emailedBy)).toEqual([true, true]);
  expect(answers.map(({ trips }) => trips)).toEqual([2, 1]);
  expect(answers[1]?.json()).toEqual(answers[0]?.json());
});
