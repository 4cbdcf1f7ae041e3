import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { VERSION } from "#app/server/version.ts";
import { npmStart } from "./npm-start.ts";
import { dataFolder, register, start, visit } from "./start.ts";

/* The commands of an operator as processes: what they refuse, in one sentence and with an exit code, without a trace. */

/** The data folder of commands that run in this process, which makes none. */
const UNUSED = join(tmpdir(), `hours-tracker-unused-${process.pid}`);
const SETTINGS = { PUBLIC_ORIGIN: "", SESSION_SECRET: "", MAILCHANNELS_API_KEY: "", DATA_DIR: UNUSED };
beforeAll(() => {
  for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs()); // other files run in this process, too

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
  await visit(`${running.url}/healthz`); // the runtime makes the folders, the first request the database
  await running.stop();
  const refused = [
    [missing, `There is no folder ${missing}.`],
    [executables, `${executables} is the data folder of the executable`],
    [file, `${file} is not a folder.`],
    [empty, `There is no database in ${empty}.`],
  ] as const;
  // All commands open the database by one function; the others are tried below.
  for (const [DATA_DIR, words] of refused) {
    const before = everythingIn(folder);
    const { status, output, errors } = await command(["verify-log"], { DATA_DIR });
    expect([DATA_DIR, status, output, errors]).toEqual([DATA_DIR, 1, "", expect.stringContaining(words)]);
    expect(errors).not.toMatch(/^ {4}at /m);
    expect([DATA_DIR, everythingIn(folder)]).toEqual([DATA_DIR, before]);
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

test("a command accepts a valid database, and the first of another version copies it for 30 days and says so", async () => {
  const DATA_DIR = dataFolder();
  const app = await npmStart(DATA_DIR);
  await register(app, "ada@example.com");
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

  // Catches an update of npm start that cannot be undone.
  const folder = join(DATA_DIR, "backups");
  expect(existsSync(folder)).toBe(false);
  for (const old of ["2026-01-01T00-00-00Z-before-0.0.8", "of-somebody-else"])
    mkdirSync(join(folder, old), { recursive: true });
  // No version is known of a database that wrangler has made from a backup.
  expect(readFileSync(join(DATA_DIR, "version"), "utf8")).toMatch(RELEASE);
  rmSync(join(DATA_DIR, "version"));
  expect((await command(["verify-log"], { DATA_DIR })).output).not.toContain("A copy of the database");
  expect(readdirSync(folder)).toHaveLength(2);
  writeFileSync(join(DATA_DIR, "version"), `${VERSION}, schema 00000000`);
  const updated = await command(["verify-log"], { DATA_DIR });
  const [copy = "", ...others] = readdirSync(folder);
  expect([updated.status, updated.output, others]).toEqual([
    0,
    expect.stringContaining(`A copy of the database is in ${join(folder, copy)}, for 30 days.`),
    ["of-somebody-else"],
  ]);
  expect(copy).toMatch(new RegExp(`Z-before-${VERSION}$`));
  expect((await command(["verify-log"], { DATA_DIR })).status).toBe(0);
  expect(readdirSync(folder)).toHaveLength(2);

  writeFileSync(join(DATA_DIR, "version"), "0.0.9");
  const before = everythingIn(DATA_DIR);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where the folder would be");
  const refused = await command(["verify-log"], { DATA_DIR });
  expect([refused.status, refused.errors]).toEqual([
    1,
    expect.stringContaining(`No backup could be taken before version ${VERSION}, so nothing was changed`),
  ]);
  expect(everythingIn(DATA_DIR)).toEqual(before.filter((path) => !path.startsWith("backups/")));

  const databases = join(DATA_DIR, "v3", "d1", "miniflare-D1DatabaseObject");
  for (const name of readdirSync(databases).filter((name) => !name.startsWith("metadata"))) {
    if (name.endsWith(".sqlite")) writeFileSync(join(databases, name), "no database ".repeat(1000));
    else rmSync(join(databases, name));
  }
  const damaged = await command(["verify-log"], { DATA_DIR });
  expect([damaged.status, damaged.errors]).toEqual([
    1,
    expect.stringMatching(
      /could not be prepared: .*\nEither the disk is full, which `df .*` shows, or .* damaged: .*docs\/backups\.md/,
    ),
  ]);
});

/** The version and its schema, as the data folder and the file beside the executable have them. */
const RELEASE = new RegExp(`^${VERSION}, schema [0-9a-f]{8}\n?$`);

// Seen to fail: each ended with a stack of Node.
test("npm start names a file of the data folder that cannot be read, cannot be written, or has a useless secret", async () => {
  const folder = dataFolder();
  const secret = join(folder, "session-secret");
  const key = join(folder, "signing-key");
  const refused = async (words: string) => {
    const { status, errors } = await command(["start"], { DATA_DIR: folder, PORT: "0" });
    expect([status, errors]).toEqual([1, expect.stringContaining(words)]);
    expect(errors).not.toMatch(/^ {4}at /m);
  };
  mkdirSync(secret);
  await refused(`The file ${secret} cannot be read: EISDIR`);
  rmSync(secret, { recursive: true });
  symlinkSync(join(folder, "missing", "key"), key);
  await refused(`The file ${key} cannot be written: ENOENT`);
  writeFileSync(secret, "cut off");
  await refused(`SESSION_SECRET is too short`);
  await refused(`It is read from the file ${secret}.`);
});

/** Runs a command, or a part of one, here, because a process takes a second, until it would end one. Returns its exit code and what it prints. */
async function inThisProcess(run: () => Promise<unknown>) {
  const printed: { output: string[]; errors: string[] } = { output: [], errors: [] };
  const ended = new Error("the command has ended");
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => void printed.output.push(text)),
    vi.spyOn(console, "error").mockImplementation((text) => void printed.errors.push(text)),
    vi.spyOn(process, "exit").mockImplementation(() => {
      throw ended;
    }),
  ];
  const status = await run().then(
    () => 0,
    (error: unknown) => (error === ended ? vi.mocked(process.exit).mock.calls[0]?.[0] : Promise.reject(error)),
  );
  for (const spy of spies) spy.mockRestore();
  return { status, output: printed.output.join("\n"), errors: printed.errors.join("\n") };
}

