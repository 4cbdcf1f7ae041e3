import { expect, test } from "vitest";
import { addDays } from "#app/calendar-date.ts";
import { UNCLEAR_HOURS } from "#app/records/hours.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * The new-entry form in a browser without JavaScript: the page is read, filled in and sent.
 * Detects a Remove button before Save (Enter would remove a row), a form whose key changes when it is shown with errors
 * (sending it again would save it twice), and an answer that loses typed values.
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

/** The values in the rows of the form, without the details that are empty. */
function shown(page: Answer): Record<string, string> {
  const fields = [...formIn(page.text, FORM).fields];
  return Object.fromEntries(fields.filter(([name, value]) => value || !/\bdetails\./.test(name)));
}

/** The form's URL, which contains its key. */
function addressOf(page: Answer): string {
  return formIn(page.text, FORM).action;
}

function stored(who: Technician) {
  return rows(app.db, "SELECT date, location, method, hours FROM entries WHERE user_id = ? ORDER BY id", who.user.id);
}

test("the form starts with one row with the user's current date and nothing else", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  // In Miniflare these technicians are in Oslo.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Oslo", dateStyle: "short" }).format(new Date());
  expect(shown(page)).toEqual(typed({ date: today, location: "", method: "", hours: "" }));
  expect(addressOf(page)).toMatch(new RegExp(`^/profile/entries/u${ada.user.id}-[0-9a-f-]{36}$`));
  expect(addressOf(await ada.get("/profile"))).not.toBe(addressOf(page));
  const labels = textsOf(page.text, "label").slice(0, 4);
  expect(labels).toEqual(["Job Date", "Job Location", "NDT Method", "Hours"]);
  const remove = formIn(page.text, FORM).buttons.find(({ label }) => label === "Remove entry");
  expect(remove?.disabled).toBe(true);
});

test("Save Entries saves the rows, shows one toast, and starts with a new row", async () => {
  const ada = await app.register();
  const answer = await ada.submit(await ada.get("/profile"), FORM, typed({ hours: "7.25" }), "Save Entries");
  expect([answer.status, answer.location?.split("?")[0]]).toEqual([303, "/profile"]);
  const page = await ada.follow(answer);
  expect(textOf(page.text)).toContain("Entries added Your OJT hours have been saved successfully.");
  expect(formIn(page.text, FORM).fields.get("entries[0].location")).toBe("");
  expect(await stored(ada)).toEqual([{ ...good, hours: 7.25 }]);
});

// A number input sends 75 for `7,5`.
test("a decimal comma is a decimal point in the form, and the field is text", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const hours = tagsOf(page.text, "input").find(({ name }) => name === "entries[0].hours");
  expect([hours?.inputMode, hours?.type]).toEqual(["decimal", undefined]);
  for (const hours of ["7,5", " 0,25 ", "1500", "6.5 h", "7:30", "7h 5m"]) {
    expect((await ada.submit(await ada.get("/profile"), FORM, typed({ hours }))).status).toBe(303);
  }
  expect((await stored(ada)).map(({ hours }) => hours)).toEqual([7.5, 0.25, 1500, 6.5, 7.5, 7.08]);
});

