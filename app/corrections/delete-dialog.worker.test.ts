import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Entry, Technician } from "#tests/worker/people.ts";

const app = await startApp();

async function entriesOf(who: Technician): Promise<Entry[]> {
  return (await who.get("/api/entries")).json<Entry[]>();
}

test("deleting asks first and says that it ends the request", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry({ location: "Rig 5" });
  const path = `/profile/record/${id}/delete`;
  const page = await ada.get(path);
  const text = textOf(page.text);
  expect(text).toContain("20 Nov 2026 Rig 5 MT 7.5 hours");
  expect(text).not.toContain("A supervisor has been asked");
  expect(await ada.storedEntries()).toBe(1);
  await ada.requestVerification(id);
  expect(textOf((await ada.get(path)).text)).toContain(
    "A supervisor has been asked about this record. Deleting it ends that request. You can undo this for 24 hours.",
  );
});

test("after a deletion the toast and a notice can undo it, and the notice is gone at the next visit", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const path = `/profile/record/${entry.id}`;
  const answer = await ada.submit(await ada.get(`${path}/delete`), `${path}/delete`, {});
  expect([answer.status, answer.location]).toEqual([303, `/profile?deleted=${entry.id}`]);
  const page = await ada.follow(answer);
  expect(textsOf(page.text, "div", 'role="status"')).toEqual(["Entry deleted Undo"]);
  const undo = tagsOf(page.text, "form").filter(({ action }) => action === `${path}/restore`);
  expect(undo).toHaveLength(2);
  // The toast is shown once; the notice is shown whenever this URL is opened.
  const later = await ada.get(`/profile?deleted=${entry.id}`);
  expect(textOf(later.text)).toContain("Entry deleted. You can undo this for 24 hours. Undo");
  expect((await ada.get("/profile")).text).not.toContain("/restore");

  const back = await ada.submit(later, `${path}/restore`, {});
  expect([back.status, back.location]).toEqual([303, "/profile"]);
  expect(textsOf((await ada.follow(back)).text, "div", 'role="status"')).toEqual(["Entry restored"]);
  expect(await entriesOf(ada)).toEqual([entry]);
  expect((await ada.get(`/profile?deleted=${entry.id}`)).text).not.toContain("/restore");
});

test("rope hours can be deleted and restored, with their own messages", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours();
  const path = `/rope-hours/record/${id}`;
  const page = await ada.get(`${path}/delete`);
  expect(textsOf(page.text, "h2")).toContain("Delete Rope Hours");
  const log = await ada.follow(await ada.submit(page, `${path}/delete`, {}));
  expect(textOf(log.text)).toContain("Rope hours deleted. You can undo this for 24 hours.");
  const back = await ada.follow(await ada.submit(log, `${path}/restore`, {}));
  expect(textsOf(back.text, "div", 'role="status"')).toEqual(["Rope hours restored"]);
});

test("the id of an unknown deletion or another user's shows no Undo", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await bob.addEntry();
  await bob.json("DELETE", `/api/entries/${id}`);
  for (const deleted of [id, 0, 999_999, "abc", "1'"]) {
    const page = await ada.get(`/profile?deleted=${deleted}`);
    expect([deleted, page.status, page.text.includes("/restore")]).toEqual([deleted, 200, false]);
  }
  expect((await ada.post(`/profile/record/${id}/restore`, {})).status).toBe(404);
});

test("every record can be reached from its row in the log", async () => {
  const ada = await app.register();
  const [entry, rope] = [await ada.addEntry(), await ada.addRopeHours()];
  const { entry: verified } = await ada.addVerifiedEntry();
  const log = await ada.get("/profile");
  for (const { id } of [entry, verified]) expect(log.text).toContain(`<a href="/profile/record/${id}">`);
  expect((await ada.get("/rope-hours")).text).toContain(`<a href="/rope-hours/record/${rope.id}"><time`);
});