/** Sets variables of the environment until the end of the test. */
function setting(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) {
    const before = process.env[name] ?? "";
    vi.stubEnv(name, value);
    onTestFinished(() => void vi.stubEnv(name, before));
  }
}

test.each<[string[], string, Record<string, string>?]>([
  [["verify-log"], `There is no folder ${UNUSED}.`],
  [["admin", "ada@example.com"], `There is no folder ${UNUSED}.`],
  [["erase-supervisor", "sam@example.com"], `There is no folder ${UNUSED}.`],
  [["seed"], `There is no folder ${UNUSED}.`],
  [["seed"], "passwords are known to everybody", { PUBLIC_ORIGIN: "https://hours.example.com" }],
  [["verify-log", "extra"], "npm run verify-log takes no argument extra."],
  [["verify-log", "--chekpoint", "x"], "Unknown option '--chekpoint'"],
  [["verify-log", "--remote"], "wrangler.toml has no database yet"],
  [["admin", "ada@example.com", "eve@example.com"], "Which account should become an admin?"],
  [["admin", "ada@example.com", "--remote"], "wrangler.toml has no database yet"],
  [["admin", "nope"], "nope is not an email address"],
  [["erase-supervisor"], "Whose data should be erased?"],
  [["erase-supervisor", "nope"], "nope is not an email address. npm run erase-supervisor -- someone@example.com"],
  [["erase-supervisor", "sam@example.com", "--dry-run"], "Unknown option '--dry-run'"],
  [["erase-supervisor", "sam@example.com", "--remote"], "wrangler.toml has no database yet"],
  [["seed", "--remote"], "never a remote one"],
  [["mail-test", "ada@example.com", "--remote"], "Say where to"],
  [["mail-test", "foo"], "foo is not an email address. npm run mail:test -- you@example.com"],
  [["mail-test", "--nope"], "--nope is not an email address"],
  [["mail-test", "ada@example.com"], "Mail needs three settings"],
  [["safe", "--typo"], "it takes a number"],
])("%j is refused in words, with exit code 1, and makes nothing", async ([name = "", ...args], words, env = {}) => {
  setting(env);
  const { default: main } = await import(name === "safe" ? "../safe.ts" : `../../scripts/${name}.ts`);
  const { status, output, errors } = await inThisProcess(() => main(args));
  expect([status, output, errors]).toEqual([1, "", expect.stringContaining(words)]);
  expect(existsSync(UNUSED)).toBe(false);
});

