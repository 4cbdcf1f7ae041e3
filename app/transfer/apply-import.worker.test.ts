import { describe, expect, test } from "vitest";
import { childProcesses, processorTime } from "#tests/safe/processor-time.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { applyImport as apply, changeImport as change, csvOf, upload } from "#tests/worker/imports.ts";
import { anEntry, type Technician } from "#tests/worker/people.ts";

/* Applying an import, and undoing it. */

const others = childProcesses();
const app = await startApp();
const workerd = childProcesses().filter((id) => !others.includes(id));

const ROW = "2026-11-20,Mongstad,MT,7.5";

describe("POST /api/imports/{id}/apply", () => {
  test("saves the rows without errors, unverified, in 2 round trips, and returns the same when it is repeated", async () => {
    const kari = await app.register();
    const { id } = await upload(
      kari,
      "Date,Location,Method,Hours,Verified by\n2026-11-20,Mongstad,MT,7.5,Ola\n2026-11-21,Sture,XT,1,Ola",
    );
    const answer = await apply(kari, id);
    expect(answer.trips).toBe(2);
    expect(answer.json()).toEqual({ created: 1, skipped: 1 });
    expect((await apply(kari, id)).json()).toEqual({ created: 1, skipped: 1 });
    const [entry] = (await kari.get("/api/entries")).json<object[]>();
    expect(entry).toMatchObject({ ...anEntry(), verified: false, verifiedBy: null, broughtForward: false });
    const [stored] = await rows(app.db, "SELECT content, created, skipped FROM imports WHERE id = ?", id);
    expect(stored).toEqual({ content: "", created: 1, skipped: 1 });
    expect((await change(kari, id, { skip: [] })).status).toBe(409);
    expect((await kari.get("/profile?q=mongstad")).text).toContain("Mongstad");
  });

  // Seen to fail: a call could leave 400 kB in each applied import, for 90 days and as often as wanted.
  test("keeps nothing of what was uploaded, found and chosen, and still says what it did", async () => {
    const kari = await app.register();
    await kari.addEntry();
    const list = [`Kari,${ROW}`, "Kari,2026-11-21,Sture,XT,1", "Ola,2026-11-21,Sture,MT,1"];
    const { id } = await upload(kari, ["Name,Date,Location,Method,Hours", ...list].join("\n"));
    await change(kari, id, { values: { method: { XT: "PT" } }, person: "Kari" });
    expect((await change(kari, id, { skip: [2] })).json()).toMatchObject({ duplicates: [2], ready: 1 });
    const columns = "SELECT content, methods, person, skip, duplicates, days FROM imports WHERE id = ?";
    const chosen = {
      methods: '{"xt":"PT"}',
      person: "Kari",
      skip: "[2]",
      duplicates: "0,",
      days: '{"2026-11-20":750}',
    };
    expect(await rows(app.db, columns, id)).toMatchObject([chosen]);
    expect((await apply(kari, id)).json()).toEqual({ created: 1, skipped: 1 });
    const empty = { content: "", methods: "{}", person: null, skip: null, duplicates: "", days: "{}" };
    expect(await rows(app.db, columns, id)).toEqual([empty]);
    expect(textOf((await kari.get(`/import/${id}`)).text)).toContain("1 record saved, 1 left out");
    const mapping = ["person", "date", "location", "method", "hours"];
    expect((await change(kari, id, { mapping })).json()).toMatchObject({ code: "already_imported" });
    expect((await apply(kari, id)).json()).toEqual({ created: 1, skipped: 1 });
    expect((await kari.json("DELETE", `/api/imports/${id}`)).json()).toEqual({ removed: 1, kept: 0 });
  });

  test("creates each record once, raced by 50", async () => {
    const kari = await app.register();
    const { id } = await upload(kari, csvOf(ROW, "2026-11-21,Sture,PT,1"));
    const answers = await Promise.all(Array.from({ length: 50 }, () => apply(kari, id)));
    for (const answer of answers) expect(answer.json()).toEqual({ created: 2, skipped: 0 });
    expect(await kari.storedEntries()).toBe(2);
  });

  test("saves the log's longest records, which need several statements", async () => {
    const kari = await app.register();
    const skills = '"'.repeat(3_998); // 1,999 quotation marks, each twice in JSON
    const list = Array.from({ length: 260 }, (_, day) => `2026-01-01,2026-01-02,Rig ${day},"${skills}",8`);
    const view = await upload(kari, ["Start date,End date,Location,Skills,Hours", ...list].join("\n"), "rope_hours");
    expect((await apply(kari, view.id)).json()).toEqual({ created: 260, skipped: 0 });
    const again = await upload(kari, ["Start date,End date,Location,Skills,Hours", ...list].join("\n"), "rope_hours");
    expect(again.duplicates).toHaveLength(260);
    expect((await kari.json("DELETE", `/api/imports/${view.id}`)).json()).toEqual({ removed: 260, kept: 0 });
  });

  /*
   * Seen to fail with `NOT ((…) IN (SELECT …))`, for which SQLite compares each record with every record of the log to
   * distinguish false from NULL: 17 times as long. (In an empty log the first part of a long file did the same to the
   * second.)
   */
  test("takes about as long in a log with 8,000 other records of the same day as in an empty one", async () => {
    const timeIn = async (kari: Technician) => {
      const list = Array.from({ length: 250 }, (_, row) => `2026-11-20,Rig ${row}${",1".repeat(8)}`);
      const file = ["Date,Location,ET,RFT,MT,PT,RT,UTSW,PMI,LSI", ...list].join("\n");
      const { id } = await upload(kari, file);
      const start = processorTime(workerd);
      expect((await apply(kari, id)).json()).toEqual({ created: 2_000, skipped: 0 });
      return processorTime(workerd) - start;
    };
    const [empty, full] = [await app.register(), await app.register()];
    const fill = `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
      SELECT ?, 'entry', '2026-11-20', 'Plant ' || value, 'MT', 100, '', 0 FROM json_each(?)`;
    const numbers = JSON.stringify(Array.from({ length: 8_000 }, (_, index) => index));
    await app.db.prepare(fill).bind(full.user.id, numbers).run();
    await timeIn(await app.register()); // the first one compiles the code
    expect((await timeIn(full)) / (await timeIn(empty))).toBeLessThan(5);
  });

  test("saves 5,000 rows", async () => {
    const kari = await app.register();
    const list = Array.from({ length: 5_000 }, (_, index) => `2026-11-20,Rig ${index},MT,1.5`);
    const { id } = await upload(kari, csvOf(...list));
    expect((await apply(kari, id)).json()).toEqual({ created: 5_000, skipped: 0 });
    expect(await kari.storedEntries()).toBe(5_000);
  }, 60_000);
});

