import { expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { exportHours } from "#tests/worker/exports.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { RecordLog } from "#tests/worker/record-log.ts";

/*
 * A history has 100 events a page, and what a page or a public check reads does not depend on how many edits there are.
 * Catches a page that checks only what it shows: the record would look intact after its verification was altered.
 */

const app = await startMailApp();

const EDITS = 130;
/** As much as a record may have. */
const note = (number: number) => `${number} ${"😀".repeat(990)}`;

const ada = await app.register();
const { id } = await ada.addEntry();
for (let number = 1; number <= EDITS; number++) {
  await ada.json("PATCH", `/api/entries/${id}`, { details: { note: note(number), employer: "😀".repeat(200) } });
}

const callPath = `/api/entries/${id}/verification`;

test("an edit's event stores the fields that changed, and no other", async () => {
  const facts = await rows<{ changes: string }>(
    app.db,
    "SELECT facts -> '$.changes' AS changes FROM event_facts WHERE user_id = ? ORDER BY first_event",
    ada.user.id,
  );
  expect(facts.map(({ changes }) => Object.keys(JSON.parse(changes)))).toEqual([
    ["employer", "workedAs", "note"],
    ...Array.from({ length: EDITS - 1 }, () => ["note"]),
  ]);
});

test("the call lists the newest events, and Link leads to all the others, each once", async () => {
  const numbers: number[] = [];
  for (let path: string | undefined = callPath; path; ) {
    const answer = await ada.get(path);
    expect([answer.status, answer.trips]).toEqual([200, 1]);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(2_000_000);
    const { log, intact } = answer.json<RecordLog>();
    expect(intact).toBe(true);
    expect(log.length).toBeLessThanOrEqual(100);
    numbers.unshift(...log.map(({ number }) => number));
    path = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
  }
  expect(numbers).toEqual(Array.from({ length: EDITS }, (_, index) => index + 1));
  expect((await ada.get(`${callPath}?limit=3`)).json<RecordLog>().log.map(({ number }) => number)).toEqual([
    128, 129, 130,
  ]);
  expect((await ada.get(`${callPath}?limit=101`)).status).toBe(400);
});

test("the page has links to older and newer events, and Logged is on the oldest", async () => {
  const admin = await app.register({ isAdmin: true });
  for (const [who, path] of [
    [ada, `/profile/record/${id}`],
    [admin, `/admin/entry/${id}`],
  ] as const) {
    const read: string[] = [];
    for (let href: string | undefined = path; href; ) {
      const page = await who.get(href);
      expect([page.status, page.trips]).toEqual([200, 1]);
      expect(Buffer.byteLength(page.text)).toBeLessThan(2_000_000);
      expect(textOf(page.text)).toContain("Nothing on this page of the history was changed, removed or added later.");
      read.unshift(...textsOf(page.text, "li").filter((text) => /Logged|Edited/.test(text)));
      const links = tagsOf(page.text, "a").flatMap(({ href }) => href ?? []);
      expect(links.some((link) => link.endsWith("#history") && !link.startsWith("?before"))).toBe(href !== path);
      const older = links.filter((link) => /^\?before=\d+#history$/.test(link)).at(-1);
      href =
        textOf(page.text).includes("Older events") && older ? `${path}${older.replace("#history", "")}` : undefined;
    }
    expect(read).toHaveLength(EDITS + 1);
    expect(read[0]).toContain("Logged");
  }
});

test("a check of an export reads the answers of supervisors alone, and an event that is removed shows on its page", async () => {
  const plain = await app.register();
  await plain.addVerifiedEntry();
  const few = await app.get(`/api/check/${(await exportHours(plain)).code}`);
  const token = await ada.requestVerification(id);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" })).status).toBe(200);
  await app.idle();
  const many = await app.get(`/api/check/${(await exportHours(ada)).code}`);
  expect(many.json()).toMatchObject({ records: [{ state: "unchanged" }] });
  expect(many.rows.read).toBeLessThanOrEqual(few.rows.read + 5);
  expect((await ada.get(callPath)).json<RecordLog>()).toMatchObject({ intact: true, request: { open: false } });
  const page = textOf((await ada.get(`/profile/record/${id}?before=30`)).text);
  expect(page).toContain("Verified by Ola Hansen");
  expect(page).toContain("Events 1 to 29 of 132");

  await app.db.prepare("DROP TRIGGER verification_log_is_not_deleted").run();
  await app.db.prepare("DELETE FROM verification_log WHERE record_id = ? AND number = 20").bind(id).run();
  expect((await ada.get(`${callPath}?before=30`)).json<RecordLog>().intact).toBe(false);
  expect((await ada.get(`${callPath}?before=21`)).json<RecordLog>().intact).toBe(false);
});
