import { createHash, type JsonWebKey } from "node:crypto";
import { formLocation } from "#app/records/evidence.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Client } from "#tests/worker/client.ts";
import type { ShownCheck } from "#tests/worker/exports.ts";
import { hashOfRows, verifiedClaims } from "#tests/worker/statement-claims.ts";
import { headOf, type Paper, type PaperRow, readRow } from "./export-paper.ts";

/*
 * An auditor who holds a form, and does what docs/proof.md says: asks the app by the code, and verifies the statement with
 * the public keys. It uses nothing of the app but its words and how it prints hours and places.
 */

/**
 * The differences that an auditor finds, by the page of the code and by the statement: the part that was compared, and
 * a text.
 */
export interface Findings {
  check: string[];
  statement: string[];
}

/** The answers of the app that the auditor uses. */
export interface Answers {
  /** Null if the code shows nothing, or is none. */
  check: ShownCheck | null;
  keys: JsonWebKey[];
}

const DAY_MS = 86_400_000;

/** Asks the app, from a network of its own. */
export async function ask(app: Client, { code }: Paper): Promise<Answers> {
  const visitor = app.as(new Map());
  const answer = await visitor.get(`/api/check/${encodeURIComponent(code)}`);
  const shown = answer.status === 200 ? answer.json<ShownCheck>() : null;
  const { keys } = (await visitor.get("/.well-known/jwks.json")).json<Pick<Answers, "keys">>();
  return { check: shown?.records ? shown : null, keys };
}

/** Compares a form with the app's answers. `origin` is the app's address, as the auditor was given it. */
export function audit(paper: Paper, { check, keys }: Answers, origin: string): Findings {
  return { check: checkFindings(paper, check), statement: statementFindings(paper, check, keys, origin) };
}

/** Names what differs. */
function differences(pairs: [what: string, paper: unknown, answer: unknown][]): string[] {
  return pairs.flatMap(([what, paper, answer]) =>
    JSON.stringify(paper) === JSON.stringify(answer) ? [] : [`${what}: ${paper} on the paper, ${answer} here`],
  );
}

function checkFindings(paper: Paper, check: ShownCheck | null): string[] {
  if (!check) return ["code: it shows nothing"];
  const { total, ...sums } = check.totals;
  return [
    ...differences([
      ["name", paper.name, check.technician.name],
      ["number", paper.number, check.technician.employeeNumber ?? ""],
      ["total", paper.total, printed(total)],
      ["sums", sorted(paper.sums), sorted(sumsOfColumns(sums, total))],
      ["records", paper.rows.length, check.records.length],
      ...paper.rows.map((row, index): [string, string, string] => {
        const record = check.records[index];
        return ["record", readRow(row), record ? readRow(rowOf(record)) : "nothing"];
      }),
    ]),
    ...(isDayOf(paper.day, Date.parse(check.madeAt)) ? [] : ["day: it was made on another"]),
    ...check.records.flatMap(({ state }, index) =>
      state === "unchanged" ? [] : [`state: record ${index + 1} is ${state}`],
    ),
  ];
}

/** A record of the check page as it would be printed. */
function rowOf(record: ShownCheck["records"][number]): PaperRow {
  const { date, startDate, endDate, location, skills, method, hours, supervisor, via, domain } = record;
  const place = formLocation({ location: String(location), broughtForward: Boolean(record.broughtForward) });
  return {
    days: date ? [String(date)] : [String(startDate), String(endDate)],
    texts: date ? [place] : [place, String(skills)],
    head: headOf(method),
    hundredths: toHundredths(Number(hours)),
    supervisor: String(supervisor),
    via: String(via ?? ""),
    domain: String(domain ?? ""),
  };
}

function statementFindings(paper: Paper, check: ShownCheck | null, keys: JsonWebKey[], origin: string): string[] {
  const claims = verifiedClaims(paper.statement, keys);
  if (!claims) return ["signature: it is not valid"];
  const { total, ...sums } = claims.sum;
  return [
    ...differences([
      ["code", paper.code.replaceAll("-", ""), claims.code],
      ["address", paper.url, `${origin}/c/${paper.code}`],
      ["stated address", hashedAs(claims.url, paper.url), claims.url],
      ["name", hashedAs(claims.name, paper.name), claims.name],
      ["number", hashedAs(claims.no, paper.number), claims.no ?? ""],
      ["total", paper.total, printed(total)],
      ["sums", sorted(paper.sums), sorted(sumsOfColumns(sums, total))],
      ["records", paper.rows.length, claims.n],
    ]),
    ...(isDayOf(paper.day, claims.iat * 1000) ? [] : ["day: it was stated on another"]),
    // The rows of the paper were compared with those of the check page.
    ...(check && hashOfRows(check, claims.form) !== claims.rows ? ["rows: the check page lists others"] : []),
  ];
}

/** The text, or its hash if the statement has a hash in its place. */
function hashedAs(stated: string | null, text: string): string {
  return stated?.startsWith("sha256:") ? `sha256:${createHash("sha256").update(text).digest("base64url")}` : text;
}

const printed = (hours = 0) => formatHours(toHundredths(hours));

const sorted = (sums: Record<string, string>) => JSON.stringify(Object.entries(sums).sort());

/** The sums by the heads of their columns, as printed. A form without methods has one column. */
function sumsOfColumns(sums: Record<string, number>, total = 0): Record<string, string> {
  const columns = Object.entries(sums).map(([method, hours]) => [headOf(method), printed(hours)]);
  return columns.length > 0 ? Object.fromEntries(columns) : { [headOf(null)]: printed(total) };
}

/** Whether an instant is on a day in some time zone, or beside it. */
function isDayOf(day: string, at: number): boolean {
  const start = Date.parse(day);
  return at >= start - DAY_MS && at < start + 2 * DAY_MS;
}
