import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { licenceList } from "#scripts/licences.ts";
import { reportFigure } from "#tests/safe/figures.ts";
import { ASVS_LEVELS, requirementsOf } from "./asvs.ts";

/*
 * Checks our account of OWASP ASVS 5.0, whose rows are in asvs.tsv (number, requirement, way, how), against its list of
 * requirements, the files that it names, and the targets: every level 1 requirement and 95 % of level 2 have a test or a written
 * reason. Catches a lost row, a renamed test file, and a deviation without a reason. Whether the named tests pass is not
 * checked here.
 */

const WAYS = ["Test", "Document", "Platform", "Deviation", "Not applicable"] as const;

interface Row {
  number: string;
  requirement: string;
  way: string;
  how: string;
}

const ROWS: Row[] = readFileSync("tests/spec/asvs.tsv", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [number = "", requirement = "", way = "", how = ""] = line.split("\t");
    return { number, requirement, way, how };
  });

/** The page about it, for people, which has the reasons of the deviations. */
const PAGE = readFileSync("docs/asvs.md", "utf8");

/** Returns the row of a requirement: its own, or that of its section or chapter. */
function rowOf(number: string): Row | undefined {
  const parts = number.split(".");
  return [3, 2, 1].map((n) => ROWS.find((row) => row.number === parts.slice(0, n).join("."))).find(Boolean);
}

function filesIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.(?:tsx?|md|json))`/g)].flatMap(([, file]) => (file ? [file] : []));
}

test("the list of requirements is that of ASVS 5.0: 70 of level 1, 183 of level 2, 345 in all", () => {
  expect(requirementsOf(1)).toHaveLength(70);
  expect(requirementsOf(2)).toHaveLength(183);
  expect(Object.values(ASVS_LEVELS).join("")).toHaveLength(345);
});

test("each row belongs to a requirement, a section or a chapter, and appears once", () => {
  const all = [...requirementsOf(1), ...requirementsOf(2)];
  const known = new Set(
    all.flatMap((number) => [number, number.split(".").slice(0, 2).join("."), number.split(".")[0]]),
  );
  expect(ROWS.map(({ number }) => number).filter((number) => !known.has(number))).toEqual([]);
  expect(new Set(ROWS.map(({ number }) => number)).size).toBe(ROWS.length);
});

describe.each([
  [1, 1],
  [2, 0.95],
] as const)("level %i", (level, target) => {
  const numbers = requirementsOf(level);

  test("every requirement has a row that says how it is met, or why not", () => {
    const isTold = (row: Row | undefined) => row?.how && (WAYS as readonly string[]).includes(row.way);
    expect(numbers.filter((number) => !isTold(rowOf(number)))).toEqual([]);
  });

  test(`at least ${target * 100} % of what applies has a test, a document, or a written reason`, () => {
    const all = numbers.map(rowOf);
    const count = (way: (typeof WAYS)[number]) => all.filter((row) => row?.way === way).length;
    const applying = all.length - count("Not applicable");
    const met = count("Test") + count("Document") + count("Platform") + count("Deviation");
    expect(met / applying).toBeGreaterThanOrEqual(target);
    // Reasons do not replace tests: most requirements are tested.
    expect(count("Test") / applying).toBeGreaterThan(0.5);
    expect(PAGE).toContain(`| ${[level, numbers.length, applying, ...WAYS.map(count)].join(" | ")} |`);
    reportFigure(
      `ASVS level ${level}`,
      `level ${level}: ${((100 * met) / applying).toFixed(1)} % of the ${applying} of ${numbers.length} that apply ` +
        `(${count("Test")} by a test, ${count("Document")} in writing, ${count("Platform")} by Cloudflare, ` +
        `${count("Deviation")} deviate with a reason)`,
    );
  });
});

test("every test and document that a row names exists", () => {
  const IS_TEST = /\.(test|spec)\.tsx?$/;
  const wrong = ROWS.filter(({ way, how }) => {
    const files = filesIn(how);
    if (files.some((file) => !existsSync(file))) return true;
    if (way === "Test") return !files.some((file) => IS_TEST.test(file));
    return way === "Document" && files.length === 0;
  });
  expect(wrong.map(({ number, how }) => [number, how])).toEqual([]);
  expect(filesIn(PAGE).filter((file) => !existsSync(file))).toEqual([]);
});

test("docs/asvs.md has the reason of each deviation, and of no other", () => {
  const [, deviations = ""] = PAGE.split("## Deviations");
  const told = [...deviations.matchAll(/^\| (\d[\d.]*) \| ([^|]*) \| [^|]+ \|$/gm)].map(([, ...cells]) => cells);
  const rows = ROWS.filter(({ way }) => way === "Deviation");
  expect(told).toEqual(rows.map(({ number, requirement }) => [number, requirement]));
});

test("docs/asvs-table.md is what is generated from the rows", async () => {
  const lines = ROWS.map(({ number, requirement, way, how }) => `| ${number} | ${requirement} | ${way}: ${how} |`);
  await expect(`# How each requirement of OWASP ASVS 5.0 is met

