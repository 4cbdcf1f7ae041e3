import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { reportFigure } from "#tests/safe/figures.ts";
import { childrenOf, npmStart } from "./npm-start.ts";
import { cookieOf, dataFolder, SETTINGS, start, visit } from "./start.ts";

/*
 * Thousands of requests of a mix: descriptors and memory stay level. `npm test` sends 1,000 and compares descriptors;
 * `npm run safe` sends 100,000 and compares memory, too, over the last third of them. Before that the engine lets its heaps grow
 * (docs/safe.md): that of the executable from 80 to 240 MB in 11,000 requests, those of workerd's Workers in `npm start` for
 * 44,000 to 64,000 requests. So a part of these requests, as in `npm run safe -- 20`, tells of descriptors alone.
 *
 * Catches `resetAndDestroy()` in scripts/lib/forward.ts on a connection that is being closed, with which Node loses one
 * descriptor for most requests: seen to fail.
 */

const REQUESTS = process.env.SAFE ? Number(process.env.SAFE_ENDURANCE ?? 100_000) : 1_000;
/** Whether they are enough to compare memory. */
const IS_WHOLE = REQUESTS >= 100_000;
/** The requests after which descriptors are level; for memory, the part of all after which it is. */
const WARM = Math.min(2_000, REQUESTS / 10);
const HOT = 0.66;
/** Requests at the same time. */
const CLIENTS = 8;

/** Connections of the clients that the server has not closed yet, and the runtime's own, come and go. */
const DESCRIPTORS = 40;
/** The highest rise of memory that is the noise of the garbage collection, in bytes a request: 24 MB in 34,000. */
const RISE = 700;

/** Only `npm run safe` takes minutes, on a machine with other work many. */
const LIMIT = { timeout: 60 * 60_000 };

const isLinux = process.platform === "linux"; // the counts are in /proc

test.runIf(isLinux)(
  "npm start keeps its descriptors and memory over thousands of requests of every kind",
  LIMIT,
  async () => {
    const app = await npmStart(dataFolder(), { REQUESTS_PER_MINUTE: "100000000" });
    onTestFinished(() => app.stop().then(() => {}));
    const processes = [app.pid, ...childrenOf(app.pid, "workerd")];
    expect(processes).toHaveLength(2);
    await staysLevel("npm start", app.port, processes);
  },
);

test.runIf(isLinux)("the executable keeps its descriptors and memory", LIMIT, async () => {
  const running = await start(dataFolder(), { ...SETTINGS, REQUESTS_PER_MINUTE: "100000000" });
  await staysLevel("the executable", running.port, [running.pid]);
});

