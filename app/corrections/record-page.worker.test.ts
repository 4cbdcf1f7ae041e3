import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { tagsOf, textsOf } from "#tests/worker/html.ts";

/* One record's page, for both kinds: as a browser without JavaScript sees it. */

const app = await startApp();

for (const { path, add } of [
  { path: "/profile", add: "addEntry" },
  { path: "/rope-hours", add: "addRopeHours" },
] as const) {
  test(`${path}: a record that nobody was asked about is pending, and offers the request`, async () => {
    const ada = await app.register();
    const { id } = await ada[add]();
    const log = await ada.get(path);
    expect(tagsOf(log.text, "a").map(({ href }) => href)).toContain(`${path}/record/${id}`);
    const page = await ada.get(`${path}/record/${id}`);
    expect([page.status, page.trips]).toEqual([200, 1]);
    expect(textsOf(page.text, "p", "notice")).toEqual(["Pending: nobody has been asked."]);
    expect(textsOf(page.text, "dl")[0]).toContain("Mongstad");
    const dialog = await ada.submit(page, path, {}, "Request Verification");
    expect(textsOf(dialog.text, "h2")).toContain("Request Verification");
  });

  test(`${path}: somebody else's record, one that is not there, and what is no id are 404; without a session: /auth`, async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const { id } = await bob[add]();
    for (const odd of [id, 999_999, "0", "abc", "1e3"]) {
      expect([odd, (await ada.get(`${path}/record/${odd}`)).status]).toEqual([odd, 404]);
    }
    expect((await app.get(`${path}/record/${id}`)).location).toBe("/auth");
  });

  test(`${path}: what was verified before there was a log says so, and nothing is wrong with it`, async () => {
    const ada = await app.register();
    const { id } = await ada[add]();
    const table = path === "/profile" ? "entries" : "rope_hours";
    await rows(app.db, `UPDATE ${table} SET verified = 1, verified_by = 'Ola', verified_at = 1 WHERE id = ?`, id);
    const page = await ada.get(`${path}/record/${id}`);
    expect(textsOf(page.text, "p", "notice")[0]).toMatch(/^Verified by Ola on /);
    expect(textsOf(page.text, "p", "empty")).toEqual(["These hours were verified before there was a log."]);
    expect(textsOf(page.text, "p", "alert")).toEqual([]);
  });
}

test("withdrawing by the page: the link is over, the record says so, and asking again makes a new link", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  const page = await ada.get(`/profile/record/${id}`);
  expect(textsOf(page.text, "p", "notice")[0]).toBe("Pending: a supervisor has been asked.");
  await app.idle(); // the mail is noted: a line that came in between would cost a round trip more
  const answer = await ada.submit(page, `/profile/record/${id}/withdraw`, {});
  expect([answer.status, answer.location, answer.trips]).toEqual([303, `/profile/record/${id}`, 2]);
  const after = await ada.follow(answer);
  expect(textsOf(after.text, "div", 'role="status"')[0]).toBe("Request withdrawn Its link leads nowhere any more.");
  expect(textsOf(after.text, "p", "notice")).toEqual(["Pending: nobody has been asked."]);
  expect(textsOf(after.text, "tr").at(-1)).toContain("Request withdrawn; its link ended");
  expect((await app.get(`/verify/${token}`)).status).toBe(404);
  expect(await ada.requestVerification(id)).not.toBe(token);
});
