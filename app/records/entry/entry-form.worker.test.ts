import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * The form of new entries as a browser without JavaScript uses it: the page is read, filled in and sent.
 * Catches a first button that is Remove (Enter would take a row away), a form whose key changes when it comes back
 * with messages (sending it again would save twice), and a reply that leaves out what was typed.
 */

const app = await startApp();
const FORM = "/profile/entries";

const good = { date: "2026-11-20", location: "Mongstad", method: "MT", hours: "7.5" };

/** Field names and values of rows, as the form sends them. */
function typed(...list: Partial<typeof good>[]): Record<string, string> {
  const named = list.flatMap((row, index) =>
    Object.entries({ ...good, ...row }).map(([name, value]) => [`entries[${index}].${name}`, value]),
  );
  return Object.fromEntries(named);
}

/** What stands in the rows of the form. */
function shown(page: Answer): Record<string, string> {
  return Object.fromEntries(formIn(page.text, FORM).fields);
}

/** Where the form is sent: its key, which names this sending, is in the address. */
function addressOf(page: Answer): string {
  return formIn(page.text, FORM).action;
}

function stored(who: Technician) {
  return rows(app.db, "SELECT date, location, method, hours FROM entries WHERE user_id = ? ORDER BY id", who.user.id);
}

test("the form starts with one row: the person's today, and nothing else", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  // Miniflare puts the technicians of these tests in Oslo.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Oslo", dateStyle: "short" }).format(new Date());
  expect(shown(page)).toEqual(typed({ date: today, location: "", method: "", hours: "" }));
  expect(addressOf(page)).toMatch(/^\/profile\/entries\/[0-9a-f-]{36}$/);
  expect(addressOf(await ada.get("/profile"))).not.toBe(addressOf(page));
  const labels = textsOf(page.text, "label").slice(0, 4);
  expect(labels).toEqual(["Job Date", "Job Location", "NDT Method", "Hours"]);
  const remove = formIn(page.text, FORM).buttons.find(({ label }) => label === "Remove entry");
  expect(remove?.disabled).toBe(true);
});

test("Save Entries saves the rows, says so once, and brings a fresh row", async () => {
  const ada = await app.register();
  const answer = await ada.submit(await ada.get("/profile"), FORM, typed({ hours: "7.25" }), "Save Entries");
  expect([answer.status, answer.location?.split("?")[0]]).toEqual([303, "/profile"]);
  const page = await ada.follow(answer);
  expect(textOf(page.text)).toContain("Entries added Your OJT hours have been saved successfully.");
  expect(formIn(page.text, FORM).fields.get("entries[0].location")).toBe("");
  expect(await stored(ada)).toEqual([{ ...good, hours: 7.25 }]);
});

test("Enter in any field saves: the form's first button is Save, not Remove entry", async () => {
  const ada = await app.register();
  let page = await ada.submit(await ada.get("/profile"), FORM, typed(good), "Add Another Entry");
  expect(formIn(page.text, FORM).buttons[0]).toMatchObject({ label: "Save Entries", name: undefined });
  page = await ada.submit(page, FORM, typed(good, { hours: "2" }));
  expect(page.status).toBe(303);
  expect(await stored(ada)).toEqual([
    { ...good, hours: 7.5 },
    { ...good, hours: 2 },
  ]);
});

test("Add Another Entry brings one more row, with today's date, and loses nothing that was typed", async () => {
  const ada = await app.register();
  const first = await ada.get("/profile");
  const half = { date: "2026-02-30", location: "<b>Rig</b> \"A\" & 'B'", method: "", hours: "abc" };
  const page = await ada.submit(first, FORM, typed(half), "Add Another Entry");
  const today = shown(first)["entries[0].date"] ?? "";
  expect([page.status, shown(page)]).toEqual([200, typed(half, { date: today, location: "", method: "", hours: "" })]);
  expect(addressOf(page)).toBe(addressOf(first));
  expect(tagsOf(page.text, "input").filter((tag) => tag["aria-invalid"] === "true")).toEqual([]);
  expect(await stored(ada)).toEqual([]);
});

test("Remove entry takes its own row away, and loses nothing else", async () => {
  const ada = await app.register();
  const address = addressOf(await ada.get("/profile"));
  const three = typed({ location: "one" }, { location: "two", hours: "abc" }, { location: "three" });
  const full = await ada.post(address, three);
  const second = formIn(full.text, FORM).buttons.filter(({ label }) => label === "Remove entry")[1];
  const left = await ada.post(address, { ...three, [second?.name ?? ""]: second?.value ?? "" });
  expect([left.status, shown(left)]).toEqual([200, typed({ location: "one" }, { location: "three" })]);
  expect(addressOf(left)).toBe(address);
});

