import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NpmStart, npmStart } from "./npm-start.ts";
import { visit } from "./start.ts";

/*
 * `npm run seed` as a process, beside `npm start` and alone. tests/worker/demo.test.ts checks the rows that it stores.
 */

let data: string;
let app: NpmStart;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "hours-tracker-seed-"));
  app = await npmStart(data);
});

afterAll(async () => {
  await app?.stop();
  rmSync(data, { recursive: true, force: true });
});

/** Runs a command over the data. */
async function command(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/run.mjs", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PUBLIC_ORIGIN: "", SESSION_SECRET: "", PORT: "8787", DATA_DIR: data, ...env },
  });
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, output: output + errors };
}

async function signIn(email: string, password: string): Promise<string> {
  const answer = await visit(`${app.url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

async function pageOf(path: string, cookie: string): Promise<string> {
  return (await visit(`${app.url}${path}`, { headers: { Cookie: cookie } })).text();
}

test("beside a running app it adds the demo, and both accounts that it names can sign in", async () => {
  const { status, output } = await command(["seed"]);
  expect([status, output]).toEqual([0, expect.stringContaining("Added the demo: 32 accounts with their records.")]);
  expect(output).toContain(`Sign in at ${app.url}/auth\n`);
  expect(output).toContain(`A supervisor would open ${app.url}/verify/`);
  const accounts = [...output.matchAll(/^ {2}(\S+@\S+) +(\S+)$/gm)].map(([, email = "", password = ""]) => [
    email,
    password,
  ]);
  const [technician, admin] = await Promise.all(accounts.map(([email = "", password = ""]) => signIn(email, password)));
  expect(await pageOf("/profile", technician ?? "")).toContain("Piet van der Berg");
  expect(await pageOf("/admin", admin ?? "")).toContain("Agnieszka Wójcik");
  const [, token = ""] = /would open \S+\/verify\/(\S+)/.exec(output) ?? [];
  expect(await pageOf(`/verify/${token}`, "")).toContain("Dana Kowalski");
});

test("a second run says that the demo is there, and the log verifies, beside the app and after its end", async () => {
  const again = await command(["seed"]);
  expect([again.status, again.output]).toEqual([0, expect.stringContaining("The demo is there already.")]);
  const digest = async () => {
    const { status, output } = await command(["verify-log"]);
    expect([status, output]).toEqual([0, expect.stringContaining("No faults.")]);
    return /Digest.*/.exec(output)?.[0];
  };
  const beside = await digest();
  expect(await app.stop()).toBe(0);
  expect(await digest()).toBe(beside);
  const rewritten = await command(["verify-log", "--checkpoint", "1 event, root hash begins AAAAAAAAAAAAAAAA"]);
  expect(rewritten).toEqual({ status: 3, output: expect.stringContaining("the root hash of its first 1 event is") });
});

test("npm run erase-supervisor erases a supervisor of the demo, and the log still verifies", async () => {
  const erased = await command(["erase-supervisor", "ingrid.solheim@example.com"]);
  expect(erased).toEqual({
    status: 0,
    output: expect.stringMatching(
      /Erased what was stored about ingrid.solheim@example.com: .*saved supervisors \([1-9]/,
    ),
  });
  expect(await command(["verify-log"])).toEqual({ status: 0, output: expect.stringContaining("No faults.") });
});

test("a PUBLIC_ORIGIN that is no origin is refused in words", async () => {
  for (const PUBLIC_ORIGIN of ["hours.example.com", "ftp://localhost"]) {
    const { status, output } = await command(["seed"], { PUBLIC_ORIGIN });
    expect([status, output.trim()]).toEqual([
      1,
      `PUBLIC_ORIGIN must be scheme and host, such as https://hours.example.com; it is ${PUBLIC_ORIGIN}`,
    ]);
  }
});
