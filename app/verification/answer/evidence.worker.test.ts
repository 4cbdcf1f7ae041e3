import { expect, test } from "vitest";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { hasBegun } from "#app/records/kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, tagsOf, textOf } from "#tests/worker/html.ts";
import { anEntry } from "#tests/worker/people.ts";

/*
 * The notes for a supervisor besides the hours, and the one thing that they cannot verify: work of a day that has not
 * begun. Catches a rule that the page has and the call has not.
 */

const app = await startApp();

const FUTURE = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const EARLY = "1 record still waits: its last day has not begun, so it cannot be verified yet.";
const LONG = "26.5 h on this date, more than 24";
const SAME = "The supervisor has the technician’s name.";

/** A link for entries with these values, in one request. */
async function asked(entries: Record<string, unknown>[], supervisorName = "Ola Hansen") {
  const kari = await app.register({ name: "Kari Nordmann" });
  const made = await kari.addEntries(entries);
  const { id: supervisorId } = await kari.addSupervisor({ name: supervisorName });
  const records = made.map(({ id }) => ({ type: "entry", id }));
  const answer = await kari.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken: token } = answer.json<{ verificationToken: string }>();
  const states = () =>
    rows<{ state: string; verified: number }>(
      app.db,
      `SELECT state, verified FROM verification_items JOIN records ON id = record_id
        WHERE record_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      JSON.stringify(records.map(({ id }) => id)),
    ).then((list) => list.map(({ state, verified }) => `${state}${verified ? ", verified" : ""}`));
  return { kari, records, token, states, page: `/verify/${token}`, call: `/api/verify/${token}` };
}

const ola = { supervisorName: "Ola Hansen" };

test("a day begins at UTC+14, and of a period the last day counts", () => {
  const at = (time: string) => new Date(`2026-11-21T${time}Z`);
  expect(hasBegun(entryKind, { date: "2026-11-22" }, at("09:59:59"))).toBe(false);
  expect(hasBegun(entryKind, { date: "2026-11-22" }, at("10:00:00"))).toBe(true);
  const period = { startDate: "2026-11-01", endDate: "2026-11-22" };
  expect(hasBegun(ropeHoursKind, period, at("09:59:59"))).toBe(false);
  expect(hasBegun(ropeHoursKind, period, at("10:00:00"))).toBe(true);
});

test("a record whose last day has not begun is left out of the call's answer as if skipped, and still waits", async () => {
  const { call, states, records } = await asked([{ date: "2026-11-02" }, { date: FUTURE }]);
  const answer = await app.json("POST", call, ola);
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { message: `Thank you for verifying 1 record. ${EARLY}`, verified: 1, declined: 0, skipped: 1 },
  ]);
  expect(await states()).toEqual(["verified, verified", "waiting"]);
  // Nothing else is left.
  const again = await app.json("POST", call, ola);
  expect([again.status, again.json()]).toMatchObject([400, { message: EARLY }]);
  expect(await states()).toEqual(["verified, verified", "waiting"]);
  // It can be declined.
  const declined = await app.json("POST", call, { ...ola, declined: [{ ...records[1], reason: "Not yet" }] });
  expect(declined.json()).toMatchObject({ verified: 0, declined: 1, skipped: 0 });
});

test("the page says so beside the record, offers no Verify for it, and the answer says what still waits", async () => {
  const { page, states } = await asked([{ date: "2026-11-02" }, { date: FUTURE }]);
  const opened = await app.get(page);
  await app.idle();
  const text = textOf(opened.text);
  expect(text.split("Its last day has not begun: it cannot be verified yet.")).toHaveLength(2);
  expect(formIn(opened.text, page).buttons[0]?.label).toBe("Verify 1 record, 7.5 h");
  // The style sheet does not count it among those that are verified.
  expect(tagsOf(opened.text, "li").map((row) => row.class)).toEqual([undefined, "early"]);
  const sent = await app.submit(opened, page, ola);
  expect(sent.status).toBe(303);
  expect(textOf((await app.get(sent.location ?? "")).text)).toContain(EARLY);
  expect(await states()).toEqual(["verified, verified", "waiting"]);
});

test("the page of one record whose day has not begun has no Verify Hours, and page and call are 400", async () => {
  const { page, call, states } = await asked([{ date: FUTURE }]);
  const opened = await app.get(page);
  await app.idle();
  expect(textOf(opened.text)).toContain("Its last day has not begun: it cannot be verified yet.");
  expect(formIn(opened.text, page).buttons).toHaveLength(1);
  expect(opened.text).not.toContain("Verify Hours");
  // As a page of before the rule would send it.
  const { shown } = Object.fromEntries(tagsOf(opened.text, "input").map(({ name, value }) => [name, value]));
  const sent = await app.post(page, { ...ola, shown: shown ?? "" });
  expect([sent.status, textOf(sent.text).includes(EARLY)]).toEqual([400, true]);
  const answer = await app.json("POST", call, ola);
  expect([answer.status, answer.json()]).toMatchObject([400, { message: EARLY }]);
  expect(await states()).toEqual(["waiting"]);
});

test("a date with more than 24 hours in all is said beside each of its records, and beside no other", async () => {
  const day = { date: "2026-11-02" };
  const entries = [
    { ...day, hours: 14.5 },
    { ...day, hours: 12 },
    { ...day, hours: 90, broughtForward: true },
  ];
  const several = await asked([...entries, { date: "2026-11-03", hours: 24 }]);
  const text = textOf((await app.get(several.page)).text);
  expect(text.split(LONG)).toHaveLength(3);
  expect(text.split("more than 24")).toHaveLength(3);
  // Also of a record that is not asked about.
  const one = await asked([{ ...day, hours: 14.5 }]);
  expect(textOf((await app.get(one.page)).text)).not.toContain("more than 24");
  await one.kari.addEntry({ ...day, hours: 12 });
  const { text: html } = await app.get(one.page);
  expect(textOf(html)).toContain(LONG);
  // It is a fact to look at, and no error.
  expect(html).toContain(`<span class="look state">${LONG}`);
  expect(html).not.toContain('class="alert"');
});

test.each([1, 2])(
  "the page of %i records says that the supervisor who was asked has the technician's name",
  async (n) => {
    const entries = Array.from({ length: n }, (_, index) => ({ date: `2026-11-0${index + 1}` }));
    const same = await asked(entries, "kari  NORDMANN");
    expect(textOf((await app.get(same.page)).text)).toContain(SAME);
    const other = await asked(entries);
    expect(textOf((await app.get(other.page)).text)).not.toContain(SAME);
    // And who types it by mistake, as the only name on the page, reads so at once.
    for (const [supervisorName, isSame] of [["Kari Nordmann", true] as const, ["Ola Hansen", false] as const]) {
      const { page } = await asked(entries);
      expect((await app.json("POST", `/api${page}`, { supervisorName })).status).toBe(200);
      const { text } = await app.get(`/success?token=${page.split("/").at(-1)}`);
      expect([supervisorName, textOf(text).includes(SAME)]).toEqual([supervisorName, isSame]);
    }
  },
);

test("records that say the same are marked for the supervisor, until one of them is out of the request", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const job = { date: "2026-11-02", location: "Tank 7", method: "UT_THK", hours: 4 };
  const drafts = [anEntry(job), anEntry(job), anEntry({ ...job, location: "Tank 8" })];
  const entries = (await ada.json("POST", "/api/entries", drafts)).json<{ id: number }[]>();
  const body = { supervisorId: supervisor.id, records: entries.map(({ id }) => ({ type: "entry", id })) };
  const { verificationToken } = (await ada.json("POST", "/api/verification-requests", body)).json<{
    verificationToken: string;
  }>();
  const marked = async () =>
    textOf((await app.get(`/verify/${verificationToken}`)).text).split("Was it two jobs?").length - 1;
  expect(await marked()).toBe(2);
  await ada.json("DELETE", `/api/entries/${entries[0]?.id}`);
  expect(await marked()).toBe(0);
});
