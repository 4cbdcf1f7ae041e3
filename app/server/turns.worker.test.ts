import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { CODE_BYTES, codeFromBytes } from "#app/proof/export-code.server.ts";
import { forwardTo } from "#scripts/lib/node-server.ts";
import { type App, startApp } from "#tests/worker/app.ts";
import type { Technician } from "#tests/worker/people.ts";
import { bodyTime } from "./body.server.ts";

/*
 * The room that heavy requests and downloads leave to others, over real sockets: clients that do not read, stop
 * reading, read slowly or hang up, and cookies that are no session. tests/safe/busy.timing.ts measures how long others
 * wait. The executable has no such server in front.
 */

/** A pause that ends a download, in milliseconds: three times what a body may pause (`answerIdle`). */
const PAUSE_MS = 3_000;

const ENV = { BODY_IDLE_MS: String(PAUSE_MS / 3) };
const MINUTES = 600_000;
const socketTest = test.skipIf(inject("target") === "binary");

/** `npm start`'s front server before an app; its port. */
async function frontOf(app: App): Promise<number> {
  if (!app.url) throw new Error("this app has no address of its own");
  const server = createServer(forwardTo(await app.url, bodyTime(ENV.BODY_IDLE_MS)));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // it listens on a port
}

/** The port of an app itself, without a server in front. */
async function portOf({ url }: App): Promise<number> {
  if (!url) throw new Error("this app has no address of its own");
  return Number((await url).port);
}

/**
 * Gives accounts records of 1 kB each. 10,000 are more than the buffers of a connection hold, and 20,000 more than those of a
 * connection to a server in front and of its own to the app.
 */
async function withLargeLog(app: App, people: Technician[], records = 10_000): Promise<void> {
  for (const { user } of people) {
    await app.db
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
          SELECT ?, 'entry', '2026-11-20', ?, 'MT', 750, '', 0 FROM n`,
      )
      .bind(records, user.id, "🏭".repeat(200))
      .run();
  }
}

/** Resolves when the app makes no part of a download: each waits for its client. The statement of a part has its place in the log. */
async function noneIsMade(app: App): Promise<void> {
  let before = "";
  let unchanged = 0;
  const look = async () => {
    const now = JSON.stringify(await app.statements());
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
    expect(unchanged).toBe(5);
  };
  await vi.waitFor(look, { interval: 200, timeout: MINUTES });
}

/** A download whose client reads as the test says. */
interface Download {
  socket: Socket;
  status: number;
  /** The bytes that have arrived so far, without the head. */
  bytes(): number;
  /** Resolves when the connection is closed: whether all had arrived. */
  closed: Promise<"whole" | "cut off">;
}

const cookieOf = ({ cookies }: Technician) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Asks for a download, and reads nothing once its head is here. */
async function download(port: number, person: Technician, path = "/api/export.json"): Promise<Download> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookieOf(person)}\r\nConnection: close\r\n\r\n`);
  let head = "";
  let bytes = 0;
  let end = "";
  const closed = new Promise<"whole" | "cut off">((resolve) => {
    socket.on("close", () => resolve(end.endsWith("0\r\n\r\n") ? "whole" : "cut off"));
  });
  socket.on("error", () => {});
  const answered = new Promise<void>((resolve, reject) => {
    socket.on("data", (piece: Buffer) => {
      if (head === "") {
        head = String(piece);
        socket.pause();
        resolve();
      }
      bytes += piece.length;
      end = (end + piece.subarray(-10).toString("latin1")).slice(-10);
    });
    socket.on("close", () => reject(new Error("closed without an answer")));
  });
  await answered;
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), bytes: () => bytes, closed };
}

/**
 * Resolves when this number of bytes of a download has arrived: 12 MB are more than the buffers of a connection hold.
 */
function arrived({ bytes }: Download, least: number): Promise<void> {
  return vi.waitFor(() => expect(bytes()).toBeGreaterThan(least), { timeout: MINUTES / 2 });
}

/** The statuses that others get: a person's own pages and searches, and a check and a notice with an invented code. */
async function statusesOfOthers(app: App, person: Technician): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const sent = async (name: string, answer: Promise<{ status: number }>) => {
    statuses[name] = (await answer).status;
  };
  await Promise.all([
    ...["/progress", "/profile?q=Mongstad", "/api/entries?q=Mongstad"].map((path) => sent(path, person.get(path))),
    sent("/c", app.get(`/c/${codeFromBytes(randomBytes(CODE_BYTES))}`)),
    sent("/disown", app.get("/disown/invented")),
  ]);
  return statuses;
}

socketTest(
  "clients of accounts that do not read their downloads keep no one else waiting",
  { timeout: MINUTES },
  async () => {
    const app = await startApp();
    const [kari = await app.register(), ...idle] = await app.registerAll({}, {}, {});
    await withLargeLog(app, idle);
    const before = await statusesOfOthers(app, kari);
    expect(Object.values(before)).not.toContain(429);
    const port = await portOf(app);
    const downloads = [];
    for (const person of idle) downloads.push(await download(port, person));
    expect(downloads.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statusesOfOthers(app, kari)).toEqual(before);
  },
);

test("requests with invented cookies keep no account waiting, from the same network too", {
  timeout: MINUTES,
}, async () => {
  const app = await startApp();
  const kari = await app.register();
  const before = await statusesOfOthers(app, kari);
  let isOver = false;
  const flood = Array.from({ length: 70 }, async () => {
    while (!isOver) {
      const stranger = app.as(new Map());
      stranger.address = kari.address;
      stranger.cookies.set("session", encodeURIComponent(btoa(JSON.stringify(crypto.randomUUID()))));
      await stranger.get("/progress");
    }
  });
  const found = [];
  for (let round = 0; round < 5; round += 1) found.push(await statusesOfOthers(app, kari));
  isOver = true;
  await Promise.all(flood);
  expect(found).toEqual(Array(5).fill(before));
});