/** Stores requests of 100 records each for all of a technician's, past the app, which takes 5,000 of them a day. */
async function askForAll({ user }: Technician): Promise<void> {
  const token = "printf('%08d-0000-4000-8000-%012d', user_id, (row_number() OVER (ORDER BY id) - 1) / 100)";
  const mine = `FROM records WHERE user_id = ${user.id}`;
  await app.db.batch(
    [
      `INSERT INTO verification_requests (user_id, token, created_at, requested_at, expires_at)
        SELECT DISTINCT user_id, ${token}, 1, 1, ${Date.now() + 86_400_000} ${mine}`,
      `INSERT INTO verification_items (request_id, record_id, position)
        SELECT request.id, asked.id, asked.id FROM (SELECT id, ${token} AS token ${mine}) AS asked
        JOIN verification_requests AS request ON request.token = asked.token`,
      `INSERT INTO verification_log (record_id, number, event, at, record_hash, previous, hash)
        SELECT id, 1, 'requested', 1, randomblob(32), zeroblob(32), randomblob(32) ${mine}`,
    ].map((statement) => app.db.prepare(statement)),
  );
}

test("a record whose job number lost its zeros in a spreadsheet is in the log already", async () => {
  const kari = await app.register();
  await kari.addEntry({ details: { jobNumber: "00123" } });
  const row = (number: string) => `${ROW},${number}`;
  const file = ["Date,Location,Method,Hours,Job number", row("123"), row("000123"), row("1230")].join("\n");
  expect((await upload(kari, file)).duplicates).toEqual([2, 3]);
});

