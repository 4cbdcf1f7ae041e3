// Runs a command, the file of that name here or in bench/: `node scripts/run.mjs start`. It is plain JavaScript,
// because on a fresh clone it installs the packages of the lockfile before TypeScript can be loaded.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [command, ...args] = process.argv.slice(2);

// The command continues if a reader of its output ends (`npm start | head`).
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
requireNode(20, 19);
process.chdir(root);
installWhatIsMissing();
const file = [`scripts/${command}.ts`, `bench/${command}.ts`].find((path) => existsSync(path));
if (!file) {
  console.error(`There is no command "${command}". package.json lists them.`);
  process.exit(1);
}
const { register } = await import("tsx/esm/api");
register();
const { default: main } = await import(pathToFileURL(root + file).href);
await main(args);

/** @param {number} major @param {number} minor */
function requireNode(major, minor) {
  const [hasMajor = 0, hasMinor = 0] = process.versions.node.split(".").map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  console.error(`Hours Tracker needs Node ${major}.${minor} or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Compares the installed packages with the lockfile, so that a complete installation needs no network. */
function installWhatIsMissing() {
  const wanted = packagesIn("package-lock.json");
  const installed = packagesIn("node_modules/.package-lock.json");
  const missing = Object.entries(wanted).filter(
    ([path, { version, optional }]) => path && !optional && installed[path]?.version !== version,
  );
  if (missing.length === 0) return;
  console.log(`Installing ${missing.length} packages …`);
  const npm = process.env.npm_execpath;
  const [program, before] = npm ? [process.execPath, [npm]] : ["npm", []];
  // Not `npm ci`, which first deletes the packages and may then find no network. `--no-save` keeps the lockfile
  // unchanged. `--include=dev` also with NODE_ENV=production, because these packages build and serve the app.
  const options = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(program, [...before, ...options], {
    stdio: "inherit",
    shell: !npm && process.platform === "win32",
  });
  if (status !== 0) {
    console.error("The packages could not be installed: is there a network?");
    process.exit(1);
  }
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesIn(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, "utf8")).packages : {};
}
