import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { storeRequests } from "#tests/worker/requests.ts";

/* The lists of the API: their pages, their limits and their parameters. Detects a page that drops or repeats a row. */

const app = await startApp();
const { db } = app;

const nextOf = (link: string | null) => link?.match(/^<http:\/\/localhost(\/[^>]+)>; rel="next"$/)?.[1];

/** The ids of a list, page by page as `Link` leads. */
async function pagesOf(who: Client, path: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let next: string | undefined = path; next; ) {
    const answer: Awaited<ReturnType<Client["get"]>> = await who.get(next);
    expect([answer.status, answer.trips]).toEqual([200, 1]);
    pages.push(answer.json<{ id: number }[]>().map(({ id }) => id));
    next = nextOf(answer.headers.get("Link"));
  }
  return pages;
}

const NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)";

test("a list of records answers 2,000 at most, newest first, and Link leads through all of them once", async () => {
  const ada = await app.register();
  await db
    .prepare(
      `${NUMBERS} INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
      SELECT ?, 'entry', date('2020-01-01', '+' || (n / 3) || ' days'), 'Rig', iif(n % 2, 'MT', 'PT'), 100, 'rig ' || n, 1 FROM numbers`,
    )
    .bind(4_500, ada.user.id)
    .run();
  const order = "SELECT id FROM records WHERE user_id = ? ORDER BY date DESC, id DESC";
  const ids = (await rows<{ id: number }>(db, order, ada.user.id)).map(({ id }) => id);
  const pages = await pagesOf(ada, "/api/entries");
  expect(pages.map(({ length }) => length)).toEqual([2_000, 2_000, 500]);
  expect(pages.flat()).toEqual(ids);
  expect((await ada.get("/api/entries?limit=2000&from=2024-01-01")).headers.get("Link")).toBeNull();
});

test("records take the filters of the page, and Link keeps them", async () => {
  const ada = await app.register();
  const entries = [
    await ada.addEntry({ date: "2026-01-01", method: "MT", location: "Sture" }),
    await ada.addEntry({ date: "2026-02-01", method: "PT", location: "Sture" }),
    await ada.addEntry({ date: "2026-03-01", method: "PT", location: "Kårstø" }),
    await ada.addEntry({ date: "2026-04-01", method: "PT", location: "Kårstø" }),
  ].map(({ id }) => id);
  await ada.requestVerification(entries[2] ?? 0);
  const at = (...places: number[]) => places.map((place) => entries[place]);
  const found = async (query: string) => (await pagesOf(ada, `/api/entries?${query}`)).flat();
  expect(await found("method=PT")).toEqual(at(3, 2, 1));
  expect(await found("method=PT&limit=1")).toEqual(at(3, 2, 1));
  expect(await found("from=2026-02-01&to=2026-03-01&status=")).toEqual(at(2, 1));
  expect(await found(`q=${encodeURIComponent("KÅRSTØ")}&limit=1`)).toEqual(at(3, 2));
  expect(await found("status=requested")).toEqual(at(2));
  const { id } = await ada.addRopeHours();
  expect((await ada.get("/api/rope-hours?status=pending&q=mongstad")).json()).toMatchObject([{ id }]);
});

test("lists of supervisors, requests and exports have pages too; of requests and exports 100 at most", async () => {
  const ada = await app.register();
  await db
    .prepare(
      `${NUMBERS} INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, created_at)
      SELECT ?, 'Ola', 'ola@example.org', n || '@example.org', '1', 'Level II', 'X', 1 FROM numbers`,
    )
    .bind(5, ada.user.id)
    .run();
  expect((await pagesOf(ada, "/api/supervisors?limit=2")).map(({ length }) => length)).toEqual([2, 2, 1]);
  await storeRequests(db, ada.user.id, 103);
  const requests = await pagesOf(ada, "/api/verification-requests");
  expect([requests.map(({ length }) => length), new Set(requests.flat()).size]).toEqual([[100, 3], 103]);
  await db
    .prepare(
      `${NUMBERS} INSERT INTO exports (id, user_id, form, code_hash, made_at, closed_at)
      SELECT 1000000000000000 + n * 7919 % 1000, ?, 'ojt', printf('%064d', n), n / 2, 1 FROM numbers`,
    )
    .bind(101, ada.user.id)
    .run();
  const exports = await pagesOf(ada, "/api/exports");
  expect([exports.map(({ length }) => length), new Set(exports.flat()).size]).toEqual([[100, 1], 101]);
  // Another technician's row is no cursor.
  const bob = await app.register();
  expect((await bob.get(`/api/verification-requests?before=${requests[0]?.[0]}`)).json()).toEqual([]);
});

test("an unknown query parameter is 400 and named, an invalid one too; without a session it is 401", async () => {
  const ada = await app.register();
  const lists = ["entries", "rope-hours", "supervisors", "verification-requests", "exports"];
  for (const list of lists) {
    const answer = await ada.get(`/api/${list}?limt=5&x=1`);
    const message = 'There is no query parameter "limt", "x" here.';
    expect([list, answer.status, answer.json<{ message: string }>().message]).toEqual([list, 400, message]);
    expect((await ada.get(`/api/${list}?limit=0`)).json()).toMatchObject({
      message: "limit must be a whole number from 1",
    });
    const max = /requests|exports/.test(list) ? 100 : 2_000;
    expect((await ada.get(`/api/${list}?limit=${max}`)).status).toBe(200);
    const tooMany = `limit must be at most ${max}`;
    expect([list, (await ada.get(`/api/${list}?limit=${max + 1}`)).json()]).toEqual([
      list,
      { code: "invalid", message: tooMany, errors: [{ path: "limit", message: tooMany }] },
    ]);
    expect((await app.as(new Map()).get(`/api/${list}?x=1`)).status).toBe(401);
  }
  const faults = {
    "status=done": "status must be one of pending, requested, declined, verified, deleted",
    "from=2026-02-30": "from must be a date, YYYY-MM-DD",
    "to=x": "to must be a date, YYYY-MM-DD",
    "before=12": "before must be a cursor, as in Link",
    "method=XX": expect.stringContaining("method must be"),
  };
  for (const [query, message] of Object.entries(faults)) {
    const answer = await ada.get(`/api/entries?${query}`);
    expect([query, answer.status, answer.json()]).toEqual([query, 400, expect.objectContaining({ message })]);
  }
  expect((await ada.get("/api/rope-hours?method=MT")).status).toBe(400); // rope hours have no method
});