async function staysLevel(name: string, port: number, processes: number[]): Promise<void> {
  const all = REQUESTS;
  const step = all / 50; // between two measurements
  const kinds = await mixFor(port);
  const names = Object.keys(kinds);
  const problems = await Promise.all(
    names.map((kind) => kinds[kind]?.().catch((error) => `${kind}: ${error.message}`)),
  );
  expect(problems.filter(Boolean)).toEqual([]);
  const seen: { requests: number; descriptors: number; memory: number }[] = [];
  for (let sent = 0; sent < all; sent += step) {
    let next = sent;
    const client = async () => {
      for (let n = next++; n < sent + step; n = next++) {
        const kind = names[n % names.length] ?? "";
        await kinds[kind]?.().catch((error) => {
          throw new Error(`request ${n}, ${kind}: ${error instanceof Error ? error.message : error}`);
        });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    seen.push({
      requests: sent + step,
      descriptors: sumOf(processes, descriptorsOf),
      memory: sumOf(processes, memoryOf),
    });
  }
  const [warm, ...later] = seen.filter(({ requests }) => requests >= WARM);
  const most = Math.max(...later.map(({ descriptors }) => descriptors));
  const last = seen.filter(({ requests }) => requests > HOT * all);
  const rise = slopeOf(last.map(({ requests, memory }) => [requests, memory]));
  expect(most - (warm?.descriptors ?? 0), JSON.stringify(seen)).toBeLessThanOrEqual(DESCRIPTORS);
  expect((await visit(`http://127.0.0.1:${port}/auth`)).status).toBe(200);
  if (IS_WHOLE) expect(rise, JSON.stringify(seen)).toBeLessThanOrEqual(RISE);
  const memory = IS_WHOLE ? `memory ${rise.toFixed(0)} bytes a request` : "too few to tell of memory";
  reportFigure(
    `Descriptors and memory, ${name}`,
    `${name}: ${warm?.descriptors} descriptors after ${WARM} requests, at most ${most} until ${all}; ${memory}`,
  );
}

const sumOf = (processes: number[], of: (pid: number) => number) =>
  processes.map(of).reduce((sum, one) => sum + one, 0);

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** The memory that is its own, in bytes: without files, such as the database in memory. */
function memoryOf(pid: number): number {
  return 1024 * Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** The slope of the line of least squares. */
function slopeOf(points: [x: number, y: number][]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, point) => total + of(point[0] - x, point[1] - y), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}

/** Each kind of request, as a function that sends one and checks its answer. */
async function mixFor(port: number): Promise<Record<string, () => Promise<void>>> {
  const url = `http://127.0.0.1:${port}`;
  const json = { "Content-Type": "application/json" };
  const registered = await visit(`${url}/api/auth/register`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ email: "ada@example.com", password: "correct horse" }),
  });
  expect(registered.status).toBe(201);
  const signedIn = { Cookie: cookieOf(registered) };
  const page = await (await visit(`${url}/profile`, { headers: signedIn })).text();
  const asset = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? "";
  const etag = (await visit(url + asset)).headers.get("ETag") ?? "";
  expect([asset, etag]).toEqual([expect.stringContaining(".js"), expect.stringContaining('"')]);

  const kept = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const closed = new Agent({ keepAlive: false });
  onTestFinished(() => {
    kept.destroy();
    closed.destroy();
  });

  /** Sends a request and expects this status. */
  const asks =
    (status: number, method: string, path: string, { agent = kept, headers = {}, body = [] }: Asked = {}) =>
    () =>
      new Promise<void>((resolve, reject) => {
        const asked = request({ port, host: "127.0.0.1", method, path, agent, headers });
        asked.on("error", reject).on("response", (answer) => {
          answer
            .resume()
            .on("end", () =>
              answer.statusCode === status ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
            );
          answer.on("error", reject);
        });
        const [first, ...rest] = body;
        if (first !== undefined) asked.write(first);
        setTimeout(() => asked.end(rest.join("")), rest.length > 0 ? 20 : 0);
      });

  /** Writes these bytes, and closes the connection at once or when the first bytes of the answer arrive. */
  const breaksOff = (bytes: string, when: "at once" | "in the answer", by: "end" | "reset") => () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(bytes, () => when === "at once" && leave());
      });
      const leave = () => (by === "reset" ? socket.resetAndDestroy() : socket.destroy());
      socket.once("data", leave);
      socket.on("error", () => {}).on("close", () => resolve());
    });
  const head = (method: string, path: string, lines: Record<string, string | number>) =>
    [`${method} ${path} HTTP/1.1`, ...Object.entries({ Host: "localhost", ...lines }).map((line) => line.join(": "))]
      .join("\r\n")
      .concat("\r\n\r\n");

  const form = { ...signedIn, "Content-Type": "application/x-www-form-urlencoded" };
  const entry = { ...signedIn, ...json };
  const broken = `${head("POST", "/auth", { ...form, "Content-Length": 100 })}email`;
  return {
    page: asks(200, "GET", "/auth"),
    "page on a new connection": asks(200, "GET", "/auth", { agent: closed }),
    "own page": asks(200, "GET", "/profile", { headers: signedIn }),
    redirect: asks(303, "GET", "/profile"),
    head: asks(200, "HEAD", "/auth"),
    "head on a new connection": asks(200, "HEAD", "/auth", { agent: closed }),
    file: asks(200, "GET", asset),
    "unchanged file": asks(304, "GET", asset, { headers: { "If-None-Match": etag } }),
    "unchanged file on a new connection": asks(304, "GET", asset, {
      headers: { "If-None-Match": etag },
      agent: closed,
    }),
    "unknown page": asks(404, "GET", "/nowhere"),
    "unknown call": asks(404, "GET", "/api/nowhere", { agent: closed }),
    health: asks(200, "GET", "/healthz"),
    form: asks(400, "POST", "/auth", { headers: form, body: ["email=nobody"] }),
    "slow form": asks(400, "POST", "/auth", { headers: form, body: ["email=", "nobody"] }),
    call: asks(400, "POST", "/api/entries", { headers: entry, body: ["[{}]"], agent: closed }),
    "too large": asks(413, "POST", "/api/entries", {
      headers: { ...entry, "Content-Length": 2 * 1024 * 1024, Connection: "close" },
      agent: closed,
    }),
    "from elsewhere": asks(403, "POST", "/auth", { headers: { ...form, Origin: "https://elsewhere.example" } }),
    "end in the body": breaksOff(broken, "at once", "end"),
    "reset in the body": breaksOff(broken, "at once", "reset"),
    "end before the answer": breaksOff(head("GET", "/profile", signedIn), "at once", "end"),
    "reset before the answer": breaksOff(head("GET", "/profile", signedIn), "at once", "reset"),
    "end in the answer": breaksOff(head("GET", asset, {}), "in the answer", "end"),
    "reset in the answer": breaksOff(head("GET", "/profile", signedIn), "in the answer", "reset"),
  };
}

interface Asked {
  agent?: Agent;
  headers?: Record<string, string | number>;
  /** The parts of the body, with a pause after the first one. */
  body?: string[];
}
