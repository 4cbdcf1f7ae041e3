import { expect, test } from "vitest";
import { MAX_BODY_BYTES } from "#app/server/body.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { type Client, freshAddress } from "#tests/worker/client.ts";
import { type World, worldOf } from "#tests/worker/world.ts";
import { anonymousClient } from "./action.ts";
import { VISITS, type Visit } from "./every-route.ts";
import { reportFigureAtEnd } from "./figures.ts";
import { largeAccount } from "./large-world.ts";
import { longestTurn, threadTime } from "./longest-turn.ts";
import { childProcesses } from "./processor-time.ts";

/*
 * No request of any route and method blocks the others (targets, *What one request may cost*), with the largest account and
 * without a session, with a valid body and with the largest one. `cost.timing.ts` has what the largest account makes of some
 * routes beyond this. Seen to fail with a print page and a download in one piece.
 */

const READ_MAX = 30;
const WRITE_MAX = 200;

/** Below the quotas of an account, so that valid requests succeed. */
const LARGE = { records: 19_900, verified: 9_000 };

const others = childProcesses();
const app = await startApp({ cheapHashes: true });
const workerd = childProcesses().filter((id) => !others.includes(id))[0] ?? 0;
const cheap = () => app.get("/api/user");

async function newWorld(): Promise<World> {
  const world = await worldOf(app);
  const { id } = world.owner.user;
  for (const sql of largeAccount(id, LARGE)) await app.db.prepare(sql).run();
  await app.db.batch([
    app.db.prepare(
      `DELETE FROM supervisors WHERE id IN (SELECT max(id) FROM supervisors WHERE user_id = ${id} GROUP BY id % 500)
        AND id <> ${world.supervisorId}`,
    ),
    app.db.prepare(
      `DELETE FROM targets WHERE id IN (SELECT max(id) FROM targets WHERE user_id = ${id} GROUP BY id % 2)`,
    ),
  ]);
  return world;
}

let world = await newWorld();

const profile = () => world.other.as(world.other.cookies).get("/profile");
await app.db
  .prepare(
    `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
      SELECT ?, 'entry', date('2026-01-01', value || ' days'), 'Dock ' || value || ', tank 12', 'MT', 750, 'dock', 0
      FROM json_each(?)`,
  )
  .bind(world.otherId, JSON.stringify(Array.from({ length: 100 }, (_, index) => index)))
  .run();
for (let warm = 0; warm < 20; warm += 1) await profile();
const before = threadTime(workerd);
for (let n = 0; n < 20; n += 1) await profile();
const control = (threadTime(workerd) - before) / 20;
console.log(`GET /profile with 100 records: ${control.toFixed(1)} ms`);

/** A valid body with a text that fills it up to the most that a body may have. */
function largestBody({ body, isApi }: Visit): string {
  const valid = (body?.(world) ?? {}) as Record<string, unknown>;
  const [first = "name"] = Object.keys(valid);
  const filled = { ...valid, [first]: "" };
  const text = isApi ? JSON.stringify(filled) : new URLSearchParams(filled as Record<string, string>).toString();
  const room = "x".repeat(MAX_BODY_BYTES - text.length - 100);
  return isApi
    ? JSON.stringify({ ...filled, [first]: room })
    : new URLSearchParams({ ...filled, [first]: room } as Record<string, string>).toString();
}

/** The longest turn of a request in multiples of the control, and its status. A time can be too long by chance, never too short. */
async function measure(visit: Visit, client: Client, body: string | undefined, most: number) {
  let status = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < (visit.method === "GET" ? 3 : 1) && least > most; run += 1) {
    client.address = freshAddress();
    const headers = {
      ...(body !== undefined && {
        "Content-Type": visit.isApi ? "application/json" : "application/x-www-form-urlencoded",
      }),
    };
    const turn = await longestTurn(workerd, cheap, async () => {
      const answer = await client.send(visit.method, visit.path(world), {
        headers,
        ...(body !== undefined && { body }),
      });
      status = answer.status;
    });
    least = Math.min(least, turn / control);
  }
  return { turn: least, status };
}

const worst = { read: [0, ""] as [number, string], write: [0, ""] as [number, string] };

test.each(VISITS.map((visit): [string, Visit] => [visit.name, visit]))(
  "%s does not block the others",
  async (name, visit) => {
    const isRead = visit.method === "GET";
    const most = isRead ? READ_MAX : WRITE_MAX;
    const note = (what: string, turn: number) => {
      if (turn > most / 3) console.log(`${name}, ${what}: ${turn.toFixed(1)} × /profile`);
      expect.soft([what, turn <= most ? "" : `${turn.toFixed(1)} × /profile`]).toEqual([what, ""]);
      const side = isRead ? "read" : "write";
      if (turn > worst[side][0]) worst[side] = [turn, `${name}, ${what}`];
    };
    const largest = isRead ? undefined : largestBody(visit);
    note("without a session", (await measure(visit, anonymousClient(app), largest, most)).turn);
    if (!isRead) note("the largest body", (await measure(visit, visit.client(app, world), largest, most)).turn);
    const valid = () => {
      const body = visit.body?.(world);
      if (isRead || body === undefined) return undefined;
      return visit.isApi ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString();
    };
    let done = await measure(visit, visit.client(app, world), valid(), most);
    if (!isRead && done.status >= 400) {
      // What it changes was changed before.
      world = await newWorld();
      done = await measure(visit, visit.client(app, world), valid(), most);
      expect(done.status).toBeLessThan(400);
    }
    note("of the largest account", done.turn);
  },
);

reportFigureAtEnd("Cost of every route", () => {
  const [read, write] = [worst.read, worst.write].map(([turn, what]) => `${turn.toFixed(0)} × (${what})`);
  return `a read at most ${read} /profile (${control.toFixed(1)} ms), a write ${write}`;
});
