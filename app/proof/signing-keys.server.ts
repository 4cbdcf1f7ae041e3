import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, asc, isNotNull, isNull, ne } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { Signer } from "./signer.server.ts";

/** The public keys that statements were signed with (migrations/0001_initial.sql, "Proof"). */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    kid: text().primaryKey(),
    x: text().notNull(),
    /** When a statement was first signed with it. */
    addedAt: integer("added_at", { mode: "timestamp_ms" }).notNull(),
    /** When one was first signed with another key since; null while it is in use. */
    retiredAt: integer("retired_at", { mode: "timestamp_ms" }),
  },
  (table) => [index("signing_keys_by_retirement").on(table.retiredAt)],
);

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

/** All public keys as a JWK Set (RFC 7517), the oldest first, with `addedAt` and `retiredAt` as members of our own. */
export async function listPublicKeys(db: Db) {
  const keys = await db.select().from(signingKeys).orderBy(asc(signingKeys.addedAt), asc(signingKeys.kid));
  return {
    keys: keys.map(({ kid, x, addedAt, retiredAt }) => ({
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