// npm start reads its settings by this function, before it makes anything.
test.each([
  [{ TRUST_PROXY: "0" }, "TRUST_PROXY must be 1"],
  [{ SESSION_SECRET: "a short secret" }, "SESSION_SECRET is too short"],
  [{ SESSION_SECRET: " ".repeat(44) }, "SESSION_SECRET is too short"],
  [{ MAIL_FROM: "Hours Tracker" }, "MAIL_FROM must be an address"],
  [{ METRICS_TOKEN: "0123456789abcdef0123456789abcde" }, "METRICS_TOKEN must have 32 characters"],
  [{ RESET_ADMIN: "ada" }, "RESET_ADMIN must be the email address of an admin"],
  [{ REQUESTS_PER_MINUTE: "-5" }, "REQUESTS_PER_MINUTE must be a whole number"],
  [{ MAIL_TIMEOUT_MS: "10s" }, "MAIL_TIMEOUT_MS must be a number of milliseconds"],
  [{ MAILCHANNELS_BASE_URL: "nonsense" }, "MAILCHANNELS_BASE_URL must be an address"],
  [{ LOG: "jsn" }, "LOG must be json"],
  [{ PUBLIC_ORIGIN: "hours.example.com" }, "PUBLIC_ORIGIN must be scheme and host"],
  [{ PUBLIC_ORIGIN: "https://hours.example.com/app" }, "the app cannot be below a path"],
  [{ PUBLIC_ORIGIN: "https://a.example,https://b.example" }, "PUBLIC_ORIGIN must be scheme and host"],
  [{ PUBLIC_ORIGIN: "https://a.example https://b.example" }, "PUBLIC_ORIGIN must be scheme and host"],
])("the settings %o are refused in words, with exit code 1, and make nothing", async (env, words) => {
  setting(env);
  const { workerSettings } = await import("../../scripts/lib/settings.ts");
  const { status, errors } = await inThisProcess(workerSettings);
  expect([status, errors]).toEqual([1, expect.stringContaining(words)]);
  expect(existsSync(UNUSED)).toBe(false);
});

test("a command that takes no arguments refuses them, and makes nothing", async () => {
  const DATA_DIR = join(dataFolder(), "unused");
  const { status, output, errors } = await command(["start", "--port", "9000"], { DATA_DIR });
  expect([status, output, errors]).toEqual([1, "", "npm start takes no arguments; it was given --port.\n"]);
  expect(existsSync(DATA_DIR)).toBe(false);
  // scripts/run.mjs sees by this that they take none.
  for (const name of ["binary", "build", "deploy", "dev", "licences", "signing-key", "start"]) {
    const { default: main } = await import(`../../scripts/${name}.ts`);
    expect([name, main.length]).toEqual([name, 0]);
  }
});

const hasProgram = (name: string) => spawnSync(name, ["--version"]).error === undefined;

const MAIL = {
  MAILCHANNELS_API_KEY: "a key",
  MAIL_FROM: "Hours <hours@example.com>",
  PUBLIC_ORIGIN: "https://hours.example.com",
};

