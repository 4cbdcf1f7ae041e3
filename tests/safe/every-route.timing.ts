import { expect, test } from "vitest";
import { MAX_BODY_BYTES } from "#app/server/body.server.ts";
import { inboxToken } from "#app/supervisor-mail/inbox.server.ts";
import { noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { type Client, freshAddress } from "#tests/worker/client.ts";
import { SECRET, type World, worldOf } from "#tests/worker/world.ts";
import { anonymousClient } from "./action.ts";
import { VISITS, type Visit } from "./every-route.ts";
import { reportFigureAtEnd } from "./figures.ts";
import { largeAccount } from "./large-world.ts";
import { fillWithTexts, LARGEST_FORM, LETTERS, largestSheet } from "./largest-texts.ts";
import { longestTurn, threadTime } from "./longest-turn.ts";
import { childProcesses } from "./processor-time.ts";

/*
 * No request of any route and method blocks the others (targets, *What one request may cost*), with the largest
 * accounts by rows and by bytes and without a session, with a valid body and with the largest one. No answer that is
 * not streamed is larger than 2 MB. `cost.timing.ts` has the requests of the largest accounts that cost more than this.
 * Seen to fail with a print page and a download in one piece, and with lists that end after a number of records,
 * whatever their bytes.
 */

const READ_MAX = 30;
const WRITE_MAX = 200;
/** In bytes. A file is streamed, and so is a form that is printed, sheet by sheet. */
const ANSWER_MAX = 2_000_000;

/** Below the quotas of an account and the 2,000 records of a form, so that valid requests succeed. */
const LARGE = { records: 19_900, verified: 1_900 };

const others = childProcesses();
// A busy machine is slow to send the largest bodies.
const app = await startApp({ env: { BODY_IDLE_MS: "100000" } });
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

/** A world whose owner has the largest texts of a letter; the requests of its reads name these. */
async function worldOfTexts(letter: string): Promise<World> {
  const world = await worldOf(app);
  const { owner } = world;
  const ids = await fillWithTexts(app.db, owner.user.id, letter);
  const { own, deleted, verified, requests, answeredRequest, notices } = ids;
  const notice = notices[0] ?? { id: 0, nonce: "" };
  const made = async (path: string, type: string, body: string) => {
    const answer = await owner.send("POST", path, { headers: { "Content-Type": type }, body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.json<{ id: number; code: string }>();
  };
  const exported = await made("/api/exports", "application/json", JSON.stringify(LARGEST_FORM));
  const sheet = largestSheet(letter, MAX_BODY_BYTES);
  const imported = await made("/api/imports?kind=entries", "text/csv", sheet);
  const open = requests.rope_hour ?? answeredRequest;
  const kept = { id: open.id, supervisorEmail: ids.supervisorEmail };
  const idsOf = (kind: "training" | "certificate") => ({
    ...world[kind],
    ...{ id: own[kind] ?? 0, verifiedId: verified[kind] ?? 0, deletedId: deleted[kind] ?? 0 },
  });
  return {
    ...world,
    ...{ otherId: owner.user.id, supervisorId: ids.supervisorId, targetId: ids.targetId },
    ...{ entryId: own.entry ?? 0, verifiedId: verified.entry ?? 0, deletedId: deleted.entry ?? 0 },
    ...{ ropeId: own.rope_hour ?? 0, verifiedRopeId: verified.rope_hour ?? 0, deletedRopeId: deleted.rope_hour ?? 0 },
    ...{ training: idsOf("training"), certificate: idsOf("certificate") },
    ...{ requestId: open.id, token: open.token, endedRequestId: answeredRequest.id, usedToken: answeredRequest.token },
    ...{ exportId: exported.id, exportCode: exported.code, importId: imported.id },
    ...{ disownToken: noticeToken(SECRET, "disown", notice), confirmToken: noticeToken(SECRET, "confirm", notice) },
    inboxToken: inboxToken(SECRET, kept, new Date(Date.now() + 3_600_000)),
  };
}

const before40MB = performance.now();
const texts: [string, World][] = [];
for (const [name, letter] of Object.entries(LETTERS)) texts.push([name, await worldOfTexts(letter)]);
console.log(`the accounts of the largest texts were made in ${Math.round(performance.now() - before40MB)} ms`);

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

/**
 * The longest turn of a request in multiples of the control, its status, and the bytes of its answer, if that is not streamed. A time
 * can be too long by chance, never too short.
 */
async function measure(visit: Visit, client: Client, body: string | undefined, most: number, of = world) {
  let status = 0;
  let bytes = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < (visit.method === "GET" ? 3 : 1) && least > most; run += 1) {
    client.address = freshAddress();
    const headers = {
      ...(body !== undefined && {
        "Content-Type": visit.isApi ? "application/json" : "application/x-www-form-urlencoded",
      }),
    };
    const turn = await longestTurn(workerd, cheap, async () => {
      const answer = await client.send(visit.method, visit.path(of), {
        headers,
        ...(body !== undefined && { body }),
      });
      status = answer.status;
      const isFile = answer.headers.get("Content-Disposition")?.startsWith("attachment");
      bytes = isFile || visit.name.includes("/print") ? 0 : Buffer.byteLength(answer.text);
    });
    least = Math.min(least, turn / control);
  }
  return { turn: least, status, bytes };
}

const worst = {
  read: [0, ""] as [number, string],
  write: [0, ""] as [number, string],
  bytes: [0, ""] as [number, string],
};

test.each(VISITS.map((visit): [string, Visit] => [visit.name, visit]))(
  "%s does not block the others",
  async (name, visit) => {
    const isRead = visit.method === "GET";
    const most = isRead ? READ_MAX : WRITE_MAX;
    const note = (what: string, { turn, bytes }: { turn: number; bytes: number }) => {
      const said = `${turn.toFixed(1)} × /profile, ${(bytes / 1e6).toFixed(2)} MB`;
      if (turn > most / 3 || bytes > ANSWER_MAX / 2) console.log(`${name}, ${what}: ${said}`);
      const isTooMuch = turn > most || bytes > ANSWER_MAX;
      expect.soft([what, isTooMuch ? said : ""]).toEqual([what, ""]);
      const side = isRead ? "read" : "write";
      if (turn > worst[side][0]) worst[side] = [turn, `${name}, ${what}`];
      if (bytes > worst.bytes[0]) worst.bytes = [bytes, `${name}, ${what}`];
    };
    const largest = isRead ? undefined : largestBody(visit);
    note("without a session", await measure(visit, anonymousClient(app), largest, most));
    if (!isRead) note("the largest body", await measure(visit, visit.client(app, world), largest, most));
    const valid = () => {
      const body = visit.body?.(world);
      if (isRead || body === undefined) return undefined;
      return visit.isApi ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString();
    };
    let done = await measure(visit, visit.client(app, world), valid(), most);
    if (!isRead && done.status >= 400) {
      // An earlier request has changed the same rows.
      world = await newWorld();
      done = await measure(visit, visit.client(app, world), valid(), most);
      expect(done.status).toBeLessThan(400);
    }
    note("of the largest account by rows", done);
    for (const [name, largest] of isRead ? texts : []) {
      const read = await measure(visit, visit.client(app, largest), undefined, most, largest);
      // A form that has more than one may have is refused.
      expect.soft([name, read.status < 400 ? 200 : read.status]).toEqual([name, read.status < 400 ? 200 : done.status]);
      note(`of the largest account by bytes, ${name}`, read);
    }
  },
);

reportFigureAtEnd("Cost of every route", () => {
  const [read, write] = [worst.read, worst.write].map(([turn, what]) => `${turn.toFixed(0)} × (${what})`);
  const bytes = `${(worst.bytes[0] / 1e6).toFixed(2)} MB (${worst.bytes[1]})`;
  return `a read at most ${read} /profile (${control.toFixed(1)} ms), a write ${write}; an answer ${bytes}`;
});
