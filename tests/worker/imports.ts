import { readFileSync } from "node:fs";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import type { Answer, Client } from "./client.ts";

const LONGEST = 1024 * 1024 - 100;
const fill = (piece: string, length = LONGEST) => piece.repeat(Math.floor(length / piece.length));

/** Tables of entries that cost a careless reader far more than their 1 MiB. */
const HOSTILE_ENTRIES: Record<string, string> = {
  commas: fill(","),
  semicolons: fill(";"),
  "tabs between two letters": `a${fill("\t")}a`,
  "letters and commas": fill("a,"),
  "dates and commas": fill("2026-11-20,"),
  "all four delimiters": fill("a;b|c,d\t"),
  quotes: fill('"'),
  "quotes and commas": fill('",'),
  "empty quoted cells": fill('"",'),
  "quotes in a quoted cell": `"${fill('""')}`,
  "text after closed quotes": fill('"a"b,'),
  "a quote that is not closed": `Date,Location,Method,Hours\n"${fill("a,b")}`,
  newlines: `${fill("\n")}a`,
  "mixed line ends": fill("a\r\n\rb\n"),
  "line ends in a quoted cell": `"${fill("\r\n")}"`,
  "one cell": fill("a"),
  "5,000 rows of 200 cells": `${fill(`${",".repeat(199)}\n`)}a`,
  "20 rows of the names of methods": `${fill("Magnetic Particle Inspection,", 52_000)}\n`.repeat(20),
  "letters that normalizing makes 18 of, as hours": `Date,Location,Method,Hours\n2026-11-20,Rig,MT,${fill("\ufdfa", 340_000)}`,
  "accents out of order": `${fill("\u0301\u0316".repeat(50), 25_000)},\n`.repeat(20),
};

/** A table, and the list of the kind that it is imported to. */
export interface HostileTable {
  name: string;
  kind: string;
  text: string;
}

export const tablesOf = (kind: string, tables: Record<string, string>): HostileTable[] =>
  Object.entries(tables).map(([name, text]) => ({ name, kind, text }));

/** Tables with a line for which a careless reader's time grows with the square of its length. */
export const longLines = (length: number): HostileTable[] => [
  ...tablesOf("entries", {
    "quotes that close no cell, before spaces": `"${fill('x"', length / 2)}x${" ".repeat(length / 2 - 100)}\n`,
  }),
  ...tablesOf("certificates", {
    "spaces in a mark": `Category,Title,Issued on,Score\ncertificate,T,2026-01-01,x${" ".repeat(length - 100)}x\n`,
  }),
];

export const HOSTILE_TABLES = [...tablesOf("entries", HOSTILE_ENTRIES), ...longLines(LONGEST)];

/** A file of tests/fixtures/imports. */
export function importFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`tests/fixtures/imports/${name}`));
}

export function sendCsv(
  client: Client,
  body: string | Uint8Array,
  kind = "entries",
  type = "text/csv",
): Promise<Answer> {
  return client.send("POST", `/api/imports?kind=${kind}`, { headers: { "Content-Type": type }, body });
}

/** Uploads a file and returns its preview. */
export async function upload(client: Client, body: string | Uint8Array, kind = "entries"): Promise<ImportView> {
  const answer = await sendCsv(client, body, kind);
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
  return answer.json<ImportView>();
}

export function applyImport(client: Client, id: number): Promise<Answer> {
  return client.json("POST", `/api/imports/${id}/apply`);
}

export function changeImport(client: Client, id: number, body: unknown): Promise<Answer> {
  return client.json("PATCH", `/api/imports/${id}`, body);
}

/** A CSV file of entries. */
export function csvOf(...rows: string[]): string {
  return ["Date,Location,Method,Hours", ...rows].join("\n");
}
