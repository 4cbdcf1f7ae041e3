import { expect, test } from "vitest";
import { cookiesFor } from "#app/server/context.server.ts";
import { seed, sessionOf, userId } from "#bench/seed.ts";
import { startApp } from "./app.ts";
import { rows } from "./database.ts";
import { PASSWORD_HASH } from "./people.ts";
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
