import { expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/* Withdrawing a request on the page and through the API, and what its link shows afterwards. */

const app = await startMailApp();
const FAILURE = "This entry may have already been verified or the link is invalid.";

async function requestedEntry() {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const token = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  return { ada, id, supervisor, token };
}

test("withdrawing returns the record and ends its link for good; asking again makes another", async () => {
  const { ada, id, supervisor, token } = await requestedEntry();
  const answer = await ada.json("DELETE", `/api/verify-request/${id}`);
  const [entry] = (await ada.get("/api/entries")).json<object[]>();
  expect([answer.status, answer.trips, answer.json()]).toEqual([200, 2, entry]);
  const again = await ada.requestVerification(id, supervisor.id);
  expect(again).not.toBe(token);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(404);
  expect((await app.json("POST", `/api/verify/${again}`, { supervisorName: "Ola" })).status).toBe(200);
});

test("an ended link shows why it ended, and that there is nothing to do", async () => {
  const words = {
    withdrawn: "The technician has withdrawn this request. There is nothing for you to do.",
    edited: "The technician has changed this record, which ended this link. There is nothing for you to do.",
    deleted: "The technician has deleted this record. There is nothing for you to do.",
  };
  const ends = {
    withdrawn: ["DELETE", "/api/verify-request/", undefined],
    edited: ["PATCH", "/api/entries/", { hours: 3 }],
    deleted: ["DELETE", "/api/entries/", undefined],
  } as const;
  for (const cause of ["withdrawn", "edited", "deleted"] as const) {
    const { ada, id, token } = await requestedEntry();
    const [method, path, body] = ends[cause];
    expect((await ada.json(method, `${path}${id}`, body)).status).toBe(200);
    for (const client of [app, ada]) {
      const page = await client.get(`/verify/${token}`);
      expect([page.status, page.trips, textsOf(page.text, "h1")]).toEqual([404, 1, ["Verification Failed"]]);
      expect(textsOf(page.text, "p")).toEqual([FAILURE, words[cause]]);
    }
    const call = await app.get(`/api/verify/${token}`);
    expect([call.status, call.json()]).toEqual([404, { code: "not_found", message: `${FAILURE} ${words[cause]}` }]);
    const sent = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
    expect([sent.status, sent.json()]).toEqual([404, { code: "not_found", message: `${FAILURE} ${words[cause]}` }]);
    const form = await app.post(`/verify/${token}`, { supervisorName: "Ola" });
    expect([form.status, textOf(form.text)]).toEqual([404, expect.stringContaining(words[cause])]);
  }
});

test("an unknown link shows no reason, and the way to what waits for an address", async () => {
  const page = await app.get("/verify/00000000-0000-4000-8000-000000000000");
  expect(textsOf(page.text, "p")).toEqual([
    ...[FAILURE, "Are records waiting for you? Send yourself a link to all of them"],
  ]);
});

test("without a request, after a withdrawal and after a verification, withdrawing is 409", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const noRequest = "No verification request is open, so there is nothing to withdraw.";
  const never = await ada.json("DELETE", `/api/verify-request/${id}`);
  expect([never.status, never.json()]).toEqual([409, { code: "request_ended", message: noRequest }]);
  await ada.requestVerification(id);
  await ada.json("DELETE", `/api/verify-request/${id}`);
  expect((await ada.json("DELETE", `/api/verify-request/${id}`)).json()).toEqual({
    code: "request_ended",
    message: noRequest,
  });
  const { entry } = await ada.addVerifiedEntry();
  const late = await ada.json("DELETE", `/api/verify-request/${entry.id}`);
  expect([late.status, late.json()]).toEqual([
    409,
    { code: "already_verified", message: "This entry is already verified." },
  ]);
  const page = await ada.follow(await ada.post(`/profile/record/${entry.id}/withdraw`, {}));
  expect(textsOf(page.text, "div", 'role="alert"')).toEqual(["Error This entry is already verified."]);
});