Generated from \`tests/spec/asvs.tsv\`: [asvs.md](asvs.md) says how, and what the words mean. A row for a whole section or chapter
covers all of its requirements.

| Number | Requirement | How it is met |
| --- | --- | --- |
${lines.join("\n")}
`).toMatchFileSnapshot("../../docs/asvs-table.md");
});

test("every dependency is pinned: exact in package.json, with a hash in the lockfile", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  expect(loose).toEqual([]);
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const unhashed = Object.entries<{ integrity?: string; resolved?: string; inBundle?: boolean; link?: boolean }>(
    packages,
  )
    .filter(([path, { inBundle, link }]) => path && !inBundle && !link)
    .filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith("sha512-") || resolved?.startsWith("https://registry.npmjs.org/") === false,
    );
  expect(unhashed.map(([path]) => path)).toEqual([]);
});

interface Locked {
  engines?: { node?: string };
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

function lockedPackages(): Record<string, Locked> {
  return JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
}

// npm leaves out the packages of other platforms when it makes the file beside installed packages, and a Mac then has no
// bundler. Catches the file as it was made for Linux alone: 32 packages of two programs were missing.
test("the lockfile lists every optional package that a package names, so those of every platform", () => {
  const packages = lockedPackages();
  const isListed = (path: string, name: string): boolean => {
    if (packages[`${path}${path && "/"}node_modules/${name}`]) return true;
    return path !== "" && isListed(path.slice(0, Math.max(0, path.lastIndexOf("node_modules/") - 1)), name);
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isListed(path, name)),
  );
  expect(missing).toEqual([]);
});

// `npm ci` refuses a lockfile that does not match package.json.
// A fresh clone installs with it before any other test.
test.runIf(process.env.SAFE)("npm ci accepts the lockfile", () => {
  const folder = mkdtempSync(join(tmpdir(), "lockfile-"));
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(file, join(folder, file));
  const npm = process.env.npm_execpath;
  const [program, before] = npm ? [process.execPath, [npm]] : ["npm", []];
  const run = spawnSync(program, [...before, "ci", "--dry-run", "--offline", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect([run.status, run.status === 0 ? "" : run.stderr]).toEqual([0, ""]);
});

// Catches @axe-core/playwright 4.14, which wants Node 22.12.
test("every package runs on the oldest Node that package.json allows", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, major = 0, minor = 0] = (/^>=(\d+)\.(\d+)$/.exec(engines.node) ?? []).map(Number);
  expect(major).toBeGreaterThan(0);
  const allows = (clause: string) => {
    const [, sign, ...from] = /^(>=|\^)? ?(\d+)(?:\.(\d+))?/.exec(clause.trim()) ?? [];
    const [fromMajor = 0, fromMinor = 0] = from.map((part) => Number(part ?? 0));
    if (fromMajor === major) return fromMinor <= minor;
    return clause.trim() === "*" || (sign === ">=" && fromMajor < major);
  };
  const refusing = Object.entries(lockedPackages()).filter(
    ([, { engines, optional }]) => !optional && engines?.node && !engines.node.split("||").some(allows),
  );
  expect(refusing.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

test("docs/licences.md matches the lockfile, and no dependency's licence forbids its use", () => {
  // Ignores the blanks and dashes that align a table.
  const plain = (text: string) => text.replace(/[ -]+/g, " ");
  expect(plain(readFileSync("docs/licences.md", "utf8")) === plain(licenceList()), "npm run licences").toBe(true);
  const product = licenceList().split("## Tools")[0] ?? "";
  expect(product).not.toMatch(/\| \?|GPL|SSPL|BUSL|UNLICENSED/);
});

test("no source file holds a secret", () => {
  const files = ["app", "scripts", "migrations"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const isSecret =
    /(API_KEY|SECRET)\s*[:=]\s*["'][\w+/=-]{20,}|-----BEGIN|\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}/;
  const found = [...files, "wrangler.toml", "package.json"].filter((file) => isSecret.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
});

// A link's token is in its address, which Cloudflare's own log line of a request would hold.
test("Cloudflare logs no request address", () => {
  expect(readFileSync("wrangler.toml", "utf8")).toMatch(/\[observability\.logs\]\s+invocation_logs = false/);
});
