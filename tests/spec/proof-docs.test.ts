import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FormName } from "#app/db/enumerations.ts";
import { checkJson } from "#app/proof/check.server.ts";
import { rowsHash } from "#app/proof/rows-hash.server.ts";
import { newSigningKey } from "#app/proof/signing-key.ts";
import { signerOf } from "#app/proof/signing-keys.server.ts";
import type { PrintedRecord } from "#app/proof/snapshot.ts";
import { type Claims, signStatement } from "#app/proof/statement.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import type { Field, Kind } from "#app/records/kind.ts";

/*
 * Runs the two programs of docs/proof.md as an auditor would: saved from the document under the names that it gives them, with
 * Node, its commands, and files. Without the app and, as far as Node can be asked, without a network.
 */

const CLAIMS: Claims = {
  code: "ABCD-EFGH-JKMN-PQRS-T",
  url: "https://hours.example.com/c/ABCD-EFGH-JKMN-PQRS-T",
  form: "ojt",
  ...{
    madeAt: new Date("2026-11-22T16:03:33Z"),
    name: "Kari Nordmann",
    number: null,
    totals: { total: 40.25 },
    count: 6,
  },
  rowsHash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
};

interface Signed {
  statement: string;
  /** The key as the list has it. */
  key: object;
}

async function signed(over: Partial<Claims> = {}): Promise<Signed> {
  const signer = await signerOf({ signingKey: await newSigningKey() });
  if (!signer) throw new Error("a new key cannot be used");
  const { kid, x } = signer;
  const key = { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig", addedAt: "2026-01-01T00:00:00.000Z" };
  return { statement: (await signStatement(signer, { ...CLAIMS, ...over })) ?? "", key };
}

const DOCUMENT = readFileSync("docs/proof.md", "utf8");
const [VERIFY = "", ROWS = ""] = [...DOCUMENT.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);
const [EXAMPLE = ""] = [...DOCUMENT.matchAll(/```json\n(.*?)```/gs)].map(([, file = ""]) => file);

/** Runs a command of the document in a folder with these files. Returns what it prints. */
function printed(command: string, files: Record<string, string>): string {
  const [program, ...args] = command.split(" ");
  expect([program, DOCUMENT.includes(`\n    ${command.replace(/ \S*\.\S*\.\S*$/, " eyJ…")}\n`)]).toEqual([
    "node",
    true,
  ]);
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-proof-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return stdout + stderr;
}

/** Returns the output of the program for a statement, with this saved list of keys. */
function verified(statement: string, keys: object[]): string {
  return printed(`node verify.mjs keys.json ${statement}`, {
    "verify.mjs": VERIFY,
    "keys.json": JSON.stringify({ keys }),
  });
}

/** Runs a program of the document many times in one process, each time with other arguments. */
const EACH = `
import { readFileSync } from "node:fs";
import { format } from "node:util";
const [program, ...runs] = JSON.parse(readFileSync("runs.json", "utf8"));
const all = [];
for (const [index, args] of runs.entries()) {
  process.argv.splice(2, process.argv.length, ...args);
  const lines = [];
  console.log = (...words) => lines.push(format(...words));
  await import(\`./\${program}?\${index}\`).catch((error) => lines.push(String(error)));
  all.push(lines.join("\\n"));
}
process.stdout.write(JSON.stringify(all));
`;

/**
 * Returns the output of a program of the document for each list of arguments, among which are the names of these files.
 */
function printedEach(name: string, program: string, runs: string[][], files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-proof-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = { ...files, [name]: program, "each.mjs": EACH, "runs.json": JSON.stringify([name, ...runs]) };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text);
  const { stdout, stderr } = spawnSync(process.execPath, ["each.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as string[];
}

/** Returns the output of the program for each statement, with the list of keys beside it. */
function verifiedEach(statements: (readonly [statement: string, keys: readonly object[]])[]): string[] {
  const files = statements.map(([, keys], index) => [`keys-${index}.json`, JSON.stringify({ keys })] as const);
  const runs = statements.map(([statement], index) => [`keys-${index}.json`, statement]);
  return printedEach("verify.mjs", VERIFY, runs, Object.fromEntries(files));
}

/** The hash that the program prints for a saved answer, or a file that was typed from the paper. */
function hashOf(form: object): string {
  return printed("node rows.mjs form.json", { "rows.mjs": ROWS, "form.json": JSON.stringify(form) }).trim();
}

test("the program of docs/proof.md has at most ten statements and verifies a statement", async () => {
  const { statement, key } = await signed();
  const output = verified(statement, [(await signed()).key, key]);
  expect(output).toMatch(/^Valid \{/);
  for (const word of ["Kari Nordmann", "total: 40.25", "n: 6", CLAIMS.code, CLAIMS.rowsHash, "2026-01-01"]) {
    expect(output).toContain(word);
  }
  expect(VERIFY.match(/;$/gm)?.length).toBeLessThanOrEqual(10);
  expect(VERIFY).not.toMatch(/fetch|http|net"/);
});

test("it verifies a statement of a retired key, and of a clock that was a day wrong", async () => {
  const all: [string, object[]][] = [];
  for (const madeAt of [CLAIMS.madeAt, new Date("2026-11-23T16:03:33Z"), new Date("2019-01-01T00:00:00Z")]) {
    const { statement, key } = await signed({ madeAt });
    const retired = { ...key, retiredAt: "2026-06-01T00:00:00.000Z" };
    all.push([statement, [retired, (await signed()).key]]);
  }
  expect(verifiedEach(all)).toEqual(all.map(() => expect.stringMatching(/^Valid/)));
});

test("it does not verify a changed payload, a foreign signature, an unknown or another key, or another kind of token", async () => {
  const { statement, key } = await signed();
  const other = await signed({ totals: { total: 400.25 } });
  const [header, payload, signature] = statement.split(".");
  const [, otherPayload, otherSignature] = other.statement.split(".");
  const typed = Buffer.from(
    JSON.stringify({ ...JSON.parse(String(Buffer.from(header ?? "", "base64url"))), typ: "JWT" }),
  );
  const wrong = [
    ["a changed payload", [header, otherPayload, signature], [key, other.key]],
    ["a foreign signature", [header, payload, otherSignature], [key, other.key]],
    ["an unknown key", [header, payload, signature], [other.key]],
    ["another key under its id", [header, payload, signature], [{ ...other.key, kid: (key as { kid: string }).kid }]],
    ["another kind of token", [typed.toString("base64url"), payload, signature], [key]],
    ["no key at all", [header, payload, signature], []],
  ] as const;
  const said = verifiedEach(wrong.map(([, changed, keys]) => [changed.join("."), keys]));
  expect(wrong.map(([words], index) => [words, said[index]])).toEqual(
    wrong.map(([words]) => [words, expect.stringMatching(/^NOT VALID/)]),
  );
});

// Catches a program that takes the characters of a signature that say nothing, or a part after it.
test("it does not verify a statement in which one character is another one, or one is missing or added", async () => {
  const { statement, key } = await signed();
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const [header = "", payload = ""] = statement.split(".");
  const [perPlace, lasts] = [2, 20];
  const places = [0, 40, header.length - 1, header.length + 1, header.length + payload.length, statement.length - 40];
  const others = (at: number) => alphabet.replace(statement[at] ?? "", "").slice(0, perPlace);
  const changed = [
    ...places.flatMap((at) => [...others(at)].map((other) => statement.slice(0, at) + other + statement.slice(at + 1))),
    // Its last four bits belong to no byte.
    ...[...alphabet]
      .map((last) => statement.slice(0, -1) + last)
      .filter((one) => one !== statement)
      .slice(0, lasts),
    ...[`${statement}A`, `${statement}.`, `${statement}.e30`, statement.slice(0, -1), `${statement}=`],
  ];
  const said = verifiedEach(changed.map((one) => [one, [key]]));
  expect(changed.filter((_, index) => /^Valid/.test(said[index] ?? "Valid"))).toEqual([]);
  expect(verified(statement, [key])).toMatch(/^Valid/);
});

test("an error of the program means that the text is no statement, or the file no list of keys", async () => {
  const { statement, key } = await signed();
  expect(verified("not.a.statement", [key])).toMatch(/Error/);
  const files = { "verify.mjs": VERIFY, "keys.json": "<!doctype html>" };
  expect(printed(`node verify.mjs keys.json ${statement}`, files)).toMatch(/Error/);
});

const verifiedBy = (supervisor: string, via: PrintedRecord["via"], domain: string | null) => ({
  supervisor,
  via,
  domain,
});

const ENTRIES: PrintedRecord[] = [
  {
    recordId: 7,
    type: "entry",
    createdAt: new Date("2026-11-21T22:00:00Z"),
    verifiedAt: new Date("2026-11-25T08:00:00Z"),
    ...verifiedBy("Ola Hansen", "mailbox", "example.org"),
    content: { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 24.75, broughtForward: false },
  },
  {
    recordId: 8,
    type: "entry",
    ...verifiedBy('Åse "Ås" Ødegård', "link", null),
    content: { date: "2020-12-31", location: "Kårstø, north", method: "UT_THK", hours: 120, broughtForward: true },
  },
];
const ROPE_HOURS: PrintedRecord[] = [
  {
    recordId: 7,
    type: "rope_hour",
    details: { employer: "Fjord AS", note: "Two\nlines" },
    certification: { level: "Level III", number: "L3-7" },
    asked: "Per Dahl",
    ...verifiedBy("Ola Hansen", "link", null),
    content: {
      startDate: "2026-11-16",
      endDate: "2026-11-20",
      location: "Valhall",
      skills: "Rescue\nIRATA",
      hours: 38.5,
    },
  },
];

const DOCUMENTS: PrintedRecord[] = [
  {
    recordId: 9,
    type: "training",
    ...verifiedBy("Ola Hansen", "link", null),
    content: {
      ...{ startDate: "2026-10-05", endDate: "2026-10-09", course: "UT Level II", organization: "Weld School" },
      ...{ method: "UTSW", hours: 40 },
    },
  },
  {
    recordId: 10,
    type: "certificate",
    ...verifiedBy("Ola Hansen", "mailbox", "example.org"),
    content: { category: "examination", title: "UT practical", issuedOn: "2026-10-10", part: "practical", score: 82.5 },
  },
];

const NOTED: PrintedRecord[] = ENTRIES.map((record) => ({
  ...record,
  verifiedFor: { name: "Anna Experienced", employeeNumber: null },
  dayHundredths: 2650,
  confirmedOn: "2026-11-25",
}));

/** The answer of `GET /api/check/{code}` for these records. */
function answerOf(name: FormName, records: PrintedRecord[]) {
  const form = { form: name, madeAt: CLAIMS.madeAt, madeOn: "2026-11-22", name: "Kari", employeeNumber: null };
  const checked = records.map((record) => ({
    ...record,
    state: "unchanged" as const,
    at: null,
    withdrawnAt: null,
    confirmed: null,
  }));
  const shown = { ...form, code: CLAIMS.code, statement: null, isSealed: true, records: checked };
  const { answer } = checkJson({ kind: "shown", export: shown }, { limit: records.length });
  return JSON.parse(JSON.stringify(answer)) as { records: Record<string, unknown>[] }; // as it is saved
}

test("the program for the hash prints that of the statement, for a saved check and for the example of the document", () => {
  expect(hashOf(answerOf("ojt", ENTRIES))).toBe(rowsHash(ENTRIES));
  expect(hashOf(answerOf("rope-access-log", ROPE_HOURS))).toBe(rowsHash(ROPE_HOURS));
  expect(hashOf(answerOf("training-and-certificates", DOCUMENTS))).toBe(rowsHash(DOCUMENTS));
  expect(hashOf(answerOf("ojt", NOTED))).toBe(rowsHash(NOTED));
  expect(hashOf(answerOf("ojt", NOTED))).not.toBe(rowsHash(ENTRIES));
  const erased = ROPE_HOURS.map((record) => ({ ...record, asked: null }));
  expect(hashOf(answerOf("rope-access-log", erased))).toBe(rowsHash(erased));
  expect(rowsHash(erased)).not.toBe(rowsHash(ROPE_HOURS.map(({ asked: _, ...record }) => record)));
  const [first] = ENTRIES;
  const printedEntry = first && { ...first, content: { ...first.content, hours: 7.5 } };
  expect(hashOf(JSON.parse(EXAMPLE))).toBe(rowsHash(printedEntry ? [printedEntry] : []));
});

/** The fields that are in no hash. */
type Unhashed = "broughtForward" | "verificationId" | "entered" | "workedAs" | "shared";

/** A record with every field of its kind, every detail and everything that can be noted: those that are added later too. */
function fullRecord(kind: Kind): Required<Omit<PrintedRecord, Unhashed>> {
  const sampleOf = ({ name, type }: Field) => (["hours", "score", "count"].includes(type) ? 12.5 : `The ${name}`);
  const fields = kind.fields.filter(({ type }) => type !== "details");
  return {
    recordId: 7,
    type: kind.name,
    content: Object.fromEntries(fields.map((field) => [field.name, field.type === "flag" ? true : sampleOf(field)])),
    details: Object.fromEntries(kind.details.map(({ name }) => [name, `Some ${name}`])),
    ...verifiedBy("Ola Hansen", "link", "example.org"),
    confirmedOn: "2026-11-25",
    createdAt: new Date("2026-11-21T22:00:00Z"),
    verifiedAt: new Date("2026-11-25T08:00:00Z"),
    verifiedFor: { name: "Anna Experienced", employeeNumber: "E-1" },
    dayHundredths: 2650,
    continuity: "Verified UT work in 2 months since it was issued",
    certification: {
      ...{ scheme: "ISO 9712", level: "Level III", number: "L3-7" },
      ...{ methods: ["MT", "PT"], validUntil: "2027-01-31" },
    },
    basis: "remote",
    asked: "Kari Holm",
  };
}

test.each(KINDS)("the program knows every field of $name, and everything that is noted of a record", (kind) => {
  const full = fullRecord(kind);
  const formOf = (record: PrintedRecord) => answerOf("ojt", [record]);
  expect(hashOf(formOf(full))).toBe(rowsHash([full]));
  const before = rowsHash([full]);
  for (const [name, value] of Object.entries(full.content)) {
    const content = { ...full.content, [name]: value === true ? false : `${value}0` };
    expect([name, rowsHash([{ ...full, content }])]).not.toEqual([name, before]);
  }
  // The id is not on the paper, and so in no hash.
  const { recordId: _, type: _kind, supervisor: _name, via: _via, content: _content, ...noted } = full;
  for (const name of Object.keys(noted)) {
    if (name === "details" && kind.details.length === 0) continue;
    expect([name, rowsHash([{ ...full, [name]: null }])]).not.toEqual([name, before]);
  }
});

/** Other values of fields that are no text. */
const OTHER: Record<string, unknown> = { broughtForward: true, certification: { level: "Level II" } };

test("it prints another hash if a row is wrong, missing, twice or elsewhere", () => {
  const [first = {}, second = {}] = answerOf("ojt", ENTRIES).records;
  const wrong = [
    ...Object.keys(first)
      // The present state is not on the paper.
      .filter((field) => !["type", "state", "withdrawnAt", "confirmedAt"].includes(field))
      .map((field) => [{ ...first, [field]: OTHER[field] ?? "2" }, second]),
    ...[[first], [second, first], [first, second, second], []],
    [{ ...first, hours: 24.8 }, second],
  ];
  const files = wrong.map((records, index) => [`form-${index}.json`, JSON.stringify({ records })] as const);
  const hashes = printedEach(
    "rows.mjs",
    ROWS,
    files.map(([name]) => [name]),
    Object.fromEntries(files),
  );
  expect(hashes.filter((hash) => !/^[\w-]{43}$/.test(hash) || hash === rowsHash(ENTRIES))).toEqual([]);
  expect(wrong).toHaveLength(17);
});
