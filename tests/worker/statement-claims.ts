import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import type { ShownCheck } from "./exports.ts";

/*
 * The auditor's steps for a statement, as docs/proof.md gives them, with Node's own functions and nothing of the app.
 */

/** The claims of a statement, as docs/proof.md lists them. */
export interface StatementClaims {
  code: string;
  url: string;
  form: string;
  iat: number;
  name: string;
  no: string | null;
  sum: Record<string, number>;
  n: number;
  rows: string;
}

/** The claims of a statement by a list of public keys; null if it does not verify. */
export function verifiedClaims(statement: string, keys: JsonWebKey[]): StatementClaims | null {
  const [header = "", payload = "", signature = ""] = statement.trim().split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { kid, typ } = read(header);
  const key = keys.find((one) => one.kid === kid && typ === "hours-statement+jws");
  const isValid =
    key &&
    verify(
      null,
      Buffer.from(`${header}.${payload}`),
      createPublicKey({ key, format: "jwk" }),
      Buffer.from(signature, "base64url"),
    );
  return isValid ? read(payload) : null;
}

/** The hash of the rows that a check shows. */
export function hashOfRows({ records }: ShownCheck, form: string): string {
  const fields = form === "ojt" ? ["date", "location", "method"] : ["startDate", "endDate", "location", "skills"];
  const rows = records.map((record) => [
    ...["type", ...fields, "hours", "supervisor", "via", "domain"].map((name) => record[name]),
    ...(record.broughtForward ? ["broughtForward"] : []),
    ...[
      ["logged", String(record.createdAt).slice(0, 10)],
      ["verified", String(record.verifiedAt).slice(0, 10)],
    ],
    ...("asked" in record ? [["asked", record.asked]] : []),
  ]);
  return createHash("sha256").update(JSON.stringify(rows)).digest("base64url");
}
