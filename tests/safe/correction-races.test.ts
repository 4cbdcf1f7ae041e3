import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn } from "#tests/worker/html.ts";
import { aSupervisor, type Entry, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { tell } from "./figures.ts";
import { race, SEEDS } from "./race.ts";

/*
 * A record that its owner corrects, deletes or takes back while a supervisor confirms it; two tabs; a log that many add
 * to; tries that are counted. Whatever the order, nobody confirms what they did not see, what is verified stays, the
 * chain of the log holds, and no limit lets one more through.
 */

const app = await startApp({ cheapHashes: true });
const timeout = 10 * 60_000 + SEEDS.length * 60_000;

/** An entry of 7.5 hours with an open link. */
async function asked(ada: Technician) {
  const { id } = await ada.addEntry({ hours: 7.5 });
  return { id, token: await ada.requestVerification(id) };
}

async function stored(id: number) {
  const [row] = await rows<{ hours: number; location: string; verified: number; token: string | null }>(
    app.db,
    "SELECT hours, location, verified, verification_token AS token FROM entries WHERE id = ?",
    id,
  );
  return row;
}

/** What a supervisor does who has the page open: by the page, with what it carries. */
async function confirmation(token: string) {
  const path = `/verify/${token}`;
  const form = formIn((await app.get(path)).text, path);
  await app.idle(); // it is noted that the page was opened
  const isDone = ({ location }: Answer) => location === `/success?token=${token}`;
  const send = (headers: Record<string, string>) =>
    app.post(path, form.values({ supervisorName: "Ola Hansen" }), headers);
  return { send, isDone };
}

/** Whether a record's log is a whole chain, and the record what the log says. */
async function isIntact(ada: Technician, id: number) {
  const answer = await ada.get(`/api/entries/${id}/verification`);
  const { intact } = answer.json<{ intact: boolean }>();
  return intact;
}

test("of an edit and three confirmations at once: the confirmed hours are those that were shown", {
  timeout,
}, async () => {
  const ada = await app.register();
  let edits = 0;
  for (const seed of SEEDS) {
    const { id, token } = await asked(ada);
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
  tell(
    "Edit raced with confirm",
    `${edits} edits and ${SEEDS.length - edits} confirmations won, none of what was not shown`,
  );
});

for (const [what, method, path] of [
  ["withdrawing", "POST", (id: number) => `/profile/record/${id}/withdraw`],
  ["deleting", "POST", (id: number) => `/profile/record/${id}/delete`],
] as const) {
  test(`of ${what} and three confirmations at once, one wins, and the others are told`, { timeout }, async () => {
    const ada = await app.register();
    for (const seed of SEEDS) {
      const { id, token } = await asked(ada);
      const confirm = await confirmation(token);
      const answers = await race(4, seed, (number, headers) =>
        number === 0 ? ada.send(method, path(id), { body: new URLSearchParams(), headers }) : confirm.send(headers),
      );
      expect([seed, answers.filter(({ status }) => status >= 500)]).toEqual([seed, []]);
      const row = await stored(id);
      const confirmed = answers.slice(1).filter(confirm.isDone).length;
      expect([seed, confirmed]).toEqual([seed, row?.verified ?? 0]);
      // Taken back or deleted, the link is dead; verified, it leads to who verified it.
      expect([seed, (await app.get(`/api/verify/${token}`)).status]).toEqual([seed, row?.verified ? 409 : 404]);
      if (row) expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
    }
  });
}

test("of two tabs that edit one entry, one is saved and the other is told that it changed", { timeout }, async () => {
  const ada = await app.register();
  for (const seed of SEEDS) {
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
  for (const seed of SEEDS) {
    const { id } = await asked(ada);
    const answers = await race(2, seed, (number, headers) =>
      ada.json("PATCH", `/api/entries/${id}`, number ? { hours: 8 } : { location: "Kårstø" }, headers),
    );
    expect([seed, answers.map(({ status }) => status)]).toEqual([seed, [200, 200]]);
    const row = await stored(id);
    expect([seed, row?.hours, row?.location]).toEqual([seed, 8, "Kårstø"]);
    expect([seed, await isIntact(ada, id)]).toEqual([seed, true]);
  }
});

test("an entry that is deleted and restored by many at once is there once, or not at all", { timeout }, async () => {
  const ada = await app.register();
  for (const seed of SEEDS) {
    const { id } = await ada.addEntry();
    const deleted = await race(4, seed, (_, headers) => ada.json("DELETE", `/api/entries/${id}`, undefined, headers));
    expect([seed, deleted.map(({ status }) => status).sort()]).toEqual([seed, [200, 404, 404, 404]]);
    const restored = await race(4, seed, (_, headers) => ada.json("POST", `/api/entries/${id}/restore`, {}, headers));
    expect([seed, restored.filter(({ status }) => status >= 500)]).toEqual([seed, []]);
    expect([seed, restored.filter(({ status }) => status === 200).length > 0]).toEqual([seed, true]);
    expect([seed, await count(app.db, "entries", "id = ?", id)]).toEqual([seed, 1]);
    expect([seed, await count(app.db, "deleted_records", "record_id = ?", id)]).toEqual([seed, 0]);
  }
});

test("the log of a record that ten ask about, take back and confirm at once is one whole chain", {
  timeout,
}, async () => {
  const ada = await app.register();
  for (const seed of SEEDS) {
    const { id, token } = await asked(ada);
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

test("of 25 wrong passwords at once ten are tried, and the eleventh is not", { timeout }, async () => {
  for (const seed of SEEDS) {
    const ada = await app.register();
    const thief = app.as(new Map());
    const guess = (password: string, headers = {}) =>
      thief.json("POST", "/api/auth/login", { email: ada.user.email, password }, headers);
    const answers = await race(25, seed, (number, headers) => guess(`guess ${number}`, headers));
    const statuses = answers.map(({ status }) => status);
    expect([seed, statuses.filter((one) => one === 401).length]).toEqual([seed, 10]);
    expect([seed, statuses.filter((one) => one === 429).length]).toEqual([seed, 15]);
    // From there not even the right one; from elsewhere its owner comes in as ever.
    expect([seed, (await guess(PASSWORD)).status]).toEqual([seed, 429]);
    const answer = await app.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
    expect([seed, answer.status]).toEqual([seed, 200]);
  }
});

test("of 40 made-up links from one address at once thirty are looked up", { timeout }, async () => {
  for (const seed of SEEDS) {
    const thief = app.as(new Map());
    const answers = await race(40, seed, (_, headers) => thief.get(`/api/verify/${crypto.randomUUID()}`, headers));
    const found = [404, 429].map((one) => answers.filter(({ status }) => status === one).length);
    expect([seed, found]).toEqual([seed, [30, 10]]);
  }
});

test("of ten requests for a reset link at once three are mailed, and all are answered alike", { timeout }, async () => {
  for (const seed of SEEDS) {
    const { user } = await app.register();
    const answers = await race(10, seed, (_, headers) =>
      app.json("POST", "/api/auth/reset-password", { email: user.email }, headers),
    );
    expect([seed, new Set(answers.map(({ status, text }) => `${status} ${text}`)).size]).toEqual([seed, 1]);
    const mails = await count(app.db, "outbox", "user_id = ? AND kind = 'password_reset'", user.id);
    expect([seed, mails <= 3]).toEqual([seed, true]);
  }
});
