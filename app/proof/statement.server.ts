import { createHash } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { FormName } from "#app/db/enumerations.ts";
import type { Chosen } from "#app/pdf/form.ts";
import { personText } from "#app/records/evidence.ts";
import { checkUrl } from "./export-code.server.ts";
import { rowsHash } from "./rows-hash.server.ts";
import { noteKeyUse, type Signer, signerOf } from "./signing-keys.server.ts";
import { type Snapshot, totalsOf } from "./snapshot.ts";

/** The claims of the statement about an export. docs/proof.md describes each for auditors. */
export interface Claims {
  code: string;
  url: string;
  form: FormName;
  madeAt: Date;
  /** The technician's name and employee number, as printed. */
  name: string | null;
  number: string | null;
  /** Hours by what the form sums up, such as the method. */
  totals: Record<string, number>;
  /** The number of records. */
  count: number;
  /** For whom records were verified, where the form names another person; null without such a record. */
  verifiedFor?: string | null;
  /** Which of the verified records it has; null for all. */
  chosen?: Chosen | null;
  /** The hash of the printed rows. */
  rowsHash: string;
}

/** The statement's media type without `application/`: no other token of the app can be taken for a statement. */
const STATEMENT_TYPE = "hours-statement+jws";

/** A longer text is replaced by its hash, in characters. */
const TEXT_MAX = 60;

/** The longest statement, in bytes: what a QR code of version 20 and level L holds (docs/decisions/0054-signed-statement.md). */
export const STATEMENT_MAX = 858;

/**
 * Signs the claims of an export: a compact JWS (RFC 7515, EdDSA by RFC 8037). Null without a signer. Texts over 60
 * characters are replaced by their hashes, and so is the longest one while the statement does not fit its QR code.
 */
export async function signStatement(signer: Signer | null, claims: Claims): Promise<string | null> {
  if (!signer) return null;
  const header = encode({ alg: "EdDSA", kid: signer.kid, typ: STATEMENT_TYPE });
  const signed = `${header}.${encode(fittingPayload(claims, STATEMENT_MAX - header.length - ".".length - SIGNATURE))}`;
  return `${signed}.${Buffer.from(await signer.sign(signed)).toString("base64url")}`;
}

/** The length of an encoded signature, with the dot before it. */
const SIGNATURE = ".".length + 86;

/** The claims under the short names of the statement, with hashes for texts that are too long for `max` encoded bytes. */
function fittingPayload(claims: Claims, max: number) {
  const { code, url, form, madeAt, name, number, verifiedFor, chosen, totals, count, rowsHash } = claims;
  const iat = Math.floor(madeAt.getTime() / 1000);
  const payload = {
    code,
    url,
    form,
    iat,
    name,
    no: number,
    ...(verifiedFor && { for: verifiedFor }),
    ...(chosen?.from && { from: chosen.from }),
    ...(chosen?.to && { to: chosen.to }),
    ...(chosen?.supervisor && { by: chosen.supervisor }),
    sum: totals,
    n: count,
    rows: rowsHash,
  };
  const texts = [...(["url", "name", "no", "for", "by"] as const)];
  for (const claim of texts.sort((one, other) => size(payload[other]) - size(payload[one]))) {
    const text = payload[claim];
    if (text === null || text === undefined) continue;
    const gains = size(text) > size(hashOf(text));
    // A text that looks like a hash is replaced too, so that a hash is never taken for a text.
    if ([...text].length > TEXT_MAX || text.startsWith(HASH) || (gains && encode(payload).length > max)) {
      payload[claim] = hashOf(text);
    }
  }
  // The longest texts and totals leave no room for more hashes. The rows and their hash say by whom, for whom and of when.
  const { from, to, by, for: named, ...whole } = payload;
  const person = named ? { for: true } : {};
  const shorter: object[] = [
    { ...payload, ...(by && { by: true }) },
    { ...payload, ...(by && { by: true }), ...person },
  ];
  const least = { ...whole, ...(from || to || by ? { part: true } : person) };
  return [payload, ...shorter].find((one) => encode(one).length <= max) ?? least;
}

const HASH = "sha256:";

function hashOf(text: string): string {
  return HASH + createHash("sha256").update(text).digest("base64url");
}

function size(text: string | null | undefined): number {
  return Buffer.byteLength(text ?? "");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/**
 * The signed statement about an export, or null without a signing key; and `keyUse`, the statements that note the use of the
 * key, for the batch that stores the export.
 */
export async function statementOf(
  context: AppLoadContext,
  code: string,
  { form, madeAt, name, employeeNumber, chosen = null, records }: Snapshot,
) {
  const verifiedFor = records.flatMap((record) => (record.verifiedFor ? [personText(record.verifiedFor)] : []));
  const signer = await signerOf(context);
  const statement = await signStatement(signer, {
    code: plain(code),
    url: checkUrl(context.origin, code),
    form,
    madeAt,
    name,
    number: employeeNumber,
    verifiedFor: verifiedFor.length > 0 ? [...new Set(verifiedFor)].join("; ") : null,
    chosen,
    totals: totalsOf(records),
    count: records.length,
    rowsHash: rowsHash(records),
  });
  return { statement, keyUse: signer ? noteKeyUse(context, signer) : {} };
}

/*
 * A statement contains the code of its export. The database has only the code's hash, because anyone who reads the code
 * there could make the seal of an altered export. So a statement is stored without the code, and a check or an export,
 * which has the code, puts it in again.
 */

/** The placeholders of the code, and of the code without hyphens. JSON never contains these characters unescaped. */
const [CODE, PLAIN_CODE] = ["\u0001", "\u0002"];

/** A statement without the code in its payload. */
export function withoutCode(statement: string, code: string): string {
  return mapPayload(statement, (json) => json.replaceAll(code, CODE).replaceAll(plain(code), PLAIN_CODE));
}

/** The statement that `withoutCode` made a text of. */
export function withCode(stored: string, code: string): string {
  return mapPayload(stored, (json) => json.replaceAll(CODE, code).replaceAll(PLAIN_CODE, plain(code)));
}

function mapPayload(statement: string, map: (json: string) => string): string {
  const [header = "", payload = "", ...rest] = statement.split(".");
  const json = map(Buffer.from(payload, "base64url").toString());
  return [header, Buffer.from(json).toString("base64url"), ...rest].join(".");
}

const plain = (code: string) => code.replaceAll("-", "");
