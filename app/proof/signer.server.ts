import type { AppLoadContext } from "@remix-run/cloudflare";
import { logEvent } from "#app/server/logger.server.ts";
import { keyId, MALFORMED_KEY, readSigningKey } from "./signing-key.ts";

/** Signs with the private key of SIGNING_KEY. */
export interface Signer {
  /** The id of the key, and its public part. */
  kid: string;
  x: string;
  /** Returns the signature of a text. */
  sign(text: string): Promise<Uint8Array>;
}

/** The signers by setting, so that a key is imported and checked once. */
const signers = new Map<string, Promise<Signer | null>>();

/** The signer of the setting, or null without one. A malformed one is logged each time and counts as none. */
export async function signerOf({ signingKey }: Pick<AppLoadContext, "signingKey">): Promise<Signer | null> {
  if (!signingKey) return null;
  const signer = signers.get(signingKey) ?? importSigner(signingKey).catch(() => null);
  signers.set(signingKey, signer);
  const found = await signer;
  if (!found) logEvent("error", "signing key", { problem: MALFORMED_KEY });
  return found;
}

async function importSigner(setting: string): Promise<Signer | null> {
  const jwk = readSigningKey(setting);
  if (!jwk) return null;
  const { d: _, ...publicJwk } = jwk;
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["sign"]);
  const publicKey = await crypto.subtle.importKey("jwk", publicJwk, "Ed25519", false, ["verify"]);
  const sign = async (text: string) =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", key, new TextEncoder().encode(text)));
  // Not every runtime checks that the two parts of a key belong together. What they sign would verify nowhere.
  const isPair = await crypto.subtle.verify("Ed25519", publicKey, await sign(""), new Uint8Array());
  return isPair ? { kid: keyId(jwk.x), x: jwk.x, sign } : null;
}
