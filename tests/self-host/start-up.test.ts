import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { VERSION } from "#app/server/version.ts";
import { assemble, compile } from "#self-host/build/compile.ts";
import { dataAsModule, migrationFiles } from "#self-host/build/modules.ts";
import { ENVIRONMENT, slipsOf, tokenProblem } from "#self-host/settings.ts";
import { npmStart } from "./npm-start.ts";
import { dataFolder, logged, logIn, register, SETTINGS, start, visit } from "./start.ts";

const DATE = "2026-03-02";
const entry = (location: string) => ({ date: DATE, location, method: "ET", hours: 7.25 });

function events(log: string[]): string[] {
  return log.map((line) => JSON.parse(line).event);
}

test("with no Node in PATH it keeps its data over a restart, and runs each migration once", async () => {
  const data = dataFolder();
  const first = await start(data);
  const ada = await register(first, "ada@example.com");
  expect((await ada.call("POST", "/api/entries", [entry("Dock 4")])).status).toBe(201);
  expect(events(first.log)).toContain("migrated");
  expect(await first.stop()).toBe(0);

  const second = await start(data);
  const again = await logIn(second, "ada@example.com");
  expect(await (await again.call("GET", "/api/entries")).json()).toMatchObject([{ location: "Dock 4", hours: 7.25 }]);
  expect(events(second.log)).not.toContain("migrated");
  expect(events(second.log)).toContain("ready");
});

// Seen to fail: it made an empty app there, and npm start then refused its own folder.
test("it refuses the data folder of npm start, says which to use, and leaves it as it was", async () => {
  const data = dataFolder();
  await (await npmStart(data)).stop();
  // But for what the runtime makes before the program runs.
  const everything = () =>
    readdirSync(data, { recursive: true, withFileTypes: true })
      .flatMap((one) => (one.isFile() && !one.name.startsWith("metadata.sqlite") ? join(one.parentPath, one.name) : []))
      .sort();
  const before = everything();
  const refusing = await start(data);
  const answers = [await visit(`${refusing.url}/auth`), await visit(`${refusing.url}/healthz`)];
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  const line = JSON.parse(await logged(refusing.log, /"not ready"/));
  expect(line).toMatchObject({
    problem: "the data folder is that of npm start, which the executable cannot use",
    advice: expect.stringMatching(/-ddata=.* Its folders clock, database and lock can be deleted where they are new/),
  });
  expect(readdirSync(data)).toEqual(expect.arrayContaining(["clock", "database", "lock"]));
  await refusing.stop();
  expect(everything()).toEqual(before);
  expect(await (await npmStart(data)).stop()).toBe(0);
});

