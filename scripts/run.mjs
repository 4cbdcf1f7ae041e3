// Runs a command, the file of that name here, in bench/ or in tests/: `node scripts/run.mjs start`. It is plain JavaScript,
// because on a fresh clone it installs the packages of the lockfile before TypeScript can be loaded.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [command, ...args] = process.argv.slice(2);

// The command continues if a reader of its output ends (`npm start | head`).
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
if (process.versions.node.localeCompare("20.19", "en", { numeric: true }) < 0) {
  fail(`Hours Tracker needs Node 20.19 or later; this is ${process.versions.node}.`);
}
process.chdir(root);
installWhatIsMissing();
const file = ["scripts", "bench", "tests"].map((folder) => `${folder}/${command}.ts`).find((path) => existsSync(path));
if (!file) fail(`There is no command "${command}". package.json lists them.`);
const { register } = await import("tsx/esm/api");
register();
const { default: main } = await import(pathToFileURL(root + file).href);
// One that takes arguments checks them itself.
if (main.length === 0 && args.length > 0) {
  fail(`npm ${command === "start" ? "" : "run "}${command} takes no arguments; it was given ${args[0]}.`);
}
await main(args);

/** Installs the packages of the lockfile, and only if one is missing, so that a complete installation needs no network. */
function installWhatIsMissing() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  if (process.platform === "linux" && !isGlibc()) {
    fail("Hours Tracker runs on Linux with glibc, which its runtime workerd needs. This system has another C library.");
  }
  console.log(`Installing ${missing.length} packages …`);
  const npm = process.env.npm_execpath;
  const [program, before] = npm ? [process.execPath, [npm]] : ["npm", []];
  // `npm ci` deletes all packages before it installs, and may then find no network: only a fresh clone uses it. With
  // `--no-save` the other command takes the versions of the lockfile, too, and leaves it unchanged. `--include=dev` also
  // with NODE_ENV=production, because these packages build and serve the app.
  const command = existsSync("node_modules") ? ["install", "--no-save"] : ["ci"];
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(program, [...before, ...command, ...options], {
    stdio: "inherit",
    shell: !npm && process.platform === "win32",
  });
  if (status !== 0) fail("The packages could not be installed. npm says why above: is there a network?");
  const [wrong] = missingPackages();
  if (wrong) fail(`${wrong} is not the version of package-lock.json: delete node_modules and start again.`);
}

/** The packages of the lockfile that this system needs and that are not installed in that version, as paths. */
function missingPackages() {
  const installed = packagesIn("node_modules/.package-lock.json");
  return Object.entries(packagesIn("package-lock.json"))
    .filter(([path, { version, optional }]) => path && !optional && installed[path]?.version !== version)
    .map(([path]) => path);
}

/** Whether Node runs on glibc. */
function isGlibc() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header.glibcVersionRuntime !== undefined;
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesIn(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, "utf8")).packages : {};
}