test("a crew of fifty behind one address all get their progress right after a start", {
  timeout: MINUTES,
}, async () => {
  const app = await startApp();
  const crew = await app.registerAll(...Array.from({ length: 50 }, () => ({})));
  for (const person of crew) person.address = "203.0.113.7";
  const answers = await Promise.all(crew.map((person) => person.get("/progress")));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
});

socketTest("a third download of an account is 429, and a HEAD is none", { timeout: MINUTES }, async () => {
  const app = await startApp();
  const kari = await app.register();
  await withLargeLog(app, [kari]);
  const port = await portOf(app);
  for (let head = 0; head < 3; head += 1) expect((await kari.send("HEAD", "/api/export.json")).status).toBe(200);
  const two = [await download(port, kari), await download(port, kari)];
  expect(two.map(({ status }) => status)).toEqual([200, 200]);
  const third = await kari.get("/api/export.json");
  expect([third.status, third.json(), third.headers.get("Retry-After")]).toEqual([
    429,
    {
      code: "busy",
      message:
        "Two files of this account are being sent already. Wait until one of them has arrived or stop it, and try again.",
    },
    "60",
  ]);
  two[0]?.socket.destroy();
  await vi.waitFor(async () => expect((await download(port, kari)).status).toBe(200), { timeout: MINUTES / 10 });
});

socketTest(
  "a client that stops reading is cut off after the longest pause; one that reads slowly gets all",
  {
    timeout: MINUTES,
  },
  async () => {
    const app = await startApp({ env: ENV });
    const [stops, slow] = [await app.register(), await app.register()];
    await withLargeLog(app, [stops], 40_000); // a server in front has read some of it fast, so its buffers have grown
    await withLargeLog(app, [slow], 20_000);
    const port = await frontOf(app);
    const stopped = [await download(port, stops), await download(port, stops)];
    const start = performance.now();
    const read = await download(port, slow);
    // In thirty pauses of a tenth each it takes longer than the longest pause, also as the app sees it, behind all buffers.
    let pauses = 0;
    read.socket.on("data", () => {
      if (read.bytes() < pauses * 900_000) return;
      pauses += 1;
      read.socket.pause();
      setTimeout(() => read.socket.resume(), PAUSE_MS / 10);
    });
    read.socket.resume();
    expect(await read.closed).toBe("whole");
    expect(performance.now() - start).toBeGreaterThan(PAUSE_MS);
    // Once for each of the two: a third one, begun between, is the last to be cut off.
    for (let ended = 0; ended < 2; ended += 1) {
      await vi.waitFor(async () => expect((await stops.send("HEAD", "/api/export.json")).status).toBe(200), {
        timeout: MINUTES / 10,
      });
      if (ended === 0) await download(port, stops);
    }
    for (const { socket } of stopped) socket.resume();
    expect(await Promise.all(stopped.map(({ closed }) => closed))).toEqual(["cut off", "cut off"]);
  },
);

socketTest(
  "a 21st download ends the one that has waited longest for its client, and no other",
  { timeout: MINUTES },
  async () => {
    // No wait ends a stream here, however slow the machine is.
    const app = await startApp({ env: { BODY_IDLE_MS: String(MINUTES) } });
    const [owner = await app.register(), ...admins] = await app.registerAll(
      {},
      ...Array.from({ length: 11 }, () => ({ isAdmin: true })),
    );
    await withLargeLog(app, [owner], 40_000);
    const port = await portOf(app);
    const path = `/api/admin/users/${owner.user.id}/export.json`;
    const [reader = owner, idle = owner, ...others] = admins; // eleven
    const longest = await download(port, idle, path);
    await noneIsMade(app); // it waits for its client
    const first = await download(port, reader, path);
    first.socket.resume();
    await arrived(first, 12_000_000);
    first.socket.pause();
    const more = [await download(port, reader, path)];
    const ofIdle = await download(port, idle, path);
    for (const person of others.slice(0, 8))
      more.push(await download(port, person, path), await download(port, person, path));
    const last = await download(port, others[8] as Technician, path); // of nine
    expect([first, longest, ofIdle, ...more, last].map(({ status }) => status)).toEqual(Array(21).fill(200));
    // These accounts have their two still: a third one is refused, and ends none.
    const refused = [];
    for (const person of [reader, ...others.slice(0, 8)]) refused.push((await person.send("HEAD", path)).status);
    expect(refused).toEqual(Array(9).fill(429));
    for (const { socket } of [longest, ofIdle, last]) socket.resume();
    // The test does not check how it ends: Miniflare, which passes it on, sometimes writes the end of a whole answer.
    await longest.closed;
    expect(longest.bytes()).toBeLessThan(12_000_000);
    await Promise.all([arrived(ofIdle, 12_000_000), arrived(last, 12_000_000)]);
  },
);

socketTest("clients that hang up during a heavy request keep no one waiting", { timeout: MINUTES }, async () => {
  const app = await startApp();
  const [kari = await app.register(), ...gone] = await app.registerAll(...Array.from({ length: 7 }, () => ({})));
  await withLargeLog(app, gone);
  for (const person of gone) await person.get("/profile"); // each is known, and has a turn of its own
  const before = await statusesOfOthers(app, kari);
  const port = await portOf(app);
  for (const person of gone) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /progress HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookieOf(person)}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 20)); // it is at work or waits
    socket.resetAndDestroy();
  }
  expect(await statusesOfOthers(app, kari)).toEqual(before);
});
