import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/*
 * What a command installs before it starts (scripts/run.mjs), with npm, in a project of one package that needs no
 * network. That the real lockfile serves every platform: tests/spec/security.test.ts.
 */

/** A project whose commands bootstrap like ours, and two versions of the package that it uses. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (path: string) => join(folder, path);
  const write = (path: string, content: object) => {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), JSON.stringify(content));
  };
  const run = (program: string, args: string[], cwd = folder) => {
    // As npm runs it, with its own path. Its cache is empty, so nothing can come from a registry.
    const env = { ...process.env, NODE_ENV: "production", npm_config_offline: "true", npm_config_cache: at("cache") };
    return spawnSync(program, args, { cwd, encoding: "utf8", env });
  };
  const [npm, before] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ["npm", []];
  for (const version of ["1.0.0", "2.0.0"]) {
    write(`${version}/package/package.json`, { name: "used", version });
    run("tar", ["-czf", `used-${version}.tgz`, "-C", version, "package"]);
  }
  const wants = (version: string, where = ".") =>
    write(`${where}/package.json`, {
      name: "project",
      version: "1.0.0",
      devDependencies: { used: `file:used-${version}.tgz` },
    });
  // Made elsewhere, because npm also changes its list of what is installed.
  const lockfiles = ["1.0.0", "2.0.0"].map((version) => {
    wants(version, "elsewhere");
    cpSync(at(`used-${version}.tgz`), at(`elsewhere/used-${version}.tgz`));
    rmSync(at("elsewhere/package-lock.json"), { force: true });
    expect(run(npm, [...before, "install", "--package-lock-only"], at("elsewhere")).status).toBe(0);
    return [version, readFileSync(at("elsewhere/package-lock.json"), "utf8")] as const;
  });
  cpSync("scripts/run.mjs", at("scripts/run.mjs"));
  return {
    wants,
    lock: (version: string) => writeFileSync(at("package-lock.json"), new Map(lockfiles).get(version) ?? ""),
    /** Runs a command that does not exist, which fails after the packages are installed. */
    start: () => {
      const lockfile = readFileSync(at("package-lock.json"), "utf8");
      const { stdout, stderr } = run(process.execPath, ["scripts/run.mjs", "nothing"]);
      expect(readFileSync(at("package-lock.json"), "utf8")).toBe(lockfile);
      return stdout + stderr;
    },
    installed: () => {
      const file = at("node_modules/used/package.json");
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
    },
    at,
    write,
  };
}

const READY = 'There is no command "nothing"';

test("a command installs the versions of the lockfile, and nothing when they are there", () => {
  const { wants, lock, start, installed, at, write } = project();
  wants("1.0.0");
  lock("1.0.0");
  expect(start()).toMatch(/^Installing 1 packages …\n(.*\n)*There is no command/);
  expect(installed()).toBe("1.0.0");
  expect(start()).toMatch(/^There is no command/);

  // After an update, what is installed besides stays, for a computer without a network.
  write("node_modules/.cache/kept", {});
  wants("2.0.0");
  lock("2.0.0");
  expect(start()).toContain(READY);
  expect([installed(), existsSync(at("node_modules/.cache/kept"))]).toEqual(["2.0.0", true]);
});

// Catches `npm install` alone, which installs whatever package.json names.
test("a lockfile that does not match package.json is refused, in a fresh clone and after an update", () => {
  const { wants, lock, start, installed } = project();
  wants("1.0.0");
  lock("1.0.0");
  wants("2.0.0");
  expect(start()).toContain("The packages could not be installed.");
  expect(installed()).toBeNull();

  wants("1.0.0");
  expect(start()).toContain(READY);
  wants("2.0.0");
  lock("2.0.0");
  wants("1.0.0");
  expect(start()).toContain("node_modules/used is not the version of package-lock.json");
});
