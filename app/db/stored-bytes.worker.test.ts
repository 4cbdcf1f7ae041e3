import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { applyImport, csvOf, sendCsv, upload } from "#tests/worker/imports.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { anEntry, type Technician } from "#tests/worker/people.ts";

/*
 * Each act counts the bytes that it stores, an act above the limit is refused, and the timer counts the rows at night.
 */

const app = await startApp();
const FULL =
  "An account holds at most 40 MB of text, or 2 MB until its email address is confirmed, and this would be more. Nothing was saved. Delete records that you do not need: they stop counting within two days.";

const bytesOf = async ({ user }: Technician, { db } = app) => {
  const [found] = await rows<{ bytes: number }>(db, "SELECT bytes FROM users WHERE id = ?", user.id);
  return found?.bytes ?? 0;
};

const setBytes = ({ user }: Technician, bytes: number, { db } = app) =>
  rows(db, "UPDATE users SET bytes = ? WHERE id = ?", bytes, user.id);

/** Runs the timer on a new day. Returns the bytes of the account. */
async function countedAtNight(technician: Technician): Promise<number> {
  await rows(app.db, "UPDATE users SET bytes_counted_on = '' WHERE id = ?", technician.user.id);
  await app.tick(new Date());
  return bytesOf(technician);
}

const LONG = "𐐀".repeat(500);

test("the bytes that acts count are never fewer than those of the rows, and at most 20 % more", async () => {
  const ada = await app.register();
  const check = async (act: string) => {
    const counted = await bytesOf(ada);
    const stored = await countedAtNight(ada);
    expect([act, counted >= stored, counted <= 1.2 * stored]).toEqual([act, true, true]);
    return stored;
  };
  await ada.addEntries(20);
  const [{ id } = { id: 0 }] = await ada.addEntries(1);
  await check("entries");
  await ada.addRopeHours({ skills: LONG });
  await check("rope hours");
  for (let number = 0; number < 10; number++) {
    const edited = await ada.json("PATCH", `/api/entries/${id}`, { location: `${number} ${LONG}`.slice(0, 190) });
    expect(edited.status).toBe(200);
  }
  await check("edits");
  const token = await ada.requestVerification(id);
  await check("a request");
  const answered = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(answered.status).toBe(200);
  await check("an answer");
  expect((await ada.json("POST", "/api/exports", { form: "ojt" })).status).toBe(201);
  await check("an export");
  const csv = await upload(ada, csvOf(...Array.from({ length: 50 }, (_, row) => `2026-11-20,Rig ${row},MT,1`)));
  await check("an upload");
  const unread = await upload(ada, `a,b,c,d\n${"2026-11-20,Rig,MT,1\n".repeat(500)}`);
  const mapping = { mapping: ["date", "location", "method", "hours"] };
  expect((await ada.json("PATCH", `/api/imports/${unread.id}`, mapping)).status).toBe(200);
  await check("an upload whose columns were chosen");
  expect((await ada.json("DELETE", `/api/imports/${unread.id}`)).status).toBe(200);
  await check("an upload that was discarded");
  const { id: supervisorId } = await ada.addSupervisor({ name: "Ola" });
  const longest = { name: LONG.slice(0, 60), company: LONG.slice(0, 200), phone: "1".repeat(40) };
  expect((await ada.json("PATCH", `/api/supervisors/${supervisorId}`, longest)).status).toBe(200);
  await check("a changed supervisor");
  expect((await applyImport(ada, csv.id)).status).toBe(200);
  const before = await check("an import");
  expect((await ada.json("DELETE", `/api/imports/${csv.id}`)).status).toBe(200);
  await rows(app.db, "DELETE FROM records WHERE deleted_at IS NOT NULL AND user_id = ?", ada.user.id);
  expect(await countedAtNight(ada)).toBeLessThan(before);
});

