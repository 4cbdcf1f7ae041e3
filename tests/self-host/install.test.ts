import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/*
 * The packages that a command installs before it starts (scripts/run.mjs), with npm, in a project of one package that
 * needs no network. tests/spec/security.test.ts checks that the real lockfile serves every platform.
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
  const run = (program: string, args: string[]) => {
    // As npm runs it, with its own path. Its cache is empty, so nothing can come from a registry.
    const env = { ...process.env, NODE_ENV: "production", npm_config_offline: "true", npm_config_cache: at("cache") };
    return spawnSync(program, args, { cwd: folder, encoding: "utf8", env });
  };
  for (const version of ["1.0.0", "2.0.0"]) {
    write(`${version}/package/package.json`, { name: "used", version });
    run("tar", ["-czf", `used-${version}.tgz`, "-C", version, "package"]);
  }
  const using = (version: string) => {
    const devDependencies = { used: `file:used-${version}.tgz` };
    return { name: "project", version: "1.0.0", devDependencies };
  };
  cpSync("scripts/run.mjs", at("scripts/run.mjs"));
  return {
    wants: (version: string) => write("package.json", using(version)),
    lock: (version: string) => {
      const used = { version, resolved: `file:used-${version}.tgz`, dev: true };
      write("package-lock.json", {
        name: "project",
        version: "1.0.0",
        lockfileVersion: 3,
        packages: { "": using(version), "node_modules/used": used },
      });
    },
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
