import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { anEntry } from "#tests/worker/people.ts";
import { addOpenLink } from "#tests/worker/rows.ts";

/*
 * Many concurrent requests that change one record. In the second app every attempt conflicts: no account has the revision that was read.
 * Catches an operation that is retried for ever or without a pause, and a 500 in place of a 409.
 */

const app = await startApp();
const contended = await startApp({
  sabotage: [["SELECT value ->> 0, value ->> 1, value", "SELECT value ->> 0, -1, value"]],
});
const WORDS = "This account was changed several times at the same moment, so nothing was saved. Please try again.";
const timeout = 300_000;

test("50 concurrent edits of one record all succeed, some after a refusal with a message", { timeout }, async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  await ada.requestVerification(id);
  const made = new Set<string>();
  let left = Array.from({ length: 50 }, (_, number) => `Cursor ${number}`);
  while (left.length > 0) {
    const answers = await Promise.all(left.map((location) => ada.json("PATCH", `/api/entries/${id}`, { location })));
    const refused = left.filter((_, index) => answers[index]?.status !== 200);
    for (const { status, text } of answers) {
      if (status !== 200) expect([status, JSON.parse(text)]).toEqual([409, { code: "conflict", message: WORDS }]);
    }
    for (const location of left) if (!refused.includes(location)) made.add(location);
    // On a busy machine some are refused at first.
    expect(refused.length).toBeLessThan(left.length);
    left = refused;
  }
  expect(made.size).toBe(50);
  const [stored] = await rows(app.db, "SELECT location FROM entries WHERE id = ?", id);
  expect(made).toContain(stored?.location);
});

test("an operation that conflicts at every attempt is refused with a message", { timeout }, async () => {
  const ada = await contended.register();
  const { id } = await ada.addEntry();
  const [supervisor] = await rows<{ id: number }>(
    contended.db,
    `INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, created_at)
      VALUES (?, 'Ola', 'ola@example.org', 'ola@example.org', '1', 'Level II', 'X', 1) RETURNING id`,
    ada.user.id,
  );
  const supervisorId = supervisor?.id;
  const token = await addOpenLink(contended.db, id);
  const shown = (await ada.get(`/api/verify/${token}`)).headers.get("ETag")?.replaceAll('"', "") ?? "";
  const typed = { date: "2026-11-20", location: "Elsewhere", method: "MT", hours: "7.5" };
  const recordHash = (await ada.get(`/profile/record/${id}/edit`)).text.match(/name="shown" value="(\w+)"/)?.[1] ?? "";
  // All at once: each waits for its attempts.
  const withdrawing = ada.post(`/profile/record/${id}/withdraw`, {});
  const pagesSent = Promise.all([
    contended.post(`/verify/${token}`, { supervisorName: "Ola Hansen", shown }),
    ada.post(`/profile/record/${id}/edit`, { ...typed, shown: recordHash }),
    ada.post(`/profile/request/${id}`, { supervisor: String(supervisorId) }),
    ada.post(`/profile/record/${id}/delete`, {}),
  ]);
  const calls = await Promise.all([
    ada.json("PATCH", `/api/entries/${id}`, { location: "Elsewhere" }),
    ada.json("DELETE", `/api/entries/${id}`),
    ada.json("POST", `/api/verify-request/${id}`, { supervisorId }),
    ada.json("DELETE", `/api/verify-request/${id}`),
    contended.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" }),
  ]);
  expect(calls.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(
    calls.map(() => [409, { code: "conflict", message: WORDS }]),
  );
  const pages = await pagesSent;
  expect(pages.map(({ status, text }) => [status, textOf(text).includes(WORDS)])).toEqual(pages.map(() => [409, true]));
  expect(pages[0]?.text).toContain('value="Ola Hansen"');
  const withdrawn = await ada.follow(await withdrawing);
  expect(textOf(withdrawn.text)).toContain(WORDS);
  const [stored] = await rows(contended.db, "SELECT location, verified FROM entries WHERE id = ?", id);
  expect(stored).toEqual({ location: anEntry().location, verified: 0 });
  expect(contended.log.join("")).not.toContain('"level":"error"');
});