test("hours that may mean two numbers are refused with an example, and stay as typed", async () => {
  const ada = await app.register();
  for (const hours of ["1,500", "1.000,5", "7:75", "8¹", "7.555"]) {
    const answer = await ada.submit(await ada.get("/profile"), FORM, typed({ hours }));
    expect([answer.status, messageOf(answer.text, "entries[0].hours")]).toEqual([400, UNCLEAR_HOURS]);
    expect(shown(answer)).toEqual(typed({ hours }));
  }
  expect(await stored(ada)).toEqual([]);
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

test("Add Another Entry adds a row and keeps all typed values", async () => {
  const ada = await app.register();
  const first = await ada.get("/profile");
  const half = { date: "2026-02-30", location: "<b>Rig</b> \"A\" & 'B'", method: "", hours: "abc" };
  const page = await ada.submit(first, FORM, typed(half), "Add Another Entry");
  const empty = { date: "", location: "", method: "", hours: "" };
  expect([page.status, shown(page)]).toEqual([200, typed(half, empty)]);
  expect(addressOf(page)).toBe(addressOf(first));
  expect(tagsOf(page.text, "input").filter((tag) => tag["aria-invalid"] === "true")).toEqual([]);
  expect(await stored(ada)).toEqual([]);
});

test("Remove entry removes its own row and keeps all other values", async () => {
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

test("each invalid field has its message beside it, all typed values stay, and nothing is saved", async () => {
  const ada = await app.register();
  const first = await ada.get("/profile");
  const wrong = { date: "", location: " ", method: "", hours: "0" };
  const page = await ada.post(addressOf(first), typed(wrong, {}));
  expect(page.status).toBe(400);
  const messages = ["date", "location", "method", "hours"].map((name) => messageOf(page.text, `entries[0].${name}`));
  expect(messages).toEqual([
    "Date is required",
    "Location is required",
    "Method is required",
    "Hours must be greater than 0",
  ]);
  expect(messageOf(page.text, "entries[1].hours")).toBeNull();
  expect(shown(page)).toEqual(typed(wrong, {}));
  expect(addressOf(page)).toBe(addressOf(first));
  expect(await stored(ada)).toEqual([]);
  // The first invalid field has the focus.
  const focused = [...tagsOf(page.text, "input"), ...tagsOf(page.text, "select")].filter(
    (tag) => "autofocus" in tag || "autoFocus" in tag,
  );
  expect(focused.map(({ name }) => name)).toEqual(["entries[0].date"]);
});

test("a row without a day or a place has those of the row above, also once that row is removed", async () => {
  const ada = await app.register();
  const address = addressOf(await ada.get("/profile"));
  const same = { date: "", location: "" };
  const rowsOf = typed({ location: "Dock 4" }, { ...same, method: "PT" }, { date: "", location: "Hall 7" }, same);
  const wrong = await ada.post(address, { ...rowsOf, "entries[1].hours": "0" });
  expect([wrong.status, messageOf(wrong.text, "entries[1].hours")]).toEqual([400, "Hours must be greater than 0"]);
  const first = JSON.stringify({ type: "remove", payload: { name: "entries", index: 0 } });
  const left = await ada.post(address, { ...rowsOf, __intent__: first });
  expect(shown(left)).toMatchObject({ "entries[0].date": good.date, "entries[0].location": "Dock 4" });
  expect((await ada.post(address, rowsOf)).status).toBe(303);
  expect((await stored(ada)).map(({ date, location }) => [date, location])).toEqual(
    ["Dock 4", "Dock 4", "Hall 7", "Hall 7"].map((place) => [good.date, place]),
  );
});

test("Today and Yesterday fill the date in, without script too, and keep what is typed", async () => {
  const ada = await app.register();
  const first = await ada.get("/profile");
  const today = formIn(first.text, FORM).fields.get("entries[0].date") ?? "";
  const page = await ada.submit(first, FORM, typed({ location: "Dock 4", hours: "7" }), "Yesterday");
  expect(shown(page)).toMatchObject({
    "entries[0].date": addDays(today, -1),
    "entries[0].location": "Dock 4",
    "entries[0].hours": "7",
  });
});

test("invalid values are shown again as they were typed", async () => {
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

test("500 rows are saved at once; with 501 nothing is saved, all typed values stay, and a message says why", async () => {
  const ada = await app.register();
  const many = (n: number) => typed(...Array.from({ length: n }, (_, index) => ({ location: `Cursor ${index}` })));
  const saved = await ada.post(FORM, many(500));
  expect([saved.status, await ada.storedEntries(), saved.trips]).toEqual([303, 500, 2]);
  const refused = await ada.post(FORM, many(501));
  expect([refused.status, await ada.storedEntries()]).toEqual([400, 500]);
  expect(textOf(refused.text)).toContain("At most 500 entries can be saved at once. Save these in two parts.");
  expect(shown(refused)).toEqual(many(501));
});

test("the same form sent twice, at once or after Back, is saved once, and both answers say it is saved", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const answers = await Promise.all([1, 2, 3].map(() => ada.submit(page, FORM, typed(good))));
  answers.push(await ada.submit(page, FORM, typed(good)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(await ada.storedEntries()).toBe(1);
  // After Back and a change, Save saves a new entry.
  await ada.submit(page, FORM, typed({ hours: "2" }));
  // The same values in a new form are a second entry.
  await ada.submit(await ada.get("/profile"), FORM, typed(good));
  expect(await ada.storedEntries()).toBe(3);
});

test("an unexpected error shows the spec's message, keeps the typed values, and the form can be sent again", async () => {
  const ada = await app.register();
  const page = await ada.get("/profile");
  const failed = await ada.post(addressOf(page), typed({ location: "Kårstø" }), { "x-fail-d1-round-trip": "2" });
  expect([failed.status, shown(failed)]).toEqual([500, typed({ location: "Kårstø" })]);
  expect(textsOf(failed.text, "div", 'role="alert"')).toEqual(["Error Failed to save entries. Please try again."]);
  expect(await stored(ada)).toEqual([]);
  expect((await ada.submit(failed, FORM, {}, "Save Entries")).status).toBe(303);
  expect(await stored(ada)).toEqual([{ ...good, location: "Kårstø", hours: 7.5 }]);
});

test("a day of more than 24 hours and a future date are saved, with a warning that stays", async () => {
  const ada = await app.register();
  await ada.addEntry({ date: "2026-01-02", hours: 20 });
  const answer = await ada.post(FORM, typed({ date: "2026-01-02", hours: "4.5" }, { date: "9999-12-31" }));
  const page = await ada.follow(answer);
  expect(textsOf(page.text, "section", 'class="warnings"')).toEqual([
    "2 Jan 2026 now has 24.5 hours. Is that right? See that day 31 Dec 9999 is in the future. See the record",
  ]);
  const future = (await ada.get("/api/entries")).json<{ id: number }[]>()[0]?.id;
  const hrefs = tagsOf(page.text.slice(page.text.indexOf('class="warnings"')), "a").map(({ href }) => href);
  expect(hrefs.slice(0, 2)).toEqual(["/profile?from=2026-01-02&to=2026-01-02#log", `/profile/record/${future}`]);
  expect(await ada.storedEntries()).toBe(3);
});

test("the same job saved again is saved, with a warning that leads to the other record", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry(good);
  const warnings = (html: string) => textsOf(html, "section", 'class="warnings"');
  const other = await ada.follow(await ada.post(FORM, typed({ hours: "7.4" })));
  expect(warnings(other.text)).toEqual([]);
  const page = await ada.follow(await ada.post(FORM, typed({ hours: "7,5" })));
  expect(warnings(page.text)).toEqual([
    "These hours are in your log twice: same day (20 Nov 2026), place, method and hours. See the other record",
  ]);
  expect(page.text).toContain(`<a href="/profile/record/${id}">See the other record</a>`);
  // An edit counts as what it says now, and no longer as what it said.
  await ada.json("PATCH", `/api/entries/${id}`, { hours: 2 });
  expect(warnings((await ada.follow(await ada.post(FORM, typed({ hours: "2" })))).text)[0]).toContain(
    "in your log twice",
  );
  expect(warnings((await ada.follow(await ada.post(FORM, typed({ location: "MONGSTAD", hours: "2" })))).text)).toEqual(
    [],
  );
  expect(await ada.storedEntries()).toBe(5);
});
