import { readFileSync } from "node:fs";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import type { Answer, Client } from "./client.ts";

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
