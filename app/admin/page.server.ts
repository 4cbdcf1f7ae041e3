import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { findOwnedEntry, findUserWithCounts, listAllEntries, listUsers, type OwnedEntry } from "./lists.server.ts";
import type { View } from "./view.ts";

/** How many rows a page has. */
const ROWS = 50;

export type UserWithCounts = User & { entries: number; ropeHours: number; supervisors: number };

/** A page of one of the two lists, and the row that the dialog asks about, if it is there. */
export type AdminPage = { user: User; nextBefore: number | null } & (
  | { tab: "users"; rows: User[]; target: UserWithCounts | null }
  | { tab: "entries"; rows: OwnedEntry[]; target: OwnedEntry | null }
);

/**
 * What the admin page shows, in one round trip. `targetId` is the row that shall be deleted, 0 for none.
 * @throws as `requireAdmin`
 */
export async function adminPage(context: AppLoadContext, view: View, targetId: number): Promise<AdminPage> {
  // One more than is shown tells whether there are more.
  const part = { search: view.search, before: view.before, limit: ROWS + 1 };
  if (view.tab === "users") {
    const { user, list, target } = await requireAdmin(context, (asker, db) => ({
      list: listUsers(db, asker, part),
      target: findUserWithCounts(db, asker, targetId),
    }));
    return { user, tab: "users", ...pageOf(list), target: target[0] ?? null };
  }
  const { user, list, target } = await requireAdmin(context, (asker, db) => ({
    list: listAllEntries(db, asker, part),
    target: findOwnedEntry(db, asker, targetId),
  }));
  return { user, tab: "entries", ...pageOf(list), target: target[0] ?? null };
}

function pageOf<Row extends { id: number }>(list: Row[]): { rows: Row[]; nextBefore: number | null } {
  const rows = list.slice(0, ROWS);
  return { rows, nextBefore: list.length > ROWS ? (rows.at(-1)?.id ?? null) : null };
}