describe("DELETE /api/imports/{id}", () => {
  test("keeps all records if some were edited since, unless the call says that these go, too", async () => {
    const kari = await app.register();
    const { id } = await upload(kari, csvOf(ROW, "2026-11-21,Sture,PT,1", "2026-11-22,Sture,PT,2"));
    await apply(kari, id);
    const [first, second] = (await kari.get("/api/entries")).json<{ id: number }[]>();
    await kari.json("PATCH", `/api/entries/${first?.id}`, { hours: 3 });
    await kari.requestVerification(second?.id ?? 0);
    await kari.json("PATCH", `/api/entries/${second?.id}`, { hours: 4 }); // its event is the end of the request
    const refused = await kari.json("DELETE", `/api/imports/${id}`);
    expect([refused.status, refused.json(), refused.trips]).toEqual([
      409,
      {
        code: "records_edited",
        message:
          "2 records of this import were edited since. Nothing was deleted. Confirm that these edits may be lost, too.",
      },
      1,
    ]);
    expect(await kari.storedEntries()).toBe(3);
    expect((await kari.json("DELETE", `/api/imports/${id}?edited=yes`)).status).toBe(400);
    const path = `/api/imports/${id}?edited=delete`;
    expect((await kari.json("DELETE", path)).json()).toEqual({ removed: 3, kept: 0 });
  });

  test("keeps what a supervisor has verified, and ends the open requests for the others", async () => {
    const kari = await app.register();
    const own = await kari.addEntry({ location: "By hand" });
    const view = await upload(kari, csvOf(...[1, 2, 3, 4, 5].map((day) => `2026-11-0${day},Mongstad,MT,1`)));
    await apply(kari, view.id);
    const entries = (await kari.get("/api/entries?")).json<{ id: number; location: string }[]>();
    const ids = entries.filter(({ location }) => location === "Mongstad").map(({ id }) => id);
    const tokens = await Promise.all(ids.slice(0, 4).map((id) => kari.requestVerification(id)));
    const supervisor = app.as(new Map());
    for (const token of tokens.slice(0, 3)) {
      await supervisor.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
    }
    const answer = await kari.json("DELETE", `/api/imports/${view.id}`);
    expect(answer.json()).toEqual({ removed: 2, kept: 3 });
    expect(answer.trips).toBe(2);
    const left = (await kari.get("/api/entries")).json<{ id: number; verified: boolean }[]>();
    expect(left.filter(({ verified }) => verified)).toHaveLength(3);
    expect(left.some(({ id }) => id === own.id)).toBe(true);
    const ended = await supervisor.get(`/api/verify/${tokens[3]}`);
    expect(ended.status).toBe(404);
    expect(ended.text).toContain("The technician has deleted this record.");
    const log = await rows(
      app.db,
      "SELECT event, cause FROM verification_log WHERE record_id = ? ORDER BY number DESC LIMIT 1",
      ids[3],
    );
    expect(log).toEqual([{ event: "withdrawn", cause: "deleted" }]);
    expect((await kari.json("DELETE", `/api/imports/${view.id}`)).status).toBe(404);
  });

  test("leaves a declined record to be restored as pending, as any other deletion does", async () => {
    const kari = await app.register();
    const view = await upload(kari, csvOf("2026-11-01,Mongstad,MT,1"));
    await apply(kari, view.id);
    const [entry] = (await kari.get("/api/entries")).json<{ id: number }[]>();
    const token = await kari.requestVerification(entry?.id ?? 0);
    const declined = await app.as(new Map()).json("POST", `/api/verify/${token}/decline`, {
      supervisorName: "Ola Hansen",
      reason: "Not mine",
    });
    expect([declined.status, (await kari.get(`/api/entries/${entry?.id}`)).json()]).toMatchObject([
      200,
      { status: "declined" },
    ]);
    await kari.json("DELETE", `/api/imports/${view.id}`);
    const restored = await kari.json("POST", `/api/entries/${entry?.id}/restore`);
    expect([restored.status, restored.json()]).toMatchObject([200, { status: "pending" }]);
  });

  // 200 of them were one bound value of 2.1 MB. Cloudflare's D1 takes 2 MB; the local one takes more, so it was not seen to fail.
  test("removes the longest records, all of which wait", async () => {
    const kari = await app.register();
    const long = (length: number) => "\u{1f9f0}".repeat(length);
    const texts = ["Employer", "Job number", "Sector", "Test object", "Technique", "Procedure", "Equipment"];
    const head = ["Date", "Location", ...texts, "Note", "ET", "RFT", "MT", "PT", "RT", "UTSW", "PMI", "LSI"];
    const row = (n: number) => ["2026-11-20", `${n}${long(198)}`, ...texts.map(() => long(100)), long(1_000)];
    const list = Array.from({ length: 25 }, (_, n) => [...row(n), ...Array(8).fill("1")].join());
    expect(list.join("\n").length).toBeLessThan(1_000_000);
    const { id } = await upload(kari, [head.join(), ...list].join("\n"));
    expect((await apply(kari, id)).json()).toEqual({ created: 200, skipped: 0 });
    await askForAll(kari);
    expect((await kari.json("DELETE", `/api/imports/${id}`)).json()).toEqual({ removed: 200, kept: 0 });
  });

  // Seen to fail: they are more events than an account makes in a day, and each 200 of them were two of D1's 100 bound values.
  test("removes 10,000 records, all of which wait", async () => {
    const kari = await app.register();
    const list = Array.from({ length: 1_250 }, (_, row) => `2026-11-20,Rig ${row}${",1.5".repeat(8)}`);
    const { id } = await upload(kari, ["Date,Location,ET,RFT,MT,PT,RT,UTSW,PMI,LSI", ...list].join("\n"));
    expect((await apply(kari, id)).json()).toEqual({ created: 10_000, skipped: 0 });
    await askForAll(kari);
    expect((await kari.json("DELETE", `/api/imports/${id}`)).json()).toEqual({ removed: 10_000, kept: 0 });
    const ended = `SELECT count(*) AS ended FROM verification_log
      WHERE event = 'withdrawn' AND number = 2 AND record_id IN (SELECT id FROM records WHERE user_id = ?)`;
    expect(await rows(app.db, ended, kari.user.id)).toEqual([{ ended: 10_000 }]);
  }, 60_000);

  test("discards an upload that was not imported", async () => {
    const kari = await app.register();
    const { id } = await upload(kari, csvOf(ROW));
    expect((await kari.json("DELETE", `/api/imports/${id}`)).json()).toEqual({ removed: 0, kept: 0 });
    expect((await apply(kari, id)).status).toBe(404);
  });

  test("while it is being applied leaves nothing behind, or nothing was applied", async () => {
    const kari = await app.register();
    for (let round = 0; round < 10; round++) {
      const { id } = await upload(kari, csvOf(ROW));
      await Promise.all([apply(kari, id), kari.json("DELETE", `/api/imports/${id}`)]);
      await kari.json("DELETE", `/api/imports/${id}`);
      expect(await kari.storedEntries()).toBe(0);
    }
  });
});
