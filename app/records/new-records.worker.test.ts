import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { anEntry, aRopeHours } from "#tests/worker/people.ts";

/* The daily path: the same job again, and what a form has just saved. */

const app = await startApp();

/** The values of a form's fields that are not empty. */
function filled(page: Answer, form: string): Record<string, string> {
  return Object.fromEntries([...formIn(page.text, form).fields].filter(([, value]) => value));
}

test("the last three different days are offered, and each fills in its places, methods and details, but no hours", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const job = (day: string, location: string, method: string, over = {}) =>
    anEntry({ date: `2026-11-${day}`, location, method, ...over });
  await ada.addEntries([
    job("10", "Kårstø", "RT"),
    job("11", "Sture", "PT"),
    job("12", "Mongstad", "MT", { details: { employer: "Northgate", role: "assisted" } }),
    job("12", "Hall 7", "PT"),
    job("16", "Mongstad", "PT"),
    job("17", "Mongstad", "PT"),
    job("18", "Earlier years", "PT", { broughtForward: true }),
  ]);
  const page = await ada.get("/profile");
  const links = tagsOf(page.text, "a").filter(({ href }) => href?.startsWith("/profile?again="));
  expect(textsOf(page.text, "ul", 'aria-labelledby="again"')).toEqual([
    "Tue 17 Nov PT Mongstad Thu 12 Nov MT + PT Mongstad and 1 more Wed 11 Nov PT Sture",
  ]);
  const again = await ada.get(links[1]?.href ?? "");
  expect(again.trips).toBe(1);
  const date = filled(page, "/profile/entries")["entries[0].date"];
  expect(filled(again, "/profile/entries")).toEqual({
    "entries[0].date": date,
    "entries[0].location": "Mongstad",
    "entries[0].method": "MT",
    "entries[0].details.employer": "Northgate",
    "entries[1].date": date,
    "entries[1].location": "Hall 7",
    "entries[1].method": "PT",
  });
  expect(textOf(again.text)).toContain("Filled in as on that job: Employer.");
  const numbered = await ada.addEntry({ details: { jobNumber: "J-7" } });
  const filledIn = textOf((await ada.get(`/profile?again=${numbered.id}`)).text);
  expect(filledIn).toMatch(/Filled in as on that job: Job or report No\. (?!\.)/);
  const focused = tagsOf(again.text, "input").filter((tag) => "autofocus" in tag);
  expect(focused.map(({ name }) => name)).toEqual(["entries[0].hours"]);
  // Nothing is filled in from another user's record.
  expect(filled(await bob.get(links[1]?.href ?? ""), "/profile/entries")).toEqual({ "entries[0].date": date });
});

test("the records just saved are above the form with the day's sum, once, and lead to their request and to rope hours", async () => {
  const ada = await app.register();
  await ada.addEntry({ hours: 1.25 });
  const form = formIn((await ada.get("/profile")).text, "/profile/entries");
  const row = (index: number, values: object) =>
    Object.entries(values).map(([name, value]) => [`entries[${index}].${name}`, String(value)]);
  const two = [...row(0, anEntry({ hours: "7,5" })), ...row(1, anEntry({ hours: "2", method: "PT" }))];
  const answer = await ada.post(form.action, Object.fromEntries(two));
  const page = await ada.follow(answer);
  const [saved = ""] = textsOf(page.text, "section", 'class="saved"');
  expect(saved).toContain(
    "Entries added Your OJT hours have been saved successfully. 2 entries, 10.75 h in total on 20 Nov.",
  );
  expect(page.text.split("Entries added")).toHaveLength(2); // no toast says it once more
  expect(saved).toMatch(
    /Fri 20 Nov 2026 MT 7.5 Mongstad Worked as Trainee Edit 7.5 hours Fri 20 Nov 2026 PT 2.0 Mongstad/,
  );
  expect(page.trips).toBe(1);
  const links = tagsOf(page.text, "a").map(({ href }) => href ?? "");
  const asked = await ada.get(links.find((href) => href.startsWith("/requests/new?all=1&kind=entry&saved=")) ?? "");
  const boxes = tagsOf(asked.text, "input").filter(({ type }) => type === "checkbox");
  expect([boxes.length, boxes.every((box) => "checked" in box), asked.trips]).toEqual([2, true, 1]); // not the one of before
  const rope = await ada.get(links.find((href) => href.startsWith("/rope-hours?with=")) ?? "");
  expect(filled(rope, "/rope-hours/new")).toEqual({
    startDate: "2026-11-20",
    endDate: "2026-11-20",
    location: "Mongstad",
  });
  expect(textsOf((await ada.get(answer.location ?? "")).text, "section", 'class="saved"')).toEqual([]);
});

