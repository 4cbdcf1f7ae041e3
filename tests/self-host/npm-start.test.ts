import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { signingKeyProblem } from "#app/proof/signing-key.ts";
import { longTest } from "#tests/safe/figures.ts";
import { type Attempt, largestFile, limitFileSizes, readsAs } from "./disk.ts";
import { type NpmStart, npmStart, refusedStart, runCommand, workerdOf } from "./npm-start.ts";
import { AMBIGUOUS, getFrom, HOSTS, isTokenIn, NO_PATH, sendRaw, statusesIn } from "./raw.ts";
import { visit } from "./start.ts";

/*
 * `npm start` as a process: where it listens, what it prints and protects, and how it ends. Most tests share one
 * process and depend on their order.
 */

const METRICS_TOKEN = "fedcba9876543210fedcba9876543210";

let folder: string;
let data: string;
/** The data of the starts from that of the signing key on: each new folder costs seconds of migrations. */
let served: string;
let app: NpmStart;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hours-tracker-start-"));
  data = join(folder, "data");
  served = join(folder, "served");
  // As an earlier version left it: readable by all users.
  mkdirSync(join(data, "v3", "d1"), { recursive: true });
  writeFileSync(join(data, "session-secret"), randomBytes(32).toString("base64url"), { mode: 0o644 });
  for (const path of [data, join(data, "v3"), join(data, "v3", "d1")]) chmodSync(path, 0o755);
  app = await npmStart(data, { MINIFLARE_WORKERD_PATH: limitable(), METRICS_TOKEN });
}, 180_000);

afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** workerd for which a write over the file size limit is an error and not fatal, like on a full disk. */
function limitable(): string {
  const require = createRequire(import.meta.url);
  const { default: workerd } = require("workerd") as { default: string };
  const script = join(folder, "workerd");
  writeFileSync(script, `#!/bin/sh\ntrap '' XFSZ\nexec '${workerd}' "$@"\n`, { mode: 0o755 });
  return script;
}

test("it answers at the address that it prints, and only on this machine", async () => {
  expect((await visit(`${app.url}/auth`)).status).toBe(200);
  // Every address in 127/8 is this machine, and a server for all networks answers on each.
  await expect(
    sendRaw(app.port, "GET /auth HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", { host: "127.0.0.2" }),
  ).rejects.toThrow("ECONNREFUSED");
});

test("other users of the machine cannot read the data, also if an earlier version left it readable", () => {
  const paths = ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })].map((path) => join(data, path));
  expect(paths.filter((path) => path.endsWith(".sqlite-wal")).length).toBeGreaterThan(0);
  const modes = paths.map((path) => [path, statSync(path).isDirectory() ? 0o700 : 0o600, statSync(path).mode & 0o777]);
  expect(modes.filter(([, wanted, mode]) => wanted !== mode)).toEqual([]);
});

