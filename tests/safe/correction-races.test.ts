import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn } from "#tests/worker/html.ts";
import { aSupervisor, type Entry, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { reportFigure } from "./figures.ts";
import { FEW_SEEDS, race } from "./race.ts";

/*
 * An owner edits, deletes or withdraws a record while a supervisor verifies it; two tabs; many events on one audit log;
 * counted attempts. In any order: a supervisor verifies only what they were shown, a verified record stays as it is,
 * the log's chain is valid, and no rate limit lets an extra attempt through.
 */

const app = await startApp();
const timeout = 10 * 60_000 + FEW_SEEDS.length * 60_000;

/** Creates an entry of 7.5 hours with an open link. */
async function entryWithOpenLink(ada: Technician) {
  const { id } = await ada.addEntry({ hours: 7.5 });
  return { id, token: await ada.requestVerification(id) };
}

async function stored(id: number) {
  const [row] = await rows<{ hours: number; location: string; verified: number; token: string | null }>(
    app.db,
    `SELECT hours / 100.0 AS hours, location, verified,
      (SELECT token FROM verification_requests WHERE own_record_id = records.id) AS token
      FROM records WHERE id = ? AND deleted_at IS NULL`,
    id,
  );
  return row;
}

/** Returns a supervisor's requests on an open page: by page and API, with the hash that the page carries. */
async function confirmation(token: string) {
  const path = `/verify/${token}`;
  const form = formIn((await app.get(path)).text, path);
  await app.idle(); // the audit log now has the opening
  const isDone = ({ location }: Answer) => location === `/success?token=${token}`;
  const send = (headers: Record<string, string>) =>
    app.post(path, form.values({ supervisorName: "Ola Hansen" }), headers);
  return { send, isDone };
}

/** Returns whether a record's audit log is one valid chain, and whether the record matches it. */
async function isIntact(ada: Technician, id: number) {
  const answer = await ada.get(`/api/entries/${id}/verification`);
  const { intact } = answer.json<{ intact: boolean }>();
  return intact;
}

test("after an edit and three concurrent verifications the verified hours are those that were shown", {
  timeout,
}, async () => {
  const ada = await app.register();
  let edits = 0;
  for (const seed of FEW_SEEDS) {
    const { id, token } = await entryWithOpenLink(ada);
    const confirm = await confirmation(token);
    const [edited, ...others] = await race(4, seed, (number, headers) =>
      number === 0 ? ada.json("PATCH", `/api/entries/${id}`, { hours: 9 }, headers) : confirm.send(headers),
    );
    const confirmed = others.filter(confirm.isDone).length;
    const isEdited = edited?.status === 200;
    edits += Number(isEdited);
    expect([seed, edited?.status, confirmed]).toEqual([seed, isEdited ? 200 : 409, isEdited ? 0 : 1]);
    const row = await stored(id);
    expect([seed, row?.hours, row?.verified, row?.token]).toEqual(
      isEdited ? [seed, 9, 0, null] : [seed, 7.5, 1, token],
    );
    expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
  }
  reportFigure(
    "Edit raced with confirm",
    `${edits} edits and ${FEW_SEEDS.length - edits} confirmations won, none of what was not shown`,
  );
});

for (const [what, method, path] of [
  ["withdrawing", "POST", (id: number) => `/profile/record/${id}/withdraw`],
  ["deleting", "POST", (id: number) => `/profile/record/${id}/delete`],
] as const) {
  test(`one of ${what} and three concurrent verifications succeeds, and the others are refused`, {
    timeout,
  }, async () => {
    const ada = await app.register();
    for (const seed of FEW_SEEDS) {
      const { id, token } = await entryWithOpenLink(ada);
      const confirm = await confirmation(token);
      const answers = await race(4, seed, (number, headers) =>
        number === 0 ? ada.send(method, path(id), { body: new URLSearchParams(), headers }) : confirm.send(headers),
      );
      expect([seed, answers.filter(({ status }) => status >= 500)]).toEqual([seed, []]);
      const row = await stored(id);
      const confirmed = answers.slice(1).filter(confirm.isDone).length;
      expect([seed, confirmed]).toEqual([seed, row?.verified ?? 0]);
      // After a withdrawal or deletion the link is dead; after a verification it shows who verified.
      expect([seed, (await app.get(`/api/verify/${token}`)).status]).toEqual([seed, row?.verified ? 409 : 404]);
      if (row) expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
    }
  });
}

test("one of two tabs that edit one entry saves, and the other shows that the entry changed", {
  timeout,
}, async () => {
  const ada = await app.register();
  for (const seed of FEW_SEEDS) {
    const { id } = await ada.addEntry();
    const path = `/profile/record/${id}/edit`;
    const form = formIn((await ada.get(path)).text, path);
    const answers = await race(2, seed, (number, headers) =>
      ada.post(path, form.values({ hours: number ? "8" : "9" }), headers),
    );
    expect([seed, answers.map(({ status }) => status).sort()]).toEqual([seed, [303, 409]]);
    const won = answers.findIndex(({ status }) => status === 303);
    expect([seed, (await stored(id))?.hours]).toEqual([seed, won ? 8 : 9]);
  }
});

test("two calls that change different fields are both kept", { timeout }, async () => {
  const ada = await app.register();
  for (const seed of FEW_SEEDS) {
    const { id } = await entryWithOpenLink(ada);
    const answers = await race(2, seed, (number, headers) =>
      ada.json("PATCH", `/api/entries/${id}`, number ? { hours: 8 } : { location: "Kårstø" }, headers),
    );
    expect([seed, answers.map(({ status }) => status)]).toEqual([seed, [200, 200]]);
    const row = await stored(id);
    expect([seed, row?.hours, row?.location]).toEqual([seed, 8, "Kårstø"]);
    expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
  }
});

test("an entry that is deleted and restored concurrently exists once or not at all", { timeout }, async () => {
  const ada = await app.register();
  for (const seed of FEW_SEEDS) {
    const { id } = await ada.addEntry();
    const deleted = await race(4, seed, (_, headers) => ada.json("DELETE", `/api/entries/${id}`, undefined, headers));
    expect([seed, deleted.map(({ status }) => status).sort()]).toEqual([seed, [200, 404, 404, 404]]);
    const restored = await race(4, seed, (_, headers) => ada.json("POST", `/api/entries/${id}/restore`, {}, headers));
    expect([seed, restored.filter(({ status }) => status >= 500)]).toEqual([seed, []]);
    expect([seed, restored.filter(({ status }) => status === 200).length > 0]).toEqual([seed, true]);
    expect([seed, await count(app.db, "records", "id = ? AND deleted_at IS NULL", id)]).toEqual([seed, 1]);
  }
});

test("the audit log of a record that ten clients request, withdraw and verify at once is one valid chain", {
  timeout,
}, async () => {
  for (const seed of FEW_SEEDS) {
    const ada = await app.register(); // an account makes 100 requests a day
    const { id, token } = await entryWithOpenLink(ada);
    const supervisors = [await ada.addSupervisor(), await ada.addSupervisor(aSupervisor({ name: "Liv Ås" }))];
    const answers = await race(10, seed, (number, headers) => {
      if (number === 0) return app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" }, headers);
      if (number === 1) return ada.post(`/profile/record/${id}/withdraw`, {}, headers);
      if (number === 2) return ada.json("PATCH", `/api/entries/${id}`, { hours: 6 }, headers);
      const supervisorId = supervisors[number % 2]?.id;
      return ada.json("POST", `/api/verify-request/${id}`, { supervisorId }, headers);
    });
    expect([seed, answers.filter(({ status }) => status >= 500).map(({ text }) => text)]).toEqual([seed, []]);
    expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
    const list = (await ada.get("/api/entries")).json<Entry[]>();
    expect([seed, list.filter((entry) => entry.id === id).length]).toEqual([seed, 1]);
  }
});

test("ten of 25 concurrent wrong passwords are checked, and the rest are refused", { timeout }, async () => {
  for (const seed of FEW_SEEDS) {
    const ada = await app.register();
    const thief = app.as(new Map());
    const guess = (password: string, headers = {}) =>
      thief.json("POST", "/api/auth/login", { email: ada.user.email, password }, headers);
    const answers = await race(25, seed, (number, headers) => guess(`guess ${number}`, headers));
    const statuses = answers.map(({ status }) => status);
    expect([seed, statuses.filter((one) => one === 401).length]).toEqual([seed, 10]);
    expect([seed, statuses.filter((one) => one === 429).length]).toEqual([seed, 15]);
    // From that address even the right password is refused; from another one the owner logs in.
    expect([seed, (await guess(PASSWORD)).status]).toEqual([seed, 429]);
    const answer = await app.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
    expect([seed, answer.status]).toEqual([seed, 200]);
  }
});

test("thirty of 40 made-up links from one address are looked up", { timeout }, async () => {
  for (const seed of FEW_SEEDS) {
    const thief = app.as(new Map());
    const answers = await race(40, seed, (_, headers) => thief.get(`/api/verify/${crypto.randomUUID()}`, headers));
    const found = [404, 429].map((one) => answers.filter(({ status }) => status === one).length);
    expect([seed, found]).toEqual([seed, [30, 10]]);
  }
});

test("three of ten concurrent requests for a reset link send an email, and all get the same answer", {
  timeout,
}, async () => {
  for (const seed of FEW_SEEDS) {
    const { user } = await app.register();
    const answers = await race(10, seed, (_, headers) =>
      app.json("POST", "/api/auth/reset-password", { email: user.email }, headers),
    );
    expect([seed, new Set(answers.map(({ status, text }) => `${status} ${text}`)).size]).toEqual([seed, 1]);
    const mails = await count(app.db, "outbox", "user_id = ? AND kind = 'password_reset'", user.id);
    expect([seed, mails <= 3]).toEqual([seed, true]);
  }
});
