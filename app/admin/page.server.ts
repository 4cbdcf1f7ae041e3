import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch } from "#app/db/client.server.ts";
import { readSteps } from "#app/records/search.server.ts";
import {
  type AdminUser,
  findAllRecords,
  findOwnedRecord,
  findUser,
  findUserWithCounts,
  listUsers,
  type OwnedRecord,
  type UserWithCounts,
} from "./lists.server.ts";
import { tabNamed, type View } from "./view.ts";

const ROWS = 50;

/** A page of one of the lists, and the row of the delete dialog, if one is open. */
export type AdminPage = {
  user: User;
  /** The user whose records are listed, or null for all users. */
  of: User | null;
  nextBefore: number | null;
} & ({ users: AdminUser[]; target: UserWithCounts | null } | { records: OwnedRecord[]; target: OwnedRecord | null });

/**
 * The rows of the admin page, in one round trip. `targetId` is the row of the delete dialog, or 0.
 * @throws as `requireAdmin`
 */
export async function adminPage(context: AppLoadContext, view: View, targetId: number): Promise<AdminPage> {
  const { search, before, userId } = view;
  const { kind } = tabNamed(view.tab);
  // One more than is shown, to find out whether there is a next page.
  const query = { search, before, userId, limit: ROWS + 1 };
  if (!kind) {
    const { user, list, target } = await requireAdmin(context, (viewer, db) => ({
      list: listUsers(db, viewer, query),
      target: findUserWithCounts(db, viewer, targetId),
    }));
    return { user, of: null, nextBefore: nextBefore(list), users: list.slice(0, ROWS), target: target[0] ?? null };
  }
  const { user, of, found, target } = await requireAdmin(context, (viewer, db) => ({
    of: findUser(db, viewer, userId ?? 0),
    found: findAllRecords(db, viewer, kind, query),
    target: findOwnedRecord(db, viewer, kind, targetId),
  }));
  const list = await readSteps<OwnedRecord>(
    found,
    ({ length }) => length > ROWS,
    (from) => batch(context.db, findAllRecords(context.db, user.id, kind, query, from)),
  );
  const records = list.slice(0, ROWS);
  return { user, of: of[0] ?? null, nextBefore: nextBefore(list), records, target: target[0] ?? null };
}

/** The id after which the next page starts, or null on the last page. */
function nextBefore(list: { id: number }[]): number | null {
  return list.length > ROWS ? (list[ROWS - 1]?.id ?? null) : null;
}