test("at least one row always remains", async () => {
  const ada = await app.register();
  const remove = (index: number) => JSON.stringify({ type: "remove", payload: { name: "entries", index } });
  const answer = await ada.post(addressOf(await ada.get("/profile")), { ...typed(good), __intent__: remove(0) });
  const page = answer.status === 303 ? await ada.follow(answer) : answer;
  expect([page.status, Object.keys(shown(page))]).toEqual([200, expect.arrayContaining(["entries[0].date"])]);
});

test("each wrong field has its message beside it, everything typed stays, and nothing is saved", async () => {
  const ada = await app.register();
  const first = await ada.get("/profile");
  const wrong = { date: "", location: " ", method: "", hours: "0" };
  const page = await ada.post(addressOf(first), typed({}, wrong));
  expect(page.status).toBe(400);
  const messages = ["date", "location", "method", "hours"].map((name) => messageOf(page.text, `entries[1].${name}`));
  expect(messages).toEqual([
    "Date is required",
    "Location is required",
    "Method is required",
    "Hours must be greater than 0",
  ]);
  expect(messageOf(page.text, "entries[0].hours")).toBeNull();
  expect(shown(page)).toEqual(typed({}, wrong));
  expect(addressOf(page)).toBe(addressOf(first));
  expect(await stored(ada)).toEqual([]);
  // The first wrong field has the focus.
  const focused = [...tagsOf(page.text, "input"), ...tagsOf(page.text, "select")].filter(
    (tag) => "autofocus" in tag || "autoFocus" in tag,
  );
  expect(focused.map(({ name }) => name)).toEqual(["entries[1].date"]);
});

test("bad values come back as they were typed, whatever they are", async () => {
  const ada = await app.register();
  for (const row of [
    { hours: "NaN" },
    { hours: "1e308" },
    { hours: "-1" },
    { date: "2026-02-30" },
    { location: "x".repeat(10_000) },
    { method: "<script>" },
  ]) {
    const page = await ada.post(FORM, typed(row));
    const [name] = Object.keys(row);
    expect([row, page.status]).toEqual([row, 400]);
    expect(messageOf(page.text, `entries[0].${name}`)).toMatch(/\S/);
    if (name !== "method") expect(shown(page)).toEqual(typed(row));
    expect(page.text).not.toContain("<script>");
  }
  expect(await stored(ada)).toEqual([]);
});

test("500 rows are saved in one sending; of 501 nothing is, nothing typed is lost, and it is said why", async () => {
  const ada = await app.register();
  const many = (n: number) => typed(...Array.from({ length: n }, (_, index) => ({ location: `Cursor ${index}` })));
  const saved = await ada.post(FORM, many(500));
  expect([saved.status, await ada.storedEntries(), saved.trips]).toEqual([303, 500, 2]);
  const refused = await ada.post(FORM, many(501));
  expect([refused.status, await ada.storedEntries()]).toEqual([400, 500]);
  expect(textOf(refused.text)).toContain("At most 500 entries can be saved at once. Save these in two parts.");
  expect(shown(refused)).toEqual(many(501));
});

test("the same form sent twice, at once or after Back, is saved once, and each sending is told it is saved", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const answers = await Promise.all([1, 2, 3].map(() => ada.submit(page, FORM, typed(good))));
  answers.push(await ada.submit(page, FORM, typed(good)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(await ada.storedEntries()).toBe(1);
  // Back, something changed, Save: that is new work.
  await ada.submit(page, FORM, typed({ hours: "2" }));
  // A fresh page, the same work again: honestly two.
  await ada.submit(await ada.get("/profile"), FORM, typed(good));
  expect(await ada.storedEntries()).toBe(3);
});

test("a save that fails says so in the spec's words, keeps what was typed, and can be sent again", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const failed = await ada.post(addressOf(page), typed({ location: "Kårstø" }), { "x-fail-d1-round-trip": "2" });
  expect([failed.status, shown(failed)]).toEqual([500, typed({ location: "Kårstø" })]);
  expect(textsOf(failed.text, "div", 'role="alert"')).toEqual(["Error Failed to save entries. Please try again."]);
  expect(await stored(ada)).toEqual([]);
  expect((await ada.submit(failed, FORM, {}, "Save Entries")).status).toBe(303);
  expect(await stored(ada)).toEqual([{ ...good, location: "Kårstø", hours: 7.5 }]);
});

test("a day of more than 24 hours and a date to come are saved, with a warning that stays", async () => {
  const ada = await app.register();
  await ada.addEntry({ date: "2026-01-02", hours: 20 });
  const answer = await ada.post(FORM, typed({ date: "2026-01-02", hours: "4.5" }, { date: "9999-12-31" }));
  const page = await ada.follow(answer);
  expect(textsOf(page.text, "div", 'class="warnings"')).toEqual([
    "2 Jan 2026 now adds up to 24.5 hours, which is more than a day has. 31 Dec 9999 is in the future.",
  ]);
  expect(await ada.storedEntries()).toBe(3);
});
