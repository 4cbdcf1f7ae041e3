import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { npmStart } from "./npm-start.ts";
import { dataFolder, start } from "./start.ts";

/* The commands of an operator as processes: what they refuse, in one sentence and with an exit code, without a trace. */

/** The commands that need the data of `npm start`. */
const OVER_DATA = [["verify-log"], ["admin", "ada@example.com"], ["erase-supervisor", "sam@example.com"], ["seed"]];

async function command(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/run.mjs", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PUBLIC_ORIGIN: "", SESSION_SECRET: "", MAILCHANNELS_API_KEY: "", PORT: "8787", ...env },
  });
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, output, errors };
}

const everythingIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

// Detects a check of an empty database that the command has just made: it found no faults.
test("a command refuses a data folder without a database, and makes nothing there", async () => {
  const folder = dataFolder();
  const missing = join(folder, "typo");
  const file = join(folder, "file");
  writeFileSync(file, "");
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const withoutTables = join(folder, "without-tables");
  mkdirSync(join(withoutTables, "v3", "d1", "miniflare-D1DatabaseObject"), { recursive: true });
  writeFileSync(join(withoutTables, "v3", "d1", "miniflare-D1DatabaseObject", `${"0".repeat(64)}.sqlite`), "");
  const executables = join(folder, "executable");
  const running = await start(executables);
  await running.stop();
  const refused = [
    [missing, `There is no folder ${missing}.`],
    [executables, `${executables} is the data folder of the executable`],
    [file, `${file} is not a folder.`],
    [empty, `There is no database in ${empty}.`],
  ] as const;
  // All commands open the database by one function, so two folders do for the others.
  const cases = OVER_DATA.flatMap((args, index) =>
    refused.slice(0, index === 0 ? 4 : 2).map((one) => [args, ...one] as const),
  );
  for (const [args, DATA_DIR, words] of cases) {
    const before = everythingIn(folder);
    const { status, output, errors } = await command(args, { DATA_DIR });
    expect([args, status, output, errors]).toEqual([args, 1, "", expect.stringContaining(words)]);
    expect(errors).not.toMatch(/^ {4}at /m);
    expect([args, DATA_DIR, everythingIn(folder)]).toEqual([args, DATA_DIR, before]);
  }
  const { status, output, errors } = await command(["verify-log"], { DATA_DIR: withoutTables });
  expect([status, output, errors]).toEqual([1, "", expect.stringContaining(`in ${withoutTables} has no tables.`)]);
  const started = await command(["start"], { DATA_DIR: executables, PORT: "0" });
  expect([started.status, started.errors]).toEqual([
    1,
    expect.stringContaining("is the data folder of the executable"),
  ]);
  expect(existsSync(join(executables, "v3"))).toBe(false);
});

// Root may read everything.
test.skipIf(process.getuid?.() === 0)("a command refuses a folder that its user cannot read", async () => {
  const closed = dataFolder();
  chmodSync(closed, 0o000);
  const { status, errors } = await command(["verify-log"], { DATA_DIR: closed });
  chmodSync(closed, 0o700);
  expect([status, errors]).toEqual([1, expect.stringContaining(`cannot read and write the folder ${closed}`)]);
});

test("a command accepts a valid database: an empty log has no faults, and what is nowhere is not erased", async () => {
  const DATA_DIR = dataFolder();
  const app = await npmStart(DATA_DIR);
  expect(await app.stop()).toBe(0);
  const checked = await command(["verify-log"], { DATA_DIR });
  expect([checked.status, checked.output, checked.errors]).toEqual([0, expect.stringContaining("No faults."), ""]);
  const erased = await command(["erase-supervisor", "nobody@example.com"], { DATA_DIR });
  expect([erased.status, erased.output, erased.errors]).toEqual([
    1,
    "",
    expect.stringContaining("Nothing is stored about nobody@example.com"),
  ]);
  const promoted = await command(["admin", "nobody@example.com"], { DATA_DIR });
  expect([promoted.status, promoted.errors]).toEqual([1, expect.stringContaining("No account has the email address")]);
});

test.each([
  [["verify-log", "extra"], "npm run verify-log"],
  [["verify-log", "--chekpoint", "x"], "Unknown option '--chekpoint'"],
  [["verify-log", "--remote"], "wrangler.toml has no database yet"],
  [["admin", "ada@example.com", "eve@example.com"], "Which account should become an admin?"],
  [["admin", "ada@example.com", "--remote"], "wrangler.toml has no database yet"],
  [["erase-supervisor", "sam@example.com", "--dry-run"], "Unknown option '--dry-run'"],
  [["erase-supervisor", "sam@example.com", "--remote"], "wrangler.toml has no database yet"],
  [["seed", "--remote"], "never a remote one"],
  [["signing-key", "--remote"], "npm run signing-key takes no arguments"],
  [["mail-test", "ada@example.com", "--remote"], "Say where to"],
  [["mail-test", "ada@example.com"], "Mail needs three settings"],
  [["start", "--port", "9000"], "npm start takes no arguments; it was given --port"],
  [["deploy", "--dry-run"], "npm run deploy takes no arguments"],
])("%j is refused in words, with exit code 1, and makes nothing", async (args, words) => {
  const folder = dataFolder();
  const { status, output, errors } = await command(args, { DATA_DIR: join(folder, "unused") });
  expect([status, output, errors]).toEqual([1, "", expect.stringContaining(words)]);
  expect(errors).not.toMatch(/^ {4}at /m);
  expect(readdirSync(folder)).toEqual([]);
});

const hasProgram = (name: string) => spawnSync(name, ["--version"]).error === undefined;

test.runIf(hasProgram("sha256sum"))("dist/hours-tracker.sha256 is the checksum of the executable", () => {
  const { status, stdout } = spawnSync("sha256sum", ["-c", "hours-tracker.sha256"], { cwd: "dist", encoding: "utf8" });
  expect([status, stdout]).toEqual([0, "hours-tracker: OK\n"]);
});

test.runIf(hasProgram("systemd-analyze"))("the systemd unit of docs/single-binary.md is rated below 3", () => {
  const [, unit = ""] = /```ini\n(.*?)```/s.exec(readFileSync("docs/single-binary.md", "utf8")) ?? [];
  const file = join(dataFolder(), "hours-tracker.service");
  writeFileSync(file, unit);
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=yes", file], { encoding: "utf8" });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(3);
});
