import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import {
  findOwnedEntry,
  findOwnedRopeHours,
  findUser,
  findUserWithCounts,
  listAllEntries,
  listAllRopeHours,
  listUsers,
  type OwnedEntry,
  type OwnedRopeHours,
} from "./lists.server.ts";
import type { View } from "./view.ts";

/** How many rows a page has. */
const ROWS = 50;

export type UserWithCounts = User & { entries: number; ropeHours: number; supervisors: number };

/** A page of one of the lists, and the row that the dialog asks about, if it is there. */
export type AdminPage = {
  /** Who asks. */
  user: User;
  /** Whose records alone are shown, if anybody's and if there is such a user. */
  of: User | null;
  nextBefore: number | null;
} & (
  | { tab: "users"; rows: User[]; target: UserWithCounts | null }
  | { tab: "entries"; rows: OwnedEntry[]; target: OwnedEntry | null }
  | { tab: "rope-hours"; rows: OwnedRopeHours[]; target: OwnedRopeHours | null }
);

/**
 * What the admin page shows, in one round trip. `targetId` is the row that shall be deleted, 0 for none.
 * @throws as `requireAdmin`
 */
export async function adminPage(context: AppLoadContext, view: View, targetId: number): Promise<AdminPage> {
  const { tab, search, before, userId } = view;
  // One more than is shown tells whether there are more.
  const part = { search, before, userId, limit: ROWS + 1 };
  const of = userId ?? 0;
  switch (tab) {
    case "users": {
      const { user, list, target } = await requireAdmin(context, (asker, db) => ({
        list: listUsers(db, asker, part),
        target: findUserWithCounts(db, asker, targetId),
      }));
      return { user, of: null, tab, ...pageOf(list), target: target[0] ?? null };
    }
    case "entries": {
      const { user, whose, list, target } = await requireAdmin(context, (asker, db) => ({
        whose: findUser(db, asker, of),
        list: listAllEntries(db, asker, part),
        target: findOwnedEntry(db, asker, targetId),
      }));
      return { user, of: whose[0] ?? null, tab, ...pageOf(list), target: target[0] ?? null };
    }
    case "rope-hours": {
      const { user, whose, list, target } = await requireAdmin(context, (asker, db) => ({
        whose: findUser(db, asker, of),
        list: listAllRopeHours(db, asker, part),
        target: findOwnedRopeHours(db, asker, targetId),
      }));
      return { user, of: whose[0] ?? null, tab, ...pageOf(list), target: target[0] ?? null };
    }
  }
}

function pageOf<Row extends { id: number }>(list: Row[]): { rows: Row[]; nextBefore: number | null } {
  const rows = list.slice(0, ROWS);
  return { rows, nextBefore: list.length > ROWS ? (rows.at(-1)?.id ?? null) : null };
}