test("Undo after several records deletes those that are as they were saved, and says how many stay", async () => {
  const ada = await app.register();
  const before = await ada.addEntry({ method: "RT" });
  const save = async () => {
    const form = formIn((await ada.get("/profile")).text, "/profile/entries");
    const fields = ["MT", "PT", "UT_THK"].flatMap((method, index) =>
      Object.entries(anEntry({ hours: "2", method })).map(([name, value]) => [`entries[${index}].${name}`, value]),
    );
    return ada.follow(await ada.post(form.action, Object.fromEntries(fields)));
  };
  const entries = async () => (await ada.get("/api/entries")).json<{ id: number; method: string }[]>();
  const undoOf = async (page: { text: string }) => {
    const { action } = tagsOf(page.text, "form").find(({ action }) => action?.endsWith("/delete")) ?? {};
    return ada.post(action ?? "", { together: "1" });
  };
  const undone = await undoOf(await save());
  expect([undone.status, undone.trips]).toEqual([303, 2]);
  expect(textOf((await ada.follow(undone)).text)).toContain("3 entries deleted For 24 hours they are in the log");
  expect((await entries()).map(({ id }) => id)).toEqual([before.id]);

  const second = await save();
  const [edited] = (await entries()).filter(({ method }) => method === "PT");
  await ada.json("PATCH", `/api/entries/${edited?.id}`, { hours: 3 });
  const page = await ada.follow(await undoOf(second));
  expect(textOf(page.text)).toMatch(/2 entries deleted .* 1 entry was edited or requested since and stays\./);
  expect((await entries()).map(({ id }) => id).sort()).toEqual([before.id, edited?.id]);
  expect(textOf((await ada.follow(await undoOf(second))).text)).toContain("0 entries deleted");
  const bob = await app.register();
  const own = (await bob.addEntry()).id;
  await ada.post(`/profile/record/${own}/delete`, { together: "1" });
  expect((await bob.get("/api/entries")).json()).toHaveLength(1);
});

test("rope hours have their last jobs and what was just saved too", async () => {
  const ada = await app.register();
  await ada.addRopeHours(aRopeHours({ details: { structure: "Flare" } }));
  const page = await ada.get("/rope-hours");
  const [link] = tagsOf(page.text, "a").filter(({ href }) => href?.startsWith("/rope-hours?again="));
  const again = filled(await ada.get(link?.href ?? ""), "/rope-hours/new");
  expect(again).toMatchObject({ location: "Mongstad", skills: "Rigging, rescue", "details.structure": "Flare" });
  expect(again.endDate).toBe(again.startDate);
  const values = Object.fromEntries(Object.entries(aRopeHours()).map(([name, value]) => [name, String(value)]));
  const after = await ada.follow(await ada.post(formIn(page.text, "/rope-hours/new").action, values));
  expect(textsOf(after.text, "section", 'class="saved"')[0]).toContain("1 rope hours record.");
  // One record that was saved by mistake is deleted as on its own page, where it can be restored.
  const [newest] = (await ada.get("/api/rope-hours")).json<{ id: number }[]>();
  const undo = formIn(after.text, `/rope-hours/record/${newest?.id}/delete`);
  expect(textOf((await ada.follow(await ada.post(undo.action, {}))).text)).toContain("Rope hours deleted");
  expect((await ada.get("/api/rope-hours")).json()).toHaveLength(1);
});

test("a record's page leads to the same job again, also once it is verified", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const page = await ada.get(`/profile/record/${entry.id}`);
  expect(tagsOf(page.text, "a").map(({ href }) => href)).toContain(`/profile?again=${entry.id}`);
});
