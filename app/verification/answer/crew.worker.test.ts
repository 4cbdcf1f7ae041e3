import { expect, test } from "vitest";
import { inboxToken } from "#app/supervisor-mail/inbox.server.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { itemStates, type StoredRequest, storeRequest } from "#tests/worker/requests.ts";
import { SECRET } from "#tests/worker/world.ts";

/*
 * The crew page: one name and one button for the records of several technicians who asked one mailbox. Catches a technician's
 * change that keeps the others' records from being verified, and an answer that reaches the record of another form's request.
 */

const app = await startApp();
/** A browser, which keeps the cookie of a message. */
const supervisor = await app.register();
let mailboxes = 0;

/** A crew of this many, each with two records and an open request to one mailbox, and its page. */
async function aCrew(size: number) {
  mailboxes += 1;
  const supervisorEmail = `lead-${mailboxes}@refinery.example`;
  const crew = await Promise.all(
    Array.from({ length: size }, async (_, index) => {
      const technician = await app.register({ name: `Member ${index + 1}` });
      const entries = await technician.addEntries([{ hours: 7.5 }, { hours: 2, method: "PT", date: "2026-11-19" }]);
      const records = entries.map(({ id }) => ({ type: "entry" as const, id }));
      return {
        technician,
        records,
        request: await storeRequest(app.db, { userId: technician.user.id, records, supervisorEmail }),
      };
    }),
  );
  const path = pathOf(crew[0]?.request, supervisorEmail);
  const open = () => app.get(path);
  const page = await open();
  await app.idle();
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const values = formIn(page.text, path).values({ supervisorName: "Ola Hansen", ...fields });
    return supervisor.post(path, values, headers);
  };
  const states = () => Promise.all(crew.map(({ request }) => itemStates(app.db, request.id)));
  return { crew, path, page, open, send, states, supervisorEmail };
}

function pathOf(request: StoredRequest | undefined, supervisorEmail: string): string {
  return `/inbox/${inboxToken(SECRET, { id: request?.id ?? 0, supervisorEmail }, new Date())}`;
}

/** The text of the page that the answer to a form leads to. */
async function textAfter(answer: Answer, path: string): Promise<string> {
  expect([answer.status, answer.location]).toEqual([303, path]);
  return textOf((await supervisor.follow(answer)).text);
}

test("six technicians' records are on one page, by technician, with the sums first, one name and one button", async () => {
  const { page } = await aCrew(6);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textsOf(page.text, "h1")).toEqual(["6 technicians ask you to verify 57.0 OJT hours"]);
  expect(textsOf(page.text, "dl")).toEqual(["MT 45.0 PT 12.0 Total Hours: 57.0"]);
  const names = textsOf(page.text, "h2").filter((text) => text.startsWith("Member"));
  expect(names).toEqual([1, 2, 3, 4, 5, 6].map((n) => `Member ${n} 9.5 OJT hours`));
  expect(textsOf(page.text, "button")).toEqual(["Verify 12 records, 57.0 h"]);
  const shown = tagsOf(page.text, "input").filter(({ type }) => type === "hidden");
  expect(shown.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, n) => `items[${n}].shown`));
  expect(tagsOf(page.text, "script")).toEqual([]);
  expect(page.text).not.toContain("lead-");
});

test("one button verifies all of them in two round trips, each as an answer of its own request from the mailbox", async () => {
  const { crew, send, states, path } = await aCrew(3);
  const answer = await send({ "items[1].answer": "decline", "items[1].reason": "This was 6 hours" });
  expect(answer.trips).toBe(2);
  const text = await textAfter(answer, path);
  expect(text).toContain("Thank you for verifying 5 records. You declined 1.");
  expect(text).toContain("Nothing waits for you. Thank you.");
  expect(text).toContain("Answered within the last hour Member 1 See the answer, or take it back");
  expect((await states()).map((of) => of.toSorted())).toEqual([
    ["declined", "verified"],
    ["verified", "verified"],
    ["verified", "verified"],
  ]);
  const ids = JSON.stringify(crew.map(({ request }) => request.id));
  const answers =
    "SELECT request_id, name, via FROM verification_answers WHERE request_id IN (SELECT value FROM json_each(?))";
  expect(await rows(app.db, answers, ids)).toEqual(
    crew.map(({ request }) => ({ request_id: request.id, name: "Ola Hansen", via: "mailbox" })),
  );
});

test("a technician who is no longer as shown is left out whole and named, and the others' records are verified", async () => {
  const { crew, send, states, path, open } = await aCrew(3);
  const id = crew[1]?.technician.user.id;
  await app.db.prepare("UPDATE users SET name = 'Member Two' WHERE id = ?").bind(id).run();
  const text = await textAfter(await send({}), path);
  expect(text).toContain(
    "Thank you for verifying 4 records. Records of Member Two were changed since you opened the page.",
  );
  expect((await states())[1]).toEqual(["waiting", "waiting"]);
  expect(textsOf((await open()).text, "h1")).toEqual(["Member Two asks you to verify 9.5 OJT hours"]);
});

