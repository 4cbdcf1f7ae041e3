import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import {
  findOwnedRecord,
  findUser,
  findUserWithCounts,
  listAllRecords,
  listUsers,
  type OwnedRecord,
  type UserWithCounts,
} from "./lists.server.ts";
import { tabNamed } from "./tabs.ts";
import type { View } from "./view.ts";

/** How many rows a page has. */
const ROWS = 50;

/** A page of one of the lists, and the row that the dialog asks about, if there is one. */
export type AdminPage = {
  /** The admin. */
  user: User;
  /** The user whose records alone are listed, if the view names one and there is such a user. */
  of: User | null;
  nextBefore: number | null;
} & ({ users: User[]; target: UserWithCounts | null } | { records: OwnedRecord[]; target: OwnedRecord | null });

/**
 * The rows of the admin's page, in one round trip. `targetId` is the row to delete, 0 for none.
 * @throws as `requireAdmin`
 */
export async function adminPage(context: AppLoadContext, view: View, targetId: number): Promise<AdminPage> {
  const { search, before, userId } = view;
  const { kind } = tabNamed(view.tab);
  // One more than is shown tells whether there are more.
  const part = { search, before, userId, limit: ROWS + 1 };
  if (!kind) {
    const { user, list, target } = await requireAdmin(context, (asker, db) => ({
      list: listUsers(db, asker, part),
      target: findUserWithCounts(db, asker, targetId),
    }));
    return { user, of: null, nextBefore: nextBefore(list), users: list.slice(0, ROWS), target: target[0] ?? null };
  }
  const { user, of, list, target } = await requireAdmin(context, (asker, db) => ({
    of: findUser(db, asker, userId ?? 0),
    list: listAllRecords(db, asker, kind, part),
    target: findOwnedRecord(db, asker, kind, targetId),
  }));
  const records = list.slice(0, ROWS);
  return { user, of: of[0] ?? null, nextBefore: nextBefore(list), records, target: target[0] ?? null };
}

/** The id behind which the next page begins, or null on the last page. */
function nextBefore(list: { id: number }[]): number | null {
  return list.length > ROWS ? (list[ROWS - 1]?.id ?? null) : null;
}
