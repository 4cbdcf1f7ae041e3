import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { type History, historyFromRows, historyQueries } from "#app/corrections/history.server.ts";
import type { Owner } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { Kind } from "#app/records/kind.ts";
import { findRecord, IS_LIVE } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { ifAdmin } from "./lists.server.ts";

/**
 * The history of any user's record, in one round trip, without the token of its link.
 * @throws as `requireAdmin`, and 404 if there is no such record
 */
export async function findHistoryForAdmin(
  context: AppLoadContext,
  kind: Kind,
  id: number,
): Promise<{ user: User; history: History }> {
  const ownerOf = (viewer: Owner) =>
    sql<number>`(SELECT user_id FROM ${records} WHERE id = ${ifAdmin(viewer, id)} AND ${IS_LIVE})`;
  const { user, found, owner, ...events } = await requireAdmin(context, (viewer, db) => ({
    found: findRecord(db, ownerOf(viewer), kind, id),
    owner: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(eq(users.id, ownerOf(viewer))),
    ...historyQueries(db, ifAdmin(viewer, id), ownerOf(viewer)),
  }));
  const [record] = found;
  const [person] = owner;
  if (!record || !person) throw new AppError("not_found", kind.adminTexts.missing);
  const whose = { name: person.name ?? person.email, employeeNumber: person.employeeNumber };
  return { user, history: historyFromRows(kind, record, whose, events) };
}