test("it is healthy when its database is ready and answers", async () => {
  const running = await start(dataFolder());
  const answer = await visit(`${running.url}/healthz`);
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok", version: VERSION }]);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const head = await visit(`${running.url}/healthz?x=1`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const post = await visit(`${running.url}/healthz`, { method: "POST" });
  expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

// Catches settings without an effect: no address in emails, no emails, backups at another hour.
test("a misspelt setting and an unknown time zone are named in the log, once, and the program runs", async () => {
  const running = await start(dataFolder(), {
    ...SETTINGS,
    PUBLIC_ORIGN: "https://hours.example.com",
    SMTP_ULR: "smtps://hours:password@mail.example.com",
    METRICS_TOKENS: "a".repeat(32),
    backup_at: "off",
    BACKUP_KEYX: "",
    BACKUP_KEE: "password@",
    DATA_DIR: "/srv/hours",
    LOG: "",
    TZ: "Europe/Olso",
  });
  for (const _ of ["once", "again"]) expect((await visit(`${running.url}/auth`)).status).toBe(200);
  await logged(running.log, /"ready"/);
  expect(running.log.findIndex((line) => line.includes("PUBLIC_ORIGN"))).toBeLessThan(
    running.log.findIndex((line) => line.includes('"starting"')),
  );
  const ignored = running.log.map((line) => JSON.parse(line)).filter(({ event }) => event === "setting ignored");
  expect(ignored.map(({ level, setting, advice }) => [level, setting, advice]).sort()).toEqual(
    [
      ["BACKUP_KEE", "BACKUP_KEE is ignored: there is no such setting. Is BACKUP_KEY meant?"],
      ["DATA_DIR", "DATA_DIR is ignored by the executable: its folder and address are the options -ddata= and -shttp="],
      ["METRICS_TOKENS", "METRICS_TOKENS is ignored: there is no such setting. Is METRICS_TOKEN meant?"],
      ["PUBLIC_ORIGN", "PUBLIC_ORIGN is ignored: there is no such setting. Is PUBLIC_ORIGIN meant?"],
      ["SMTP_ULR", "SMTP_ULR is ignored: there is no such setting. Is SMTP_URL meant?"],
      ["TZ", "TZ is ignored, so the time zone is UTC: Europe/Olso is none."],
      ["backup_at", "backup_at is ignored: there is no such setting. Is BACKUP_AT meant?"],
    ].map(([setting, advice]) => ["warn", setting, expect.stringContaining(advice ?? "")]),
  );
  expect(running.log.join("\n")).not.toContain("password@");
});

test("each name with one character missing, added, replaced or swapped is a slip, and no other setting's name is", () => {
  const slips = slipsOf();
  for (const [slip, meant] of [
    ["BACKUP_KE", "BACKUP_KEY"],
    ["BACKUP_KEYS", "BACKUP_KEY"],
    ["METRIC_TOKEN", "METRICS_TOKEN"],
    ["PUBLIC_ORIGEN", "PUBLIC_ORIGIN"],
    ["SMTP_URI", "SMTP_URL"],
    ["SMTP-URL", undefined],
    ["SMPT_URL", "SMTP_URL"],
    ["SESSION_SECRET2", "SESSION_SECRET"],
    ["MAILFROM", "MAIL_FROM"],
    ["smtp_url", "SMTP_URL"],
    ["SMTP_HOST", undefined],
    ["TZS", undefined], // too short: other programs have such names
  ] as const) {
    expect([slip, slips.get(slip)]).toEqual([slip, meant]);
  }
  for (const name of [...ENVIRONMENT, "PATH", "HOME", "HOSTNAME", "LANG"])
    expect([name, slips.has(name)]).toEqual([name, false]);
});

// Catches an executable that made an empty app there: npm start then refused its own folder.
test("it refuses the data folder of npm start also while npm start builds the app for the first time", async () => {
  const data = dataFolder();
  mkdirSync(join(data, "v3", "d1"), { recursive: true }); // what npm start makes first
  const running = await start(data);
  expect((await visit(`${running.url}/auth`)).status).toBe(503);
  await logged(running.log, /the data folder is that of npm start, which the executable cannot use/);
});

// Catches -ddata= with nothing behind it, which is the current folder, and a folder that is mistaken for another.
test("it refuses a folder without its data that has files of others, and accepts what a restore and a new disk have", async () => {
  const data = dataFolder();
  for (const name of ["backups", "lost+found"]) mkdirSync(join(data, name));
  writeFileSync(join(data, "signing-key"), "");
  writeFileSync(join(data, "invoice.pdf"), "");
  const refusing = await start(data);
  expect((await visit(`${refusing.url}/healthz`)).status).toBe(503);
  expect(JSON.parse(await logged(refusing.log, /"not ready"/))).toMatchObject({
    problem: "the data folder has files of others, such as invoice.pdf, and no data of this program",
    advice: expect.stringContaining("-ddata="),
  });
  await refusing.stop();
  rmSync(join(data, "invoice.pdf"));
  const running = await start(data);
  expect((await visit(`${running.url}/healthz`)).status).toBe(200);
  await running.stop();
  writeFileSync(join(data, "invoice.pdf"), "");
  expect((await visit(`${(await start(data)).url}/healthz`)).status).toBe(200);
});

/** How the program ends that may not start with this environment: its exit code, its log, and its other words. */
function refused(data: string, env: Record<string, string>) {
  const options = [`-ddata=${data}`, "-shttp=127.0.0.1:0"];
  const { status, stdout, stderr } = spawnSync("dist/hours-tracker", options, {
    encoding: "utf8",
    env: { PATH: "/nonexistent", ...env },
    timeout: 2 * 60_000,
  });
  return {
    status,
    log: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    stderr,
  };
}

// Seen to fail: it listened and answered every request 503, and `systemctl start` succeeded.
test.each([
  [{}, "SESSION_SECRET is missing"],
  [{ ...SETTINGS, SESSION_SECRET: "short" }, "SESSION_SECRET is too short"],
  [{ ...SETTINGS, PUBLIC_ORIGIN: "hours.example.com" }, "PUBLIC_ORIGIN must be scheme and host"],
  [{ ...SETTINGS, S3_ENDPOINT: "nonsense" }, "S3_ENDPOINT is set, but S3_BUCKET and"],
  [{ ...SETTINGS, BACKUP_TOKEN: "short" }, "BACKUP_TOKEN must have 32 characters"],
  [{ ...SETTINGS, METRICS_TOKEN: SETTINGS.BACKUP_TOKEN }, "METRICS_TOKEN must differ from BACKUP_TOKEN"],
])(
  "with the settings %o it ends with 1 before it listens, says why, and the data folder has no database",
  (env, words) => {
    const data = dataFolder();
    const { status, log, stderr } = refused(data, env);
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(log).toEqual([
      {
        level: "error",
        event: "not started",
        version: VERSION,
        problem: expect.stringContaining(words),
        advice: expect.stringContaining("start again"),
      },
    ]);
    expect(
      readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{64}/.test(name)),
    ).toEqual([]);
  },
);

test("its first line is its version and address, before any request", async () => {
  const { log } = await start(dataFolder(), { ...SETTINGS, PUBLIC_ORIGIN: "https://hours.example.com" });
  const line = JSON.parse(await logged(log, /"starting"/));
  expect(line).toMatchObject({ level: "info", version: VERSION, address: "https://hours.example.com" });
  expect(log).toHaveLength(1);
});

test("while it is not ready every request is answered 503", async () => {
  const data = dataFolder();
  writeFileSync(join(data, "invoice.pdf"), "");
  const running = await start(data);
  for (const path of ["/", "/auth", "/robots.txt", "/healthz", "/set-up/abc"]) {
    expect([path, (await visit(running.url + path)).status]).toEqual([path, 503]);
  }
  const page = await visit(`${running.url}/profile`);
  expect(await page.text()).toContain("Hours Tracker is not ready");
  expect(page.headers.get("Retry-After")).toBe("60");
  expect(page.headers.get("X-Content-Type-Options")).toBe("nosniff");
  const call = await visit(`${running.url}/api/user`);
  expect([call.status, await call.json()]).toEqual([
    503,
    { code: "unavailable", message: expect.stringContaining("not ready") },
  ]);
});

test("a token for programs that is easy to guess is refused", () => {
  for (const weak of ["x".repeat(32), "0123456789abcdef0123456789abcde"])
    expect(tokenProblem("BACKUP_TOKEN", { BACKUP_TOKEN: weak })).toMatch(/^BACKUP_TOKEN must/);
});

// Detects a migration that is not rolled back: the earlier version would then find half of it.
test("while a migration fails every request is answered 503, and the earlier version finds its data unchanged", async () => {
  const data = dataFolder();
  const before = await start(data);
  const ada = await register(before, "ada@example.com");
  await ada.call("POST", "/api/entries", [entry("Dock 4")]);
  await before.stop();

  const bad = {
    name: "9999_bad.sql",
    sql: "DELETE FROM records; CREATE TABLE half (id INTEGER); SELECT no_such_column;",
  };
  const migrations = dataAsModule("binary:migrations", [...migrationFiles(), bad]);
  const file = join(tmpdir(), `hours-tracker-bad-${process.pid}`);
  onTestFinished(() => rmSync(file, { force: true }));
  compile(await assemble({ migrations, hasFiles: false }), file);
  const broken = await start(data, { SESSION_SECRET: "a secret for tests, of 32 bytes and more" }, file);
  expect((await visit(`${broken.url}/auth`)).status).toBe(503);
  const health = await visit(`${broken.url}/healthz`);
  expect([health.status, await health.json()]).toEqual([
    503,
    {
      status: "not ready",
      version: VERSION,
      reason: "The database could not be migrated to this version. The log says why.",
    },
  ]);
  await logged(broken.log, /migration 9999_bad\.sql failed: no such column.*Nothing was changed/);
  await broken.stop();

  const after = await start(data);
  const again = await logIn(after, "ada@example.com");
  expect(await (await again.call("GET", "/api/entries")).json()).toMatchObject([{ location: "Dock 4" }]);
});

// Seen to fail: each request was answered "Internal Server Error", and the log of the program said nothing.
test("with a damaged database every request is answered 503, and the log says what to do", async () => {
  const data = dataFolder();
  const before = await start(data);
  await register(before, "ada@example.com");
  await before.stop();
  const files = readdirSync(join(data, "database")).filter((name) => !name.startsWith("metadata"));
  for (const name of files) {
    if (name.endsWith(".sqlite")) writeFileSync(join(data, "database", name), "no database ".repeat(1000));
    else rmSync(join(data, "database", name));
  }
  const damaged = await start(data);
  for (const path of ["/auth", "/healthz"])
    expect([path, (await visit(damaged.url + path)).status]).toEqual([path, 503]);
  expect(JSON.parse(await logged(damaged.log, /"not ready"/))).toMatchObject({
    problem: expect.stringMatching(
      /^the database cannot be used: internal error.*; is the disk full, or a file damaged\?$/,
    ),
    advice: expect.stringContaining("restore a backup into a new data folder; see docs/backups.md"),
  });
});

test("it names a missing data folder and ends", async () => {
  const data = dataFolder();
  rmSync(data, { recursive: true });
  const { status, stderr } = run(`-ddata=${data}`, "-shttp=127.0.0.1:0");
  expect([status, stderr]).toEqual([1, expect.stringContaining(data)]);
});

function run(...options: string[]) {
  return spawnSync("dist/hours-tracker", options, { encoding: "utf8", timeout: 2 * 60_000 });
}

/** A user who is not root, for whom permissions count. */
const NOT_ROOT = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

test.runIf(spawnSync("dist/hours-tracker", ["--version"], NOT_ROOT).status === 0)(
  "what the runtime prints for a folder without permission is what docs/single-binary.md explains",
  () => {
    const page = readFileSync("docs/single-binary.md", "utf8");
    for (const [mode, call] of [
      [0o555, "mkdirat"],
      [0o000, "openat"],
    ] as const) {
      const data = dataFolder();
      chmodSync(data, mode);
      const { status, stderr } = spawnSync("dist/hours-tracker", [`-ddata=${data}`, "-shttp=127.0.0.1:0"], {
        ...NOT_ROOT,
        encoding: "utf8",
        timeout: 2 * 60_000,
      });
      chmodSync(data, 0o700);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`failed: ${call}\\(.*: Permission denied; path = `)),
      ]);
      expect(page).toContain(`\`${call}(…): Permission denied`);
    }
  },
);

