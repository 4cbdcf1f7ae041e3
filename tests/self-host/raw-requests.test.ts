import { rmSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { BINARY } from "#scripts/binary.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";
import { databaseFolder } from "#tests/memory-folder.ts";
import { AMBIGUOUS, getFrom, HOSTS, isTokenIn, NO_PATH, sendRaw, statusesIn } from "./raw.ts";
import { SETTINGS, TOKEN, visit } from "./start.ts";

const METRICS_TOKEN = "fedcba9876543210fedcba9876543210";
let running: Running;

beforeAll(async () => {
  const data = databaseFolder();
  running = await startBinary({ program: BINARY, data, env: { ...SETTINGS, METRICS_TOKEN } });
  return async () => {
    await running.stop("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  };
});

/** Sends all requests at once, because the program closes a refused connection only after 5 s. */
async function statusesOf(port: number, requests: Record<string, string>): Promise<Record<string, number[]>> {
  const answers = Object.entries(requests).map(async ([name, request]) => [
    name,
    statusesIn(await sendRaw(port, request)),
  ]);
  return Object.fromEntries(await Promise.all(answers));
}

test("without PUBLIC_ORIGIN it answers only to this machine's own names, whatever a client claims", async () => {
  const { port } = running;
  const all = (path: string) => Object.fromEntries(Object.keys(HOSTS).map((host) => [host, getFrom(host, path)]));
  const expected = Object.fromEntries(Object.entries(HOSTS).map(([host, status]) => [host, [status]]));
  for (const path of ["/auth", "/api/openapi.json"]) expect(await statusesOf(port, all(path))).toEqual(expected);
  const from = (path: string, token: string) =>
    getFrom("hours.example.com", path, `Authorization: Bearer ${token}\r\n`);
  expect(
    await statusesOf(port, {
      health: from("/healthz", ""),
      metrics: from("/metrics", METRICS_TOKEN),
      backup: from("/backup", TOKEN),
      setUp: from("/set-up", ""),
    }),
  ).toEqual({ health: [200], metrics: [200], backup: [421], setUp: [421] });
});

/*
 * How the runtime's parser treats requests that another parser may read differently. docs/single-binary.md lists those
 * that it accepts, and what a proxy must do about them: this test fails if a new version changes that.
 */
test("it refuses ambiguous requests, but takes a bare line feed for the end of a line", async () => {
  const { port, url } = running;
  expect((await visit(`${url}/auth`)).status).toBe(200);
  expect(await statusesOf(port, AMBIGUOUS)).toEqual({
    "Content-Length and Transfer-Encoding": [400],
    "two hosts": [400],
    "two lengths": [400],
    "an unknown encoding": [400],
    "a folded header": [400],
    "a space before the colon": [400],
    "bare line feeds": [200],
  });
});

// Detects a refusal after which it reads on: a proxy may have taken the rest for the body.
test("after a request with both lengths the connection is closed", async () => {
  const { port } = running;
  const head =
    "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n";
  const smuggled = "GET /auth HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  expect(statusesIn(await sendRaw(port, `${head}0\r\n\r\n${smuggled}`))).toEqual([400]);
});

test("a request whose target is not a path is refused, and its token is not logged", async () => {
  const refused = Object.fromEntries(Object.keys(NO_PATH).map((name) => [name, [400]]));
  expect(await statusesOf(running.port, NO_PATH)).toEqual(refused);
  await running.stop();
  expect(isTokenIn(running.log)).toBe(false);
});
