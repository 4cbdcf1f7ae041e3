import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, isNotNull, isNull, ne } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { instant } from "#app/db/schema.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { keyId, MALFORMED_KEY, readSigningKey } from "./signing-key.ts";

/** The public keys that statements were signed with (migrations/0001_initial.sql, "Proof"). */
export const signingKeys = sqliteTable("signing_keys", {
  kid: text().primaryKey(),
  x: text().notNull(),
  /** When a statement was first signed with it. */
  addedAt: instant("added_at").notNull(),
  /** When one was first signed with another key since; null while it is in use. */
  retiredAt: instant("retired_at"),
});

/**
 * The statements that note the use of a key, for the batch that saves what was signed: it is added at its first use, and
 * every other key is retired. While two Workers sign with different keys, the key of the latest export is the one in use.
 */
export function noteKeyUse({ db, now }: Pick<AppLoadContext, "db" | "now">, { kid, x }: Pick<Signer, "kid" | "x">) {
  return {
    added: db
      .insert(signingKeys)
      .values({ kid, x, addedAt: now })
      .onConflictDoUpdate({
        target: signingKeys.kid,
        set: { retiredAt: null },
        setWhere: isNotNull(signingKeys.retiredAt),
      }),
    retired: db
      .update(signingKeys)
      .set({ retiredAt: now })
      .where(and(ne(signingKeys.kid, kid), isNull(signingKeys.retiredAt))),
  };
}

/** The query for all public keys, the oldest first. */
export function storedKeys(db: Db) {
  return db.select().from(signingKeys).orderBy(asc(signingKeys.addedAt), asc(signingKeys.kid));
}

/**
 * Whether a row has the thumbprint of its key as its name. One that has not was stored past the app, so it is not published;
 * `npm run verify-log` names it.
 */
export function isNamedByKey({ kid, x }: { kid: string; x: string }): boolean {
  return kid === keyId(x);
}

/** All public keys as a JWK Set (RFC 7517), the oldest first, with `addedAt` and `retiredAt` as members of our own. */
export async function listPublicKeys(db: Db) {
  const keys = await storedKeys(db);
  return {
    keys: keys.filter(isNamedByKey).map(({ kid, x, addedAt, retiredAt }) => ({
      kty: "OKP",
      crv: "Ed25519",
      x,
      kid,
      alg: "EdDSA",
      use: "sig",
      addedAt,
      retiredAt,
    })),
  };
}

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
  // Not every runtime checks that the two parts of a key belong together. The signatures of such a key would verify
  // nowhere.
  const isPair = await crypto.subtle.verify("Ed25519", publicKey, await sign(""), new Uint8Array());
  return isPair ? { kid: keyId(jwk.x), x: jwk.x, sign } : null;
}