test("the mailbox page is shown on this machine only, not through a proxy", async () => {
  const ask = async (headers: Record<string, string> = {}, version = "1.1") => {
    const lines = Object.entries({ Host: `localhost:${app.port}`, Connection: "close", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return statusesIn(await sendRaw(app.port, `GET /dev/mail HTTP/${version}\r\n${head}\r\n`));
  };
  expect(await ask()).toEqual([200]);
  const account = { email: "ada@example.com", password: "correct horse" };
  const call = (path: string) =>
    visit(`${app.url}/api/auth/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(account),
    });
  expect((await call("register")).status).toBe(201);
  expect((await call("reset-password")).status).toBe(200);
  const caught = async () =>
    (await visit(`${app.url}/dev/mail/all.json`)).text().then((text) => text.includes("Reset your"));
  expect(await readsAs(caught, true)).toBe(true);
  for (const name of [
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-IP",
    "CF-Connecting-IP",
    "CF-Ray",
    "True-Client-IP",
    "X-Client-IP",
    "Fastly-Client-IP",
    "X-Cluster-Client-IP",
    "X-Original-Forwarded-For",
  ]) {
    expect([name, await ask({ [name]: "127.0.0.1" })]).toEqual([name, [404]]);
  }
  // By default nginx sends HTTP/1.0 requests from 127.0.0.1 without proxy headers.
  expect(await ask({}, "1.0")).toEqual([404]);
  expect(await ask({ Host: "hours.example.com" })).toEqual([421]);
});

test("without PUBLIC_ORIGIN it answers only to this machine's own names, whatever a client claims", async () => {
  for (const path of ["/auth", "/api/openapi.json"]) {
    for (const [host, status] of Object.entries(HOSTS)) {
      expect([path, host, statusesIn(await sendRaw(app.port, getFrom(host, path)))]).toEqual([path, host, [status]]);
    }
  }
  const page = await sendRaw(app.port, getFrom("hours.example.com", "/auth"));
  expect(page).toContain("<!DOCTYPE html>");
  expect(page).toContain("Set PUBLIC_ORIGIN to the address by which people open this app");
  expect(statusesIn(await sendRaw(app.port, getFrom("hours.example.com", "/healthz")))).toEqual([200]);
});

test("a request whose target is not a path is refused, and its token is not logged", async () => {
  for (const [name, request] of Object.entries(NO_PATH)) {
    expect([name, statusesIn(await sendRaw(app.port, request))]).toEqual([name, [400]]);
  }
  expect(isTokenIn(app.output)).toBe(false);
});

test("a request that two parsers may read differently is refused", async () => {
  for (const [name, request] of Object.entries(AMBIGUOUS)) {
    expect([name, statusesIn(await sendRaw(app.port, request))]).toEqual([name, [400]]);
  }
});

// Detects a lock that is not in the data folder: two programs with different TMPDIR then used one database, and 26 of 120
// writes were answered 500.
test("a second start on the same data is refused, by any path of its folder and with any TMPDIR", async () => {
  const other = join(folder, `a-folder-whose-path-is-too-long-for-a-socket-${"x".repeat(80)}`);
  symlinkSync(data, other);
  const starts: Record<string, string>[] = [
    { DATA_DIR: data },
    { DATA_DIR: other },
    { DATA_DIR: data, TMPDIR: folder },
  ];
  for (const env of starts) {
    const { status, words } = await refusedStart(env);
    const running = `already running over this data, at ${app.url}: npm run start (process ${app.pid} on `;
    expect([env, status, words]).toEqual([env, 1, expect.stringContaining(running)]);
  }
  const { status, words } = await runCommand("verify-log", { DATA_DIR: data, TMPDIR: folder });
  expect([status, words]).toEqual([0, expect.stringContaining("No faults.")]);
});

// Only root can create a file of another user.
test.runIf(process.getuid?.() === 0)("a socket that another user has created is not used", async () => {
  const DATA_DIR = join(folder, "squatted");
  mkdirSync(DATA_DIR);
  const socket = join(DATA_DIR, "in-use");
  writeFileSync(socket, "");
  chownSync(socket, 65_534, 65_534);
  const { status, words } = await refusedStart({ DATA_DIR });
  expect([status, words]).toEqual([1, expect.stringContaining(`${socket} belongs to another user`)]);
});

// Detects a lock that a killed program leaves behind, and two starts that both replace it.
test("after kill -9 one of three simultaneous starts runs, and the others say what is running", async () => {
  const DATA_DIR = join(folder, "killed");
  const killed = await npmStart(DATA_DIR);
  spawnSync("kill", ["-9", String(workerdOf(killed.pid)), String(killed.pid)]);
  await killed.ended;
  expect(readdirSync(DATA_DIR)).toContain("in-use");
  const starts = await Promise.allSettled(["/tmp", folder, data].map((TMPDIR) => npmStart(DATA_DIR, { TMPDIR })));
  const running = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  for (const one of running) onTestFinished(() => one.stop().then(() => {}));
  const refused = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
  expect([running.length, refused.length]).toEqual([1, 2]);
  for (const words of refused) expect(words).toMatch(/already running over this data|is using the data in/);
});

// The other settings: commands.test.ts.
test("with a HOST that is no address of this machine it says so and ends", async () => {
  const { status, words } = await refusedStart({ DATA_DIR: join(folder, "unused"), HOST: "203.0.113.1" });
  expect([status, words]).toEqual([1, expect.stringContaining("HOST must be an address of this machine")]);
});

test("it makes a signing key once and keeps it, and says so if it is malformed", async () => {
  const file = join(served, "signing-key");
  const first = await npmStart(served);
  onTestFinished(() => first.stop().then(() => {}));
  const made = readFileSync(file, "utf8");
  expect(signingKeyProblem(made)).toBeNull();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.output.join("\n")).not.toContain("SIGNING_KEY");
  await first.stop();
  const second = await npmStart(served, { SIGNING_KEY: made.slice(1) });
  onTestFinished(() => second.stop().then(() => {}));
  expect(second.output.join("\n")).toContain("SIGNING_KEY is not a private Ed25519 key as a JWK");
  expect(second.output.join("\n")).not.toContain(JSON.parse(made).d);
  expect((await visit(`${second.url}/.well-known/jwks.json`)).status).toBe(200);
  expect(readFileSync(file, "utf8")).toBe(made);
});

test("behind a proxy, or with a public origin, there is no mailbox; without a public origin it says who can open it", async () => {
  const token = "0123456789abcdef0123456789abcdef";
  for (const [name, value, status] of [
    ["TRUST_PROXY", "1", 421],
    ["PUBLIC_ORIGIN", "https://hours.example.com", 200],
  ] as const) {
    const behind = await npmStart(served, { HOST: "0.0.0.0", METRICS_TOKEN: token, [name]: value });
    onTestFinished(() => behind.stop().then(() => {}));
    expect((await visit(`${behind.url}/dev/mail`)).status).toBe(404);
    const other = `http://127.0.0.2:${behind.port}`;
    expect((await visit(`${other}/auth`)).status).toBe(status);
    expect((await visit(`${other}/healthz`)).status).toBe(200);
    expect((await visit(`${other}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    const printed = behind.output.join("\n");
    expect(printed).toContain("Neither MAILCHANNELS_API_KEY nor SMTP_URL is set: nothing will be mailed.");
    expect(printed.includes("HOST is 0.0.0.0, but PUBLIC_ORIGIN is not set")).toBe(status === 421);
    expect(await behind.stop()).toBe(0);
  }
});

test("RESET_ADMIN prints a link at one start, by which an admin without the password sets a new one", async () => {
  const [email, password] = ["grace@example.com", "a brand new password"];
  const call = (url: string, path: string, body: object) =>
    visit(`${url}/api/auth/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const started = async (env: Record<string, string>) => {
    const running = await npmStart(served, env);
    onTestFinished(() => running.stop().then(() => {}));
    return running;
  };
  const first = await started({ RESET_ADMIN: email });
  expect((await call(first.url, "register", { email, password: "a forgotten one" })).status).toBe(201);
  expect((await runCommand("admin", { DATA_DIR: served }, email)).status).toBe(0);
  await first.stop();
  expect(first.output.join("\n")).toContain("RESET_ADMIN is not the address of an admin");

  const second = await started({ RESET_ADMIN: email });
  const [, link = ""] = /^ {2}(http:\S+\/reset-password\/\S+)$/m.exec(second.output.join("\n")) ?? [];
  const [, token = ""] = link.split("/reset-password/");
  expect((await visit(link)).status).toBe(200);
  expect(link).toBe(`${second.url}/reset-password/${token}`);
  expect((await call(second.url, `reset-password/${token}`, { password })).status).toBe(200);
  expect((await call(second.url, "login", { email, password })).status).toBe(200);
  await second.stop();

  const third = await started({ RESET_ADMIN: email });
  await third.stop();
  expect(third.output.join("\n")).not.toMatch(/reset-password|RESET_ADMIN/);
});

// Detects a package that ends the process at a signal by itself, as wrangler and Miniflare do.
test("at a signal it answers open requests, says why it ends, and exits with 0", async () => {
  const ending = await npmStart(served);
  const body = JSON.stringify({ email: "ada@example.com", password: "a wrong one" });
  const login = `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const head = `${login}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  const answer = await sendRaw(ending.port, head, {
    onFirstData: (socket) => {
      for (let n = 0; n < 2; n += 1) process.kill(ending.pid, "SIGTERM"); // as npm passes on what the terminal has sent
      socket.write(body);
    },
  });
  expect(statusesIn(answer)).toEqual([100, 401]);
  expect(await ending.ended).toBe(0);
  expect(ending.output).toContain("Ending, because of SIGTERM.");
});

// Detects a front that waits for workerd synchronously: it then reads none of workerd's log, and workerd waits for it.
test("/healthz during a burst of requests blocks nothing", async () => {
  const burst = await npmStart(served);
  onTestFinished(() => void spawnSync("kill", ["-9", String(burst.pid)]));
  const call = "GET /api/user HTTP/1.1\r\nHost: localhost\r\n";
  const calls = [...Array(9).fill(call), `${call}Connection: close\r\n`, ""].join("\r\n");
  let answers: Promise<string>[] = [];
  await new Promise<void>((resolve) => {
    answers = Array.from({ length: 400 }, () => sendRaw(burst.port, calls, { onFirstData: () => resolve() }));
  });
  expect([200, 503]).toContain((await visit(`${burst.url}/healthz`)).status); // it may take longer than 5 s
  // On a busy machine workerd drops requests that have waited for 15 s.
  expect((await Promise.all(answers)).join("").match(/HTTP\/1\.1 (401|502) /g)).toHaveLength(4_000);
  expect(await readsAs(() => visit(`${burst.url}/healthz`).then(({ status }) => status), 200)).toBe(true);
  expect(await burst.stop()).toBe(0);
});

// Detects the same in a command that borrows the database from the running program. Slow: it sends bursts until that ends.
longTest("a command during a burst of requests gets the database and blocks nothing", async () => {
  const DATA_DIR = join(folder, "lending");
  const lending = await npmStart(DATA_DIR);
  onTestFinished(() => void spawnSync("kill", ["-9", String(lending.pid)]));
  const call = "GET /api/user HTTP/1.1\r\nHost: localhost\r\n";
  const calls = [...Array(9).fill(call), `${call}Connection: close\r\n`, ""].join("\r\n");
  const command = runCommand("verify-log", { DATA_DIR });
  let isOver = false;
  command.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const answers = await Promise.all(Array.from({ length: 400 }, () => sendRaw(lending.port, calls)));
    expect(answers.join("").match(/HTTP\/1\.1 (401|502) /g)).toHaveLength(4_000);
  }
  expect(await command).toEqual({ status: 0, words: expect.stringContaining("No faults.") });
  expect(await lending.stop()).toBe(0);
});

/** 1 if /metrics says that the app is ready, else 0. */
async function readyMetric(): Promise<string | undefined> {
  const answer = await visit(`${app.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  return /^\w+_ready (\d)$/m.exec(await answer.text())?.[1];
}

test("/healthz and /metrics report a full disk, and when it is writable again", async () => {
  const health: Attempt = () => visit(`${app.url}/healthz`).then((answer) => answer.status);
  expect(await readsAs(health, 200)).toBe(true);
  const workerd = workerdOf(app.pid);
  limitFileSizes(workerd, 1);
  expect(await readsAs(health, 503)).toBe(true);
  expect(await (await visit(`${app.url}/healthz`)).text()).toContain("Check that the disk has free space");
  limitFileSizes(workerd, "unlimited");
  expect(await readsAs(health, 200)).toBe(true);
  // Room for the row of the check, in space that SQLite's log has already, but not for a save.
  for (const pid of [workerd, app.pid]) limitFileSizes(pid, largestFile(data));
  expect(await readsAs(health, 503, 20_000)).toBe(true);
  expect(await readyMetric()).toBe("0");
  for (const pid of [workerd, app.pid]) limitFileSizes(pid, "unlimited");
  expect(await readsAs(health, 200)).toBe(true);
  expect(await readyMetric()).toBe("1");
  expect(readdirSync(join(data, "v3"))).not.toContain("healthz-room");
});

// Detects a front that continues alone: it would answer 502 forever, and nothing would restart it.
test("if workerd is killed, the command says so and exits with 1", async () => {
  const workerd = workerdOf(app.pid);
  spawnSync("kill", ["-9", String(workerd)]);
  expect(await app.ended).toBe(1);
  expect(app.output.join("\n")).toContain("workerd, which runs the app, has ended");
});