test("a record that was edited meanwhile is left out, and the page says that it no longer waits", async () => {
  const { crew, send, states, path } = await aCrew(2);
  const [ada] = crew;
  const edited = await ada?.technician.json("PATCH", `/api/entries/${ada.records[0]?.id}`, { hours: 8 });
  expect(edited?.status).toBe(200);
  const text = await textAfter(await send({}), path);
  expect(text).toContain(
    "Thank you for verifying 3 records. 1 record no longer waits: withdrawn, edited, or answered elsewhere.",
  );
  expect((await states())[0]).toEqual(["ended: edited", "verified"]);
});

test("a request that is withdrawn meanwhile is left out, and the page says how many records no longer wait", async () => {
  const { crew, send, states, path } = await aCrew(2);
  const [ada] = crew;
  expect((await ada?.technician.json("DELETE", `/api/verification-requests/${ada.request.id}`))?.status).toBe(200);
  const text = await textAfter(await send({}), path);
  expect(text).toContain(
    "Thank you for verifying 2 records. 2 records no longer wait: withdrawn, edited, or answered elsewhere.",
  );
  expect((await states())[1]).toEqual(["verified", "verified"]);
});

test("the same page sent twice stores one answer, and the second says that nothing was saved", async () => {
  const { crew, send, path } = await aCrew(2);
  const [first, second] = await Promise.all([send({}), send({})]);
  for (const { status } of [first, second]) expect(status).toBe(303);
  const ids = JSON.stringify(crew.map(({ request }) => request.id));
  const answers = "SELECT count(*) AS n FROM verification_answers WHERE request_id IN (SELECT value FROM json_each(?))";
  expect(await rows(app.db, answers, ids)).toEqual([{ n: 2 }]);
  expect(await textAfter(await send({}), path)).toContain("Nothing was saved. 4 records no longer wait");
});

test("a form without a name comes back with what was marked, and nothing is stored", async () => {
  const { send, states } = await aCrew(2);
  const answer = await send({ supervisorName: "", "items[2].answer": "decline", "items[2].reason": "Wrong day" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("Wrong day");
  expect(
    tagsOf(answer.text, "input")
      .filter((box) => "checked" in box)
      .map(({ name }) => name),
  ).toEqual(["items[2].answer"]);
  expect((await states()).flat()).toEqual(["waiting", "waiting", "waiting", "waiting"]);
});

test("records of other mailboxes are neither shown nor answered, whatever the form says", async () => {
  const { page, path, states } = await aCrew(1);
  const other = await aCrew(1);
  const hidden = tagsOf(other.page.text, "input").find(({ name }) => name === "items[0].shown");
  const answer = await app.submit(page, path, { supervisorName: "Ola Hansen", "items[0].shown": hidden?.value ?? "" });
  expect(answer.status).toBe(303);
  expect(await other.states()).toEqual([["waiting", "waiting"]]);
  expect((await states())[0]?.filter((state) => state === "verified")).toHaveLength(1);
});

test("a technician whose own mailbox this has become is named, and cannot be answered here", async () => {
  const { crew, send, states, open, supervisorEmail } = await aCrew(2);
  const id = crew[0]?.technician.user.id;
  await app.db.prepare("UPDATE users SET email = ? WHERE id = ?").bind(supervisorEmail, id).run();
  const page = await open();
  expect(textsOf(page.text, "h1")).toEqual(["Member 2 asks you to verify 9.5 OJT hours"]);
  expect(textOf(page.text)).toContain("Records of Member 1 are not here: no one verifies their own hours");
  expect((await send({})).status).toBe(303);
  expect(await states()).toEqual([
    ["waiting", "waiting"],
    ["verified", "verified"],
  ]);
});

test("thirty technicians with sixty records are answered at once", async () => {
  const { send, states, page } = await aCrew(30);
  expect(textsOf(page.text, "h1")).toEqual(["30 technicians ask you to verify 285.0 OJT hours"]);
  const answer = await send({});
  expect([answer.status, answer.trips]).toEqual([303, 2]);
  expect(new Set((await states()).flat())).toEqual(new Set(["verified"]));
});

test("each open request is noted as opened, after the page is sent", async () => {
  const { crew } = await aCrew(3);
  const ids = JSON.stringify(crew.map(({ request }) => request.id));
  const noted =
    "SELECT count(*) AS n FROM request_events WHERE event = 'opened' AND request_id IN (SELECT value FROM json_each(?))";
  expect(await rows(app.db, noted, ids)).toEqual([{ n: 3 }]);
});

test.each(["before", "after"])(
  "a batch that fails %s it is stored leaves all answers stored or none, and the page says so",
  async (how) => {
    const { send, states, path } = await aCrew(3);
    const failed = await send({}, { "x-fail-d1-round-trip": `2 ${how}` });
    expect([failed.status, textOf(failed.text)]).toEqual([
      500,
      expect.stringContaining("An error occurred during verification"),
    ]);
    const stored = new Set((await states()).flat());
    expect([...stored]).toEqual([how === "before" ? "waiting" : "verified"]);
    expect(await textAfter(await send({}), path)).toContain(
      how === "before" ? "Thank you for verifying 6 records." : "Nothing was saved. 6 records no longer wait",
    );
  },
);
