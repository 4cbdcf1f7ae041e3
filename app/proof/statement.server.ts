import { createHash } from "node:crypto";
import type { ListName } from "#app/db/enumerations.ts";
import type { Signer } from "./signer.server.ts";

/** What the statement says of an export. docs/proof.md describes each claim for auditors. */
export interface Claims {
  code: string;
  url: string;
  kind: ListName;
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
  /** The hash of the printed rows. */
  rowsHash: string;
}

/** The statement's media type without `application/`: no other token of the app can be taken for a statement. */
export const STATEMENT_TYPE = "hours-statement+jws";

/** A longer text is replaced by its hash, in characters (product.md, "Proof"). */
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
  const { code, url, kind, madeAt, name, number, verifiedFor, totals, count, rowsHash } = claims;
  const iat = Math.floor(madeAt.getTime() / 1000);
  const payload = {
    ...{ code, url, kind, iat, name, no: number },
    ...(verifiedFor && { for: verifiedFor }),
    ...{ sum: totals, n: count, rows: rowsHash },
  };
  const texts = [...(["url", "name", "no", "for"] as const)];
  for (const claim of texts.sort((one, other) => size(payload[other]) - size(payload[one]))) {
    const text = payload[claim];
    if (text === null || text === undefined) continue;
    const gains = size(text) > size(hashOf(text));
    // A text that looks like a hash is replaced too, so that a hash is never taken for a text.
    if ([...text].length > TEXT_MAX || text.startsWith(HASH) || (gains && encode(payload).length > max)) {
      payload[claim] = hashOf(text);
    }
  }
  // The longest texts and totals leave no room for another hash. The rows and their hash say for whom.
  if (payload.for && encode(payload).length > max) return { ...payload, for: true };
  return payload;
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
