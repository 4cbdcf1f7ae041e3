import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { earlierAddresses } from "#app/db/email-changes.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";

/** An earlier address of an account, hashed. */
export type EarlierAddress = Pick<typeof earlierAddresses.$inferSelect, "address">;

/** The hash of an account's address: an HMAC that differs for each account. */
export function hashAddress({ secret }: Pick<AppLoadContext, "secret">, userId: number, email: string): string {
  return hashSubject(secret, "earlier address", String(userId), email);
}

/** The query for the addresses that the owner's account had before. */
export function listEarlierAddresses(db: Db, owner: Owner) {
  return db
    .select({ address: earlierAddresses.address })
    .from(earlierAddresses)
    .where(eq(earlierAddresses.userId, owner));
}

/** Whether the account had this address before, by the rows of `listEarlierAddresses`. */
export function isEarlierAddress(
  context: Pick<AppLoadContext, "secret">,
  { id, earlier }: { id: number; earlier: EarlierAddress[] },
  email: string,
): boolean {
  const hash = hashAddress(context, id, email);
  return earlier.some(({ address }) => address === hash);
}
