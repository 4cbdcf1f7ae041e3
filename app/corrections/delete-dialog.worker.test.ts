import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { textOf, textsOf } from "#tests/worker/html.ts";
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
  expect(text).toContain("20 Nov 2026 Rig 5 Worked as Trainee MT 7.5 hours");
  expect(text).not.toContain("A supervisor has been asked");
  expect(await ada.storedEntries()).toBe(1);
  await ada.requestVerification(id);
  expect(textOf((await ada.get(path)).text)).toContain(
    "A supervisor has been asked about this record. Deleting it ends that request. You can undo this for 24 hours.",
  );
});

test("after a deletion the toast can undo it once, and says where the record is after that", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const path = `/profile/record/${entry.id}`;
  const answer = await ada.submit(await ada.get(`${path}/delete`), `${path}/delete`, {});
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  const page = await ada.follow(answer);
  const kept = "For 24 hours it is in the log under the status Deleted.";
  expect(textsOf(page.text, "div", 'role="status"')).toEqual([`Entry deleted ${kept} Undo`]);
  expect((await ada.get("/profile")).text).not.toContain("/restore");

  const back = await ada.submit(page, `${path}/restore`, {});
  expect([back.status, back.location]).toEqual([303, "/profile"]);
  expect(textsOf((await ada.follow(back)).text, "div", 'role="status"')).toEqual(["Entry restored"]);
  expect(await entriesOf(ada)).toEqual([entry]);
});

test("rope hours can be deleted and restored, with their own messages", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours();
  const path = `/rope-hours/record/${id}`;
  const page = await ada.get(`${path}/delete`);
  expect(textsOf(page.text, "h2")).toContain("Delete Rope Hours");
  const log = await ada.follow(await ada.submit(page, `${path}/delete`, {}));
  const deleted = await ada.get("/rope-hours?status=deleted");
  expect(textsOf(deleted.text, "td", 'class="sign"')).toEqual(["Deleted less than an hour ago Undo"]);
  expect(deleted.text).toContain(`formaction="${path}/restore"`);
  const back = await ada.follow(await ada.submit(log, `${path}/restore`, {}));
  expect(textsOf(back.text, "div", 'role="status"')).toEqual(["Rope hours restored"]);
});

test("no user sees another user's deleted records, nor restores them", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await bob.addEntry({ location: "Bob's dock" });
  await bob.json("DELETE", `/api/entries/${id}`);
  expect((await ada.get("/profile?status=deleted")).text).not.toMatch(/Bob&#x27;s dock|\/restore/);
  expect((await ada.get("/api/entries?status=deleted")).json()).toEqual([]);
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