test("an account of 40 MB saves nothing more and says so, and still deletes, withdraws and closes", async () => {
  const ada = await app.register();
  const [edited, deleted, requested, verified] = (await ada.addEntries(4)).map(({ id }) => id);
  const token = await ada.requestVerification(verified ?? 0);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  const exported = (await ada.json("POST", "/api/exports", { form: "ojt" })).json<{ id: number }>();
  const open = await ada.requestVerification(requested ?? 0);
  await setBytes(ada, 40_000_000);

  const refused = [
    await ada.json("POST", "/api/entries", anEntry()),
    await ada.json("POST", "/api/entries", [anEntry(), anEntry()]),
    await ada.json("PATCH", `/api/entries/${edited}`, { location: "A longer place than before" }),
    await sendCsv(ada, csvOf("2026-11-20,A,MT,1")),
    await ada.json("POST", "/api/exports", { form: "ojt" }),
  ];
  expect(refused.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(
    refused.map(() => [409, { code: "account_full", message: FULL }]),
  );
  const page = await ada.post("/profile/entries", {
    "entries[0].date": "2026-11-20",
    "entries[0].location": "Typed in vain",
    "entries[0].method": "MT",
    "entries[0].hours": "7.5",
  });
  expect([page.status, textOf(page.text).includes(FULL)]).toEqual([409, true]);
  expect(page.text).toContain('value="Typed in vain"');
  expect(await count(app.db, "records", "user_id = ?", ada.user.id)).toBe(4);

  // A supervisor is never refused, and what they store is counted.
  const answer = await app.json("POST", `/api/verify/${open}`, { supervisorName: "Ola Hansen" });
  expect(answer.status).toBe(200);
  expect(await bytesOf(ada)).toBeGreaterThan(40_000_000);
  const done = [
    await ada.json("DELETE", `/api/entries/${deleted}`),
    await ada.json("POST", `/api/entries/${deleted}/restore`),
    await ada.json("DELETE", `/api/exports/${exported.id}`),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("20 concurrent saves store no more than has room", async () => {
  const ada = await app.register();
  await ada.addEntry();
  const one = await bytesOf(ada);
  await setBytes(ada, 40_000_000 - 5 * one);
  const sent = Array.from({ length: 20 }, () => ada.json("POST", "/api/entries", anEntry()));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBe(5);
  expect(await bytesOf(ada)).toBe(40_000_000);
});

test("an account whose address is not confirmed holds 1,000 records of a kind and 2 MB, where mail is on", async () => {
  const mailApp = await startMailApp();
  const bea = await mailApp.register({ isConfirmed: false });
  await setBytes(bea, 2_000_000, mailApp);
  const full = await bea.json("POST", "/api/entries", anEntry());
  expect([full.status, full.json()]).toEqual([409, { code: "account_full", message: FULL }]);
  await setBytes(bea, 0, mailApp);
  const many = await bea.json(
    "POST",
    "/api/entries",
    Array.from({ length: 20 }, () => anEntry()),
  );
  expect(many.status).toBe(201);
  await rows(
    mailApp.db,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 980)
      INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
      SELECT ?, 'entry', '2026-01-01', 'Rig', 'MT', 100, '', 1 FROM numbers`,
    bea.user.id,
  );
  const next = await bea.json("POST", "/api/entries", anEntry());
  expect([next.status, next.json<{ message: string }>().message]).toEqual([
    409,
    expect.stringContaining("at most 1,000 OJT entries until its email address is confirmed"),
  ]);

  // An import whose rows came into the log since its preview needs no room.
  await rows(mailApp.db, "DELETE FROM records WHERE id = (SELECT max(id) FROM records WHERE user_id = ?)", bea.user.id);
  const both = [await upload(bea, csvOf("2026-11-19,Yard,MT,1")), await upload(bea, csvOf("2026-11-19,Yard,MT,1"))];
  const applied = [];
  for (const { id } of both) applied.push((await applyImport(bea, id)).json());
  expect(applied).toEqual([
    { created: 1, skipped: 0 },
    { created: 0, skipped: 1 },
  ]);

  // An import without room stores nothing and counts nothing.
  const { id } = await upload(bea, csvOf("2026-11-20,Rig,MT,1"));
  const before = await bytesOf(bea, mailApp);
  const unapplied = await applyImport(bea, id);
  expect([unapplied.status, unapplied.json()]).toEqual([
    409,
    { code: "account_full", message: expect.stringContaining("at most 1,000 OJT entries") },
  ]);
  expect(await bytesOf(bea, mailApp)).toBe(before);
  await rows(mailApp.db, "UPDATE users SET email_confirmed_at = 1, bytes = 40000000 WHERE id = ?", bea.user.id);
  expect((await applyImport(bea, id)).json()).toEqual({ code: "account_full", message: FULL });
  await setBytes(bea, before, mailApp);
  expect((await applyImport(bea, id)).status).toBe(200);
  expect((await bea.json("POST", "/api/entries", anEntry())).status).toBe(201);
});
