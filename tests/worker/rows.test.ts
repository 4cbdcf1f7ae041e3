import { expect, test } from "vitest";
import { cookiesFor } from "#app/server/context.server.ts";
import { seed, sessionOf, userId } from "#bench/seed.ts";
import { startApp } from "./app.ts";
import { rows } from "./database.ts";
import { applyImport, csvOf, sendCsv } from "./imports.ts";
import { anEntry, PASSWORD_HASH } from "./people.ts";
import { hiddenFields, requests, UNVERIFIED } from "./row-requests.ts";

/*
 * The rows that D1 reads and writes for each kind of request, by which it bills. Catches
 * a list that reads more than it shows: with `limit` taken out of listEntries, /profile of 5,000 entries read 10,009
 * rows in place of 5,510, and this failed.
 */

const app = await startApp();
const { session } = cookiesFor("http://localhost", "");

test("no request reads or writes more rows than it shows or saves", async () => {
  await app.db.batch(seed(Date.now()).map(({ sql, values }) => app.db.prepare(sql).bind(...values)));
  await app.db.prepare("UPDATE users SET password = ? WHERE id = ?").bind(PASSWORD_HASH, userId("twoHundred")).run();
  const ids = (await rows<{ id: number }>(app.db, UNVERIFIED, userId("fifty"))).map(({ id }) => id);
  const tooMany: [request: string, read: number, written: number][] = [];
  for (const { method, path, as, body, most, hidden } of requests(ids)) {
    const client = app.as(new Map());
    if (as) {
      const [name = "", value = ""] = (await session.serialize(sessionOf(as))).split(";")[0]?.split(/=(.*)/) ?? [];
      client.cookies.set(name, value);
    }
    const isForm = body instanceof URLSearchParams;
    const more = hidden ? hiddenFields((await client.get(path)).text) : [];
    const answer =
      method === "GET"
        ? await client.get(path)
        : isForm
          ? await client.post(path, Object.fromEntries([...more, ...body]))
          : await client.json("POST", path, body);
    expect([path, answer.status < 400]).toEqual([path, true]);
    await app.idle(); // the opening that it records is in the log for the next request
    const { read, written } = answer.rows;
    expect([path, read]).toEqual([path, expect.any(Number)]);
    if (read > most.read || written > most.written) tooMany.push([`${method} ${path}`, read, written]);
  }
  expect(tooMany).toEqual([]);
});

/*
 * 19,900 entries of one day, and as many certificates that end on one day. A save counts what the account holds and adds up
 * the hours of the day: an index each time. It finds the same records by their key. Seen to fail where it compares with each
 * record of the day (39,800 rows for an upload), with all certificates for the level worked as (99,500 for a save), and with all that
 * end on a day for a page of them (19,900).
 */
test("a request reads a full day once for each thing that it asks of the day, and a list what it shows", async () => {
  const kari = await app.register();
  const day = 19_900;
  await app.db
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${day})
        INSERT INTO records (user_id, kind, date, end_date, location, method, hours, subtype, fields, search, same_key, created_at)
        SELECT ?1, 'entry', '2026-11-20', NULL, 'Rig', 'MT', 100 + n, NULL, '{}', '', printf('%022d', n), 0 FROM numbers
        UNION ALL SELECT ?1, 'certificate', '2026-01-20', '2060-01-20', NULL, 'MT', NULL, 'certificate',
          '{"title":"Certificate","number":"1","issuer":"Body"}', '', NULL, 0 FROM numbers`,
    )
    .bind(kari.user.id)
    .run();
  const uploaded = await sendCsv(kari, csvOf("2026-11-20,Rig,MT,300"));
  const { id } = uploaded.json<{ id: number }>();
  const applied = await applyImport(kari, id);
  const saved = await kari.json("POST", "/api/entries", anEntry());
  const ending = await kari.get("/api/certificates?expiringWithin=20000&limit=100");
  const next = await kari.get(/<([^>]+)>; rel="next"/.exec(ending.headers.get("link") ?? "")?.[1] ?? "");
  const answers = [uploaded, applied, saved, ending, next];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200, 200]);
  const most = [day, 2 * day, 2 * day, 100, 200].map((rows) => rows + 100);
  expect(answers.map(({ rows: { read } }, index) => read <= (most[index] ?? 0) || read)).toEqual(most.map(() => true));
});
