import { createHash } from "node:crypto";
import { z } from "zod";

/*
 * The setting SIGNING_KEY: a private Ed25519 key as a JWK (RFC 8037). With it an export gets a signed statement
 * (statement.server.ts), and the audit log checkpoints; without it, or with one that cannot be read, exports are made all the same.
 */

const bytes32 = z.string().regex(/^[\w-]{43}$/);

const schema = z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: bytes32, d: bytes32 });

/** A private key: `x` is its public part. */
type SigningKey = z.output<typeof schema>;

/** Reads the setting. Null if it is not a private Ed25519 key as a JWK. */
export function readSigningKey(setting: string): SigningKey | null {
  try {
    return schema.parse(JSON.parse(setting));
  } catch {
    return null;
  }
}

export const MALFORMED_KEY =
  "SIGNING_KEY is not a private Ed25519 key as a JWK: exports have no signed statement until it is, and there are no new checkpoints. Make one with `npm run signing-key`.";

const MISSING_KEY =
  "SIGNING_KEY is missing: exports have no signed statement, and there are no checkpoints. Make one with `npm run signing-key` and keep it.";

/** Returns what is wrong with the setting, for the operator, or null. Unlike the other settings it stops nothing. */
export function signingKeyProblem(setting: string | null | undefined): string | null {
  if (!setting) return MISSING_KEY;
  return readSigningKey(setting) ? null : MALFORMED_KEY;
}

/** The id of a public key: its thumbprint by RFC 7638. */
export function keyId(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}

/** Makes a new private key, as the setting's text. */
export async function newSigningKey(): Promise<string> {
  const made = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  // This algorithm has two keys; the runtime's type also covers algorithms with one.
  const { privateKey } = made as CryptoKeyPair;
  const { x, d } = schema.parse(await crypto.subtle.exportKey("jwk", privateKey));
  return JSON.stringify({ kty: "OKP", crv: "Ed25519", x, d } satisfies SigningKey);
}
