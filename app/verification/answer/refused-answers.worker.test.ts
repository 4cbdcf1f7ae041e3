import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { type Answer, askAbout, type Item, storeRequest } from "#tests/worker/requests.ts";

/*
 * Answers to a link for several records that are refused, or left out. Catches answers about records of other requests, a
 * check of the hashes after the first record was saved, and a record that is verified twice.
 */

const app = await startApp();
const UNKNOWN = "An answer is about a record that is not in this request";

test("an answer about a record that is not in the request, twice, or declined and skipped is 400 and saves nothing", async () => {
  const { ada, records, answer, states } = await askAbout(app);
  const other = { type: "entry", id: (await ada.addEntry()).id };
  const [first] = records;
  // The id of an entry, with the other kind.
  const ropeAsEntry = { type: "rope_hour", id: records[3]?.id };
  for (const [body, message] of [
    [{ declined: [{ ...other, reason: "No" }] }, UNKNOWN],
    [{ skipped: [other] }, UNKNOWN],
    [{ skipped: [ropeAsEntry] }, UNKNOWN],
    [{ skipped: [first, first] }, "skipped has a record twice"],
    [
      {
        declined: [
          { ...first, reason: "No" },
          { ...first, reason: "Yes" },
        ],
      },
      "declined has a record twice",
    ],
    [
      { declined: [{ ...first, reason: "No" }], skipped: [first] },
      "A record cannot be declined and left for later at once",
    ],
    [{ declined: [first] }, "Give a reason"],
    [{ declined: [{ ...first, reason: " \u200b " }] }, "Give a reason"],
    [{ declined: [{ ...first, reason: "x".repeat(501) }] }, "Reason must be at most 500 characters"],
    [{ declined: [{ type: "leave", id: 1, reason: "No" }] }, "type must name a kind of record"],
    [{ skipped: [{ type: "entry", id: "1" }] }, "id must be a number"],
    [{ skipped: Array(101).fill(first) }, "A request has at most 100 records"],
    [{ skipped: first }, "skipped must be a list"],
    [
      { shown: "0".repeat(64) },
      "shown must be a list of objects with type, id and hash: this link asks for several records",
    ],
    [{ certification: { level: "x".repeat(201) } }, "Level must be at most 200 characters"],
    [
      { certification: "Level III" },
      "certification must be an object with scheme, methods, level, number and validUntil",
    ],
    [{ supervisorName: " " }, "Name is required"],
  ] as const) {
    const refused = await answer(body);
    expect([body, refused.status, refused.json().message]).toEqual([body, 400, message]);
  }
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
});

test("a reason of 500 characters is accepted, emoji counted as one", async () => {
  const { records, answer } = await askAbout(app);
  const reason = "👷".repeat(500);
  expect((await answer({ declined: [{ ...records[0], reason }] })).status).toBe(200);
});

test("with `shown` a record whose hash is another is 409 and nothing is saved; so is one that was not shown", async () => {
  const { ada, answer, call, states } = await askAbout(app);
  const shown = (await app.get(call)).json<{ items: Item[] }>().items.map(({ type, id, hash }) => ({ type, id, hash }));
  await app.idle();
  const refused = await answer({ shown: shown.slice(1) });
  expect([refused.status, new Set(await states())]).toEqual([409, new Set(["waiting"])]);
  await ada.json("PATCH", "/api/user", { name: "Kari Hansen" });
  const changed = await answer({ shown });
  expect([changed.status, changed.json().message]).toEqual([
    409,
    "5 records were changed since you opened them. Look at them again, and confirm them if they are right.",
  ]);
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
  const now = (await app.get(call)).json<{ items: Item[] }>().items.map(({ type, id, hash }) => ({ type, id, hash }));
  await app.idle();
  expect((await answer({ shown: now })).status).toBe(200);
});

test("a record that was decided elsewhere or withdrawn meanwhile is left out, and its item says why", async () => {
  const { ada, records, answer, states } = await askAbout(app);
  const other = await storeRequest(app.db, { userId: ada.user.id, records: records.slice(0, 1) });
  expect((await app.json("POST", `/api/verify/${other.token}`, { supervisorName: "Per" })).status).toBe(200);
  await ada.json("PATCH", `/api/entries/${records[1]?.id}`, { hours: 8 });
  await ada.json("DELETE", `/api/entries/${records[2]?.id}`);
  const done = await answer({
    declined: [
      { ...records[0], reason: "No" },
      { ...records[2], reason: "No" },
    ],
  });
  expect([done.status, done.json<Answer>().verified, done.json<Answer>().declined]).toEqual([200, 2, 0]);
  expect(await states()).toEqual(["ended: elsewhere", "ended: edited", "ended: deleted", "verified", "verified"]);
  const [first] = await rows(app.db, "SELECT verified_by AS name FROM entries WHERE id = ?", records[0]?.id);
  expect(first).toEqual({ name: "Per" });
});

test("a link that has expired, or whose records were all withdrawn, edited or deleted, is 404 and says which", async () => {
  const { ada, records, call, answer } = await askAbout(app, 1);
  await ada.json("PATCH", `/api/entries/${records[0]?.id}`, { hours: 8 });
  await ada.json("PATCH", `/api/rope-hours/${records[1]?.id}`, { hours: 8 });
  for (const said of [await app.get(call), await answer({})]) {
    expect([said.status, said.json().message]).toEqual([
      404,
      "This entry may have already been verified or the link is invalid. The technician has changed these records, which ended this link. There is nothing for you to do.",
    ]);
  }
  const late = await storeRequest(app.db, { userId: ada.user.id, records, requestedAt: 1, expiresAt: 2 });
  const expired = await app.get(`/api/verify/${late.token}`);
  expect([expired.status, expired.json().message]).toEqual([404, expect.stringContaining("This link has expired.")]);
});

test("if the second round trip fails, nothing is stored, and the same answers can be sent again", async () => {
  const { records, states, call } = await askAbout(app);
  const body = { supervisorName: "Ola Hansen", declined: [{ ...records[0], reason: "No" }] };
  const failed = await app.json("POST", call, body, { "x-fail-d1-round-trip": "2" });
  expect([failed.status, new Set(await states())]).toEqual([500, new Set(["waiting"])]);
  expect((await app.json("POST", call, body)).status).toBe(200);
});
