import { expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/* Taking a request back, by both doors, and what whoever opens its link is told. */

const app = await startMailApp();
const FAILURE = "This entry may have already been verified or the link is invalid.";

async function asked() {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const token = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  return { ada, id, supervisor, token };
}

test("withdrawing answers the record, ends its link for good, and asking again makes another", async () => {
  const { ada, id, supervisor, token } = await asked();
  const answer = await ada.json("DELETE", `/api/verify-request/${id}`);
  const [entry] = (await ada.get("/api/entries")).json<object[]>();
  expect([answer.status, answer.trips, answer.json()]).toEqual([200, 2, entry]);
  const again = await ada.requestVerification(id, supervisor.id);
  expect(again).not.toBe(token);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(404);
  expect((await app.json("POST", `/api/verify/${again}`, { supervisorName: "Ola" })).status).toBe(200);
});

test("whoever opens an ended link reads why, and that there is nothing to do", async () => {
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
    const { ada, id, token } = await asked();
    const [method, path, body] = ends[cause];
    expect((await ada.json(method, `${path}${id}`, body)).status).toBe(200);
    for (const client of [app, ada]) {
      const page = await client.get(`/verify/${token}`);
      expect([page.status, page.trips, textsOf(page.text, "h1")]).toEqual([404, 1, ["Verification Failed"]]);
      expect(textsOf(page.text, "p")).toEqual([FAILURE, words[cause]]);
    }
    const call = await app.get(`/api/verify/${token}`);
    expect([call.status, call.json()]).toEqual([404, { message: `${FAILURE} ${words[cause]}` }]);
    const sent = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
    expect([sent.status, sent.json()]).toEqual([404, { message: `${FAILURE} ${words[cause]}` }]);
    const form = await app.post(`/verify/${token}`, { supervisorName: "Ola" });
    expect([form.status, textOf(form.text)]).toEqual([404, expect.stringContaining(words[cause])]);
  }
});

test("a link that was never made says no more than before", async () => {
  const page = await app.get("/verify/00000000-0000-4000-8000-000000000000");
  expect(textsOf(page.text, "p")).toEqual([FAILURE]);
});

test("nothing to withdraw is 409: nobody asked, withdrawn already, verified", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const nobody = "No verification request is open, so there is nothing to withdraw.";
  const never = await ada.json("DELETE", `/api/verify-request/${id}`);
  expect([never.status, never.json()]).toEqual([409, { message: nobody }]);
  await ada.requestVerification(id);
  await ada.json("DELETE", `/api/verify-request/${id}`);
  expect((await ada.json("DELETE", `/api/verify-request/${id}`)).json()).toEqual({ message: nobody });
  const { entry } = await ada.addVerifiedEntry();
  const late = await ada.json("DELETE", `/api/verify-request/${entry.id}`);
  expect([late.status, late.json()]).toEqual([409, { message: "This entry is already verified." }]);
  const page = await ada.follow(await ada.post(`/profile/record/${entry.id}/withdraw`, {}));
  expect(textsOf(page.text, "div", 'role="alert"')).toEqual(["Error This entry is already verified."]);
});

test("a message that still waits is not sent, and the new request's is, with the new link", async () => {
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
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["moot", "sent"]);
  expect(app.mailChannels.delivered.map(({ text }) => [text.includes(fresh), text.includes(old)])).toEqual([
    [true, false],
  ]);
});

test("of a withdrawal and 20 confirmations at once one comes first, and the log agrees with the record", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { ada, id, token } = await asked();
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

test("a supervisor deleted, or edited, while their request is open stays in the record's log as they were", async () => {
  const { ada, id, supervisor } = await asked();
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

test("admins read the same of anybody's record, and cannot withdraw; others not", async () => {
  const { ada, id } = await asked();
  const admin = await app.register({ isAdmin: true });
  const page = await admin.get(`/admin/entry/${id}`);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textOf(page.text)).toContain(ada.user.name);
  expect(tagsOf(page.text, "form").map(({ action }) => action)).toEqual(["/logout"]);
  expect(page.text).not.toContain("/verify/");
  const theirs = (await ada.get(`/api/entries/${id}/verification`)).json();
  expect((await admin.get(`/api/admin/entries/${id}/verification`)).json()).toEqual(theirs);
  expect((await ada.get(`/admin/entry/${id}`)).location).toBe("/profile");
  expect(await count(app.db, "verification_log", "record_id = ? AND record_kind = 'entry'", id)).toBe(2);
});