// Catches a button's route without a component, whose error page said "Unexpected Server Error".
test("a button for something that does not exist leads to a page that says so", async () => {
  const ada = await app.register();
  for (const path of [
    "/requests/999999/withdraw",
    "/requests/999999/remind",
    "/requests/999999/reminders",
    "/profile/record/999999/withdraw",
    "/profile/record/999999/restore",
    "/import/999999/apply",
    "/import/999999/undo",
  ]) {
    const { status, text } = await ada.post(path, {});
    expect([path, status, textOf(text)]).toEqual([path, 404, expect.stringMatching(/There is no|Entry not found/)]);
  }
});

test("a waiting email is not sent after a withdrawal; the new request's email is, with the new link", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  app.mailChannels.reset();
  app.mailChannels.behave({ status: 500 });
  const old = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  await ada.json("DELETE", `/api/verify-request/${id}`);
  app.mailChannels.reset();
  const fresh = await ada.requestVerification(id, supervisor.id);
  await app.sweep();
  await app.sweep();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["cancelled", "sent"]);
  const requests = app.mailChannels.delivered.filter(({ subject }) => subject.includes("asks you to verify"));
  expect(requests.map(({ text }) => [text.includes(fresh), text.includes(old)])).toEqual([[true, false]]);
});

test("one of a withdrawal and 20 concurrent confirmations succeeds, and the log matches the record", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { ada, id, token } = await requestedEntry();
    const [withdrawn, ...confirmed] = await Promise.all([
      ada.json("DELETE", `/api/verify-request/${id}`),
      ...Array.from({ length: 20 }, (_, n) => app.json("POST", `/api/verify/${token}`, { supervisorName: `S ${n}` })),
    ]);
    const won = confirmed.filter(({ status }) => status === 200).length;
    expect([withdrawn.status, won]).toEqual(won === 1 ? [409, 1] : [200, 0]);
    const lost = confirmed.filter(({ status }) => status !== 200).map(({ status }) => status);
    expect(new Set(lost)).toEqual(new Set([won === 1 ? 409 : 404]));
    await app.idle();
    const { log, intact } = (await ada.get(`/api/entries/${id}/verification`)).json<{
      log: { event: string }[];
      intact: boolean;
    }>();
    expect([intact, log.at(-1)?.event]).toEqual([true, won === 1 ? "verified" : "withdrawn"]);
    const [stored] = await rows(app.db, "SELECT verified FROM entries WHERE id = ?", id);
    expect(stored?.verified).toBe(won);
  }
});

test("the record's log keeps a supervisor as they were when asked, even if they are edited or deleted", async () => {
  const { ada, id, supervisor } = await requestedEntry();
  await app.db
    .prepare("UPDATE supervisors SET name = 'Somebody Else', email = 'else@example.org' WHERE id = ?")
    .bind(supervisor.id)
    .run();
  const edited = await ada.get(`/profile/record/${id}`);
  expect(textOf(edited.text)).toContain(`The email to Ola Hansen (${supervisor.email}) has been sent.`);
  expect(textOf(edited.text)).not.toContain("Somebody Else");
  await app.db.prepare("DELETE FROM supervisors WHERE id = ?").bind(supervisor.id).run();
  const page = await ada.get(`/profile/record/${id}`);
  expect(textOf(page.text)).toContain(`The email to Ola Hansen (${supervisor.email}) has been sent.`);
});

test("an admin can read every record's history but not withdraw; other users can do neither", async () => {
  const { ada, id } = await requestedEntry();
  const admin = await app.register({ isAdmin: true });
  const page = await admin.get(`/admin/entry/${id}`);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textOf(page.text)).toContain(ada.user.name);
  expect(tagsOf(page.text, "form").map(({ action }) => action)).toEqual(["/logout", "/logout"]);
  expect(page.text).not.toContain("/verify/");
  const theirs = (await ada.get(`/api/entries/${id}/verification`)).json();
  expect((await admin.get(`/api/admin/entries/${id}/verification`)).json()).toEqual(theirs);
  expect((await ada.get(`/admin/entry/${id}`)).location).toBe("/profile");
  expect(await count(app.db, "verification_log", "record_id = ?", id)).toBe(1);
});