// Catches a table of words that the runtime of this version does not say.
test("docs/single-binary.md explains the runtime's message for each wrong option", async () => {
  const folder = `-ddata=${dataFolder()}`;
  const file = join(dataFolder(), "file");
  writeFileSync(file, "");
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  onTestFinished(() => void busy.close());
  const { port } = busy.address() as AddressInfo;
  const cases = [
    [["-sfoo"], "'foo' for '--socket-addr <name>=<addr>'"],
    [["-ddata"], "'data' for '--directory-path <name>=<path>'"],
    [["-shttp=127.0.0.1:0"], 'Directory "data" has no path in the config'],
    [["-ddata=/nowhere"], 'Directory named "data" not found'],
    [[`-ddata=${file}`, "-shttp=127.0.0.1:0"], 'Directory named "data" not found'],
    [[folder, "-sfoo=127.0.0.1:0"], 'Config did not define any socket named "foo"'],
    [[folder, "-shttp=127.0.0.1:0", "-dfoo=/tmp"], 'Config did not define any disk service named "foo"'],
    [["-shttp=127.0.0.1:0", "-dfoo=/tmp"], 'Directory "data" has no path in the config'],
    [[folder, "-shttp=127.0.0.1:0", "extra"], "unexpected argument 'extra' found"],
    [["--port=9000"], "unexpected argument '--port' found"],
    [[folder, `-shttp=127.0.0.1:${port}`], "Address already in use"],
    [[folder, "-shttp=127.0.0.1:80000"], "Port number too large"],
    [[folder, "-shttp=192.0.2.1:8787"], "Cannot assign requested address"],
  ] as const;
  const page = readFileSync("docs/single-binary.md", "utf8");
  for (const [options, words] of cases) {
    const { status, stderr } = run(...options);
    expect([options, status, stderr]).toEqual([options, 1, expect.stringContaining(words)]);
    expect(page).toContain(`\`${words}\``);
  }
});
