import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ENVIRONMENT } from "#self-host/settings.ts";

/*
 * Checks what a document can be wrong about without a reader: links, names of files, the list of settings and the form of
 * decisions. Whether a sentence is true is not checked here.
 */

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => ending.test(name));
}

const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...filesBelow("docs", /\.md$/)];
const SOURCES = ["app", "demo", "scripts", "self-host", "bench", "tests", "vite"].flatMap((folder) =>
  filesBelow(folder, /\.(tsx?|mjs|js)$/),
);
const textOf = new Map([...DOCUMENTS, ...SOURCES, "migrations/0001_initial.sql", "wrangler.toml"].map(withText));

function withText(file: string): [string, string] {
  return [file, readFileSync(file, "utf8")];
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link of a document leads to a file, and to a heading that it has", () => {
  const broken = DOCUMENTS.flatMap((file) =>
    [...(textOf.get(file) ?? "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      const [path = "", anchor] = link.split("#");
      if (/^\w+:/.test(path)) return [];
      const target = path ? join(dirname(file), path) : file;
      const isFound = existsSync(target) && (!anchor || anchorsOf(readFileSync(target, "utf8")).includes(anchor));
      return isFound ? [] : [`${file}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

// Catches a reference to a document that was renamed, merged or deleted.
test("every document that code names exists, and every file that a document names", () => {
  const missing = [...textOf].flatMap(([file, text]) => {
    const names = file.endsWith(".md")
      ? text.match(/(?<=`)(app|bench|demo|migrations|scripts|self-host|tests|vite)\/[\w./-]+(?=`)/g)
      : text.match(/\bdocs\/[\w./-]+\.(?:md|yml|json|svg)\b/g);
    return (names ?? []).filter((name) => !existsSync(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test("docs/settings.md lists every setting, once, and no other", () => {
  const text = textOf.get("docs/settings.md") ?? "";
  const [table = "", others = ""] = text.split("For tests and measurements:");
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm), ...others.matchAll(/`([A-Z][A-Z_]+)`/g)].map(
    ([, name = ""]) => name,
  );
  const isOwn = (file: string) =>
    /^((app|scripts|self-host|vite|bench)\/|tests\/[^/]+$)/.test(file) && !/\.test\.|^self-host\/build\//.test(file);
  const read = ["remix.config.ts", "playwright.config.ts", ...SOURCES.filter(isOwn)].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = ""]) => name),
  );
  const OF_SYSTEM = ["PATH", "CI", "HOME", "TMPDIR", "TEST_WORKER_INDEX", "NODE_ENV"];
  const known = new Set([...ENVIRONMENT, ...read].filter((name) => !OF_SYSTEM.includes(name)));
  expect([...known].filter((name) => !listed.includes(name))).toEqual([]);
  const everywhere = SOURCES.map((file) => textOf.get(file)).join();
  expect(listed.filter((name) => !known.has(name) && !everywhere.includes(name))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

// Catches copies of all data that other users can read, or that are committed.
test("commands that write a copy of the data follow umask 077, and git ignores the copies of this folder", () => {
  const writes = /--output |--persist-to \S*(?:restored|copy)|gunzip -k|mkdir.* data-new|\| gzip >/;
  const ignored = readFileSync(".gitignore", "utf8").split("\n");
  for (const file of ["docs/backups.md", "docs/security.md", "docs/single-binary.md"]) {
    const text = textOf.get(file) ?? "";
    const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$|^\d\. .*(?:\n {3}.*)*/gm)].map(([block]) => block);
    const copying = blocks.filter((block) => writes.test(block) && !/--persist-to (restored|…) /.test(block));
    expect(copying.length).toBeGreaterThan(0);
    expect(
      copying.filter((block) => !/umask 077[\s\S]*(--output|--persist-to|gunzip|mkdir|\| gzip)/.test(block)),
    ).toEqual([]);
  }
  for (const name of [
    "/data/",
    "/data-new/",
    "/restored/",
    "/copy/",
    "/*.sql",
    "/*.sql.gz",
    "/drill.log",
    "/hours-tracker.env",
  ])
    expect(ignored).toContain(name);
});

test("a link that says the number of a decision leads to that decision", () => {
  const wrong = DOCUMENTS.flatMap((file) =>
    [...(textOf.get(file) ?? "").matchAll(/[Dd]ecision\s(\d+)\]\((?:\w+\/)*(\d{4})-/g)]
      .filter(([, said, number]) => Number(said) !== Number(number))
      .map(([link]) => `${file}: ${link}`),
  );
  expect(wrong).toEqual([]);
});

test("each decision has its number and says context, decision and consequence, and no date", () => {
  const wrong = filesBelow("docs/decisions", /\.md$/).filter((file) => {
    const [, number = ""] = /\/0*(\d+)-[\w-]+\.md$/.exec(file) ?? [];
    const form = new RegExp(
      `^# ${number}\\. \\S.*\\n\\n\\*\\*Context\\.\\*\\* [^]*\\n\\n\\*\\*Decision\\.\\*\\* [^]*\\n\\n\\*\\*Consequence\\.\\*\\* `,
    );
    const text = textOf.get(file) ?? "";
    return !form.test(text) || /\b20\d\d-\d\d-\d\d\b|[Ss]upersede/.test(text);
  });
  expect(wrong).toEqual([]);
});
