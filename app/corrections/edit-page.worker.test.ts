import { expect, test } from "vitest";
import { UNCLEAR_HOURS } from "#app/records/hours.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Entry, RopeHours, Technician } from "#tests/worker/people.ts";

const app = await startApp();
const WARNING =
  "A supervisor has been asked about this record. Saving a change ends that request; ask again afterwards.";

async function entriesOf(who: Technician): Promise<Entry[]> {
  return (await who.get("/api/entries")).json<Entry[]>();
}

test("the form shows the record's values, saves changes, and redirects to the record", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry({ location: 'Kårstø "B"', method: "UT_THK", hours: 7.25 });
  const path = `/profile/record/${id}/edit`;
  const page = await ada.get(path);
  const fields = Object.fromEntries(formIn(page.text, path).fields);
  expect([page.status, fields]).toMatchObject([
    200,
    { date: "2026-11-20", location: 'Kårstø "B"', method: "UT_THK", hours: "7.25" },
  ]);
  expect(textsOf(page.text, "label").slice(0, 4)).toEqual(["Job Date", "Job Location", "NDT Method", "Hours"]);
  expect(textOf(page.text)).not.toContain(WARNING);
  const answer = await ada.submit(page, path, { hours: "8", method: "LSI" });
  expect([answer.status, answer.location]).toEqual([303, `/profile/record/${id}`]);
  expect(await entriesOf(ada)).toMatchObject([{ id, hours: 8, method: "LSI", location: 'Kårstø "B"' }]);
  expect(textsOf((await ada.get("/profile")).text, "div", 'role="status"')).toEqual(["Entry saved"]);
});

test("rope hours have the same form with their own fields", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours({ skills: "One\nTwo" });
  const path = `/rope-hours/record/${id}/edit`;
  const page = await ada.get(path);
  expect(textsOf(page.text, "label").slice(0, 5)).toEqual(["Start Date", "End Date", "Location", "Skills", "Hours"]);
  expect(formIn(page.text, path).fields.get("skills")).toBe("One\r\nTwo");
  expect((await ada.submit(page, path, { hours: "40" })).location).toBe(`/rope-hours/record/${id}`);
  const [record] = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  expect(record).toMatchObject({ skills: "One\nTwo", hours: 40 });
});

test("hours are typed with a decimal comma or point, and refused where they may mean two numbers", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const path = `/profile/record/${id}/edit`;
  const refused = await ada.submit(await ada.get(path), path, { hours: "8¹" });
  expect([refused.status, messageOf(refused.text, "hours")]).toEqual([400, UNCLEAR_HOURS]);
  expect((await ada.submit(refused, path, { hours: "6,25" })).status).toBe(303);
  expect(await entriesOf(ada)).toMatchObject([{ id, hours: 6.25 }]);
  // The call takes a point only.
  expect((await ada.json("PATCH", `/api/entries/${id}`, { hours: "5,5" })).status).toBe(400);
});

test("an invalid field has its message, all typed values are kept, and nothing is saved", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const path = `/profile/record/${entry.id}/edit`;
  const page = await ada.submit(await ada.get(path), path, { location: " ", hours: "0", date: "2026-11-19" });
  expect([page.status, messageOf(page.text, "location"), messageOf(page.text, "hours")]).toEqual([
    400,
    "Location is required",
    "Hours must be greater than 0",
  ]);
  expect(formIn(page.text, path).fields.get("date")).toBe("2026-11-19");
  expect(await entriesOf(ada)).toEqual([entry]);
  const { id } = await ada.addRopeHours();
  const rope = `/rope-hours/record/${id}/edit`;
  const wrong = await ada.submit(await ada.get(rope), rope, { endDate: "2026-11-15" });
  expect([wrong.status, messageOf(wrong.text, "endDate")]).toEqual([400, "End date must be after start date"]);
});

test("the page says before saving that the request will end, and afterwards that it has ended", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  const path = `/profile/record/${id}/edit`;
  const page = await ada.get(path);
  expect(textOf(page.text)).toContain(WARNING);
  // Saving without a change does not end it.
  await ada.submit(page, path, {});
  expect(textsOf((await ada.get("/profile")).text, "div", 'role="status"')).toEqual([
    "Entry saved There were no changes.",
  ]);
  expect((await app.get(`/verify/${token}`)).status).toBe(200);
  await ada.submit(page, path, { hours: "8" });
  expect(textsOf((await ada.get("/profile")).text, "div", 'role="status"')).toEqual([
    "Entry saved The request to verify it has ended. Ask again when you are ready.",
  ]);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(404);
});

// Catches an edit that overwrites values that it did not show: the statement's condition alone is not enough, because the
// second tab's request reads the record again.
test("a second tab does not overwrite an edit: it shows the stored record and keeps the typed values", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const path = `/profile/record/${id}/edit`;
  const [one, other] = [await ada.get(path), await ada.get(path)];
  expect((await ada.submit(one, path, { location: "First tab" })).status).toBe(303);
  const refused = await ada.submit(other, path, { location: "Second tab", hours: "2" });
  expect(refused.status).toBe(409);
  const [alert] = textsOf(refused.text, "div", 'role="alert"');
  expect(alert).toContain("This record was changed in another window or on another device. Nothing was saved.");
  expect(alert).toContain("Job Location First tab");
  expect(formIn(refused.text, path).fields.get("location")).toBe("Second tab");
  expect(await entriesOf(ada)).toMatchObject([{ location: "First tab", hours: 7.5 }]);
  // Saving again overwrites it on purpose.
  expect((await ada.submit(refused, path, {})).status).toBe(303);
  expect(await entriesOf(ada)).toMatchObject([{ location: "Second tab", hours: 2 }]);
});

test("the same change sent from several tabs at once succeeds in each", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const path = `/profile/record/${id}/edit`;
  const page = await ada.get(path);
  const answers = await Promise.all(Array.from({ length: 5 }, () => ada.submit(page, path, { hours: "8" })));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect(await entriesOf(ada)).toMatchObject([{ hours: 8 }]);
});

test("a form without the record's hash saves nothing", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const fields = { date: entry.date, location: "Elsewhere", method: entry.method, hours: "8" };
  expect((await ada.post(`/profile/record/${entry.id}/edit`, fields)).status).toBe(409);
  expect(await entriesOf(ada)).toEqual([entry]);
});

test("a verified, unknown or another user's record can be neither opened for editing nor edited", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { entry } = await ada.addVerifiedEntry();
  const { id: bobs } = await bob.addEntry();
  const before = await rows(app.db, "SELECT * FROM records ORDER BY id");
  const fields = { date: "2026-11-20", location: "Elsewhere", method: "MT", hours: "8" };
  for (const [id, status, words] of [
    [entry.id, 409, "This entry is already verified."],
    [bobs, 404, "There is no such entry in your log."],
    [999_999, 404, "There is no such entry in your log."],
    ["abc", 404, "There is no such entry in your log."],
  ] as const) {
    for (const what of ["edit", "delete"]) {
      const path = `/profile/record/${id}/${what}`;
      const [got, sent] = [await ada.get(path), await ada.post(path, fields)];
      expect([path, got.status, textOf(got.text)]).toEqual([path, status, expect.stringContaining(words)]);
      expect([path, sent.status, textOf(sent.text)]).toEqual([path, status, expect.stringContaining(words)]);
    }
  }
  expect(await rows(app.db, "SELECT * FROM records ORDER BY id")).toEqual(before);
});
