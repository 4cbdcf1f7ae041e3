import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { type History, historyFromRows, historyQueries } from "#app/corrections/history.server.ts";
import type { Owner } from "#app/db/client.server.ts";
import { entries, ropeHours, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { entryColumns } from "#app/records/entry/entries.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { ropeHoursColumns } from "#app/records/rope-hours/rope-hours.server.ts";
import { forAdmin } from "./lists.server.ts";

const MISSING: Record<Kind, string> = {
  entry: "There is no such entry.",
  rope_hour: "There are no such rope hours.",
};

/**
 * What has happened to anybody's record, in one round trip, for an admin; never the token of its link.
 * @throws as `requireAdmin`, and 404 where there is no such record
 */
export async function findHistoryForAdmin(
  context: AppLoadContext,
  kind: Kind,
  id: number,
): Promise<{ user: User; history: History }> {
  const table = kind === "entry" ? entries : ropeHours;
  const ownerOf = (asker: Owner) => sql<number>`(SELECT user_id FROM ${table} WHERE id = ${forAdmin(asker, id)})`;
  const { user, entry, rope, owner, ...events } = await requireAdmin(context, (asker, db) => ({
    // One of the two looks for the id that nothing has: the batch then has one shape for both kinds.
    entry: db
      .select({ ...entryColumns, verificationToken: entries.verificationToken })
      .from(entries)
      .where(eq(entries.id, forAdmin(asker, kind === "entry" ? id : 0))),
    rope: db
      .select({ ...ropeHoursColumns, verificationToken: ropeHours.verificationToken })
      .from(ropeHours)
      .where(eq(ropeHours.id, forAdmin(asker, kind === "rope_hour" ? id : 0))),
    owner: db
      .select({ name: users.name, email: users.email, employeeNumber: users.employeeNumber })
      .from(users)
      .where(eq(users.id, ownerOf(asker))),
    ...historyQueries(db, kind, forAdmin(asker, id), ownerOf(asker)),
  }));
  const record = entry[0] ?? rope[0];
  const [person] = owner;
  if (!record || !person) throw new AppError(404, MISSING[kind]);
  const whose = { name: person.name ?? person.email, employeeNumber: person.employeeNumber };
  return { user, history: historyFromRows(record, whose, events) };
}