test("npm start with a wrong and a misspelt setting names both, and makes no data folder", async () => {
  const folder = dataFolder();
  const { status, errors } = await command(["start"], {
    DATA_DIR: join(folder, "unused"),
    SMTP_URI: "smtp://mail.example.com",
    METRICS_TOKEN: "too short",
    BACKUP_AT: "02:30",
    S3_BUCKET: "hours",
  });
  expect([status, errors]).toEqual([1, expect.stringContaining("METRICS_TOKEN must have 32")]);
  expect(readdirSync(folder)).toEqual([]);
  expect(errors).toContain("SMTP_URI is ignored: there is no such setting. Is SMTP_URL meant?");
  for (const name of ["BACKUP_AT", "S3_BUCKET"])
    expect(errors).toContain(`${name} is ignored by npm start, which takes and restores no backups`);
});

test("mail:test names a wrong setting, and says so if the service gives an unexpected answer", async () => {
  const wrong = await command(["mail-test", "ada@example.com"], { ...MAIL, MAIL_FROM: "hours" });
  expect([wrong.status, wrong.errors]).toEqual([1, expect.stringContaining("MAIL_FROM must be an address")]);
  const server = createServer((_incoming, outgoing) =>
    outgoing.writeHead(200, { "Content-Type": "application/json" }).end('{"something":"else"}'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // it listens on a port
  const answered = await command(["mail-test", "ada@example.com"], {
    ...MAIL,
    MAILCHANNELS_BASE_URL: `http://127.0.0.1:${port}`,
  });
  expect(answered.output).toContain("example.com could not be checked: an unexpected answer");
  expect([answered.status, answered.errors]).toEqual([
    1,
    expect.stringContaining("It is unknown whether it was sent: MailChannels answered 200"),
  ]);
  expect(answered.errors).not.toMatch(/^ {4}at /m);
});

test.runIf(hasProgram("curl"))(
  "the first request of the systemd unit succeeds for a program that starts late or answers 503, and fails for one that ended",
  async () => {
    const line = /^ExecStartPost=(.*)$/m.exec(readFileSync("docs/single-binary.md", "utf8"))?.[1] ?? "";
    const run = (port: number, retry = "--retry 20 ") => {
      const [program = "", ...args] = line.replace(":8787", `:${port}`).replace("--retry 20 ", retry).split(" ");
      const child = spawn(program, args, { stdio: "ignore" });
      return new Promise<number | null>((resolve) => child.on("close", resolve));
    };
    const data = dataFolder();
    writeFileSync(join(data, "invoice.pdf"), ""); // a folder of others
    expect(await run((await start(data)).port)).toBe(0);
    const late = createServer((_incoming, outgoing) => outgoing.end("ok"));
    await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
    const { port } = late.address() as AddressInfo; // it listens on a port
    await new Promise((resolve) => late.close(resolve));
    const asked = run(port);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // the start is late; nothing waits for this
    late.listen(port, "127.0.0.1");
    onTestFinished(() => void late.close().closeAllConnections());
    expect(await asked).toBe(0);
    late.close().closeAllConnections();
    expect(await run(port, "--retry 1 ")).toBe(7); // no connection
  },
  60_000,
);

test.runIf(hasProgram("sha256sum"))(
  "dist/hours-tracker.sha256 is the checksum of the executable, and dist/hours-tracker.version its version",
  () => {
    const { status, stdout } = spawnSync("sha256sum", ["-c", "hours-tracker.sha256"], {
      cwd: "dist",
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, "hours-tracker: OK\n"]);
    expect(readFileSync("dist/hours-tracker.version", "utf8")).toMatch(RELEASE);
  },
);

test.runIf(hasProgram("systemd-analyze"))("the systemd unit of docs/single-binary.md is rated below 3", () => {
  const [, unit = ""] = /```ini\n(.*?)```/s.exec(readFileSync("docs/single-binary.md", "utf8")) ?? [];
  const file = join(dataFolder(), "hours-tracker.service");
  writeFileSync(file, unit);
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=yes", file], { encoding: "utf8" });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(3);
});
