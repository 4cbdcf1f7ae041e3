import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch } from "#app/db/client.server.ts";
import { supervisors } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { supervisorSchema } from "./supervisor.schema.ts";
import { refuseOwnAddress, type Supervisor, supervisorColumns } from "./supervisors.server.ts";

/**
 * One of the technician's own supervisors.
 * @throws {AppError} 404 where there is no such supervisor, or it is somebody else's
 */
export const findSupervisor = perRequest(
  async (context: AppLoadContext, id: number): Promise<{ user: User; supervisor: Supervisor }> => {
    const { user, found } = await requireUser(context, (owner, db) => ({
      found: db
        .select(supervisorColumns)
        .from(supervisors)
        .where(and(eq(supervisors.userId, owner), eq(supervisors.id, id))),
    }));
    const [supervisor] = found;
    if (!supervisor) throw missing();
    return { user, supervisor };
  },
);

function missing(): AppError {
  return new AppError(404, "That supervisor is not in your list.");
}

/**
 * Changes one of the technician's own supervisors: the fields that `fields` brings, some or all. A message that still
 * waits goes to the new address; what is verified keeps the name that it has.
 * @throws {AppError} 404 for one that is not theirs, then 400 with what is wrong with each field
 */
export async function changeSupervisor(
  context: AppLoadContext,
  id: number,
  fields: () => Promise<unknown>,
): Promise<Supervisor> {
  const { user, supervisor } = await findSupervisor(context, id);
  const values = parse(supervisorSchema, applyPartialUpdate(supervisor, await fields()));
  refuseOwnAddress(user, values);
  // Only what differs: two who change different fields at once both have their way.
  const changed = Object.entries(values).filter(([name, value]) => supervisor[name as keyof typeof values] !== value);
  if (changed.length === 0) return supervisor;
  const [stored] = await context.db
    .update(supervisors)
    .set(Object.fromEntries(changed))
    .where(and(eq(supervisors.id, id), eq(supervisors.userId, user.id)))
    .returning(supervisorColumns);
  if (!stored) throw missing();
  return stored;
}

/**
 * Deletes one of the technician's own supervisors. A link that they were sent still works, since it names nobody; a
 * message that still waits is called off. What they have verified keeps their name.
 * @throws {AppError} 404 for one that is not theirs
 */
export async function deleteSupervisor(context: AppLoadContext, id: number): Promise<void> {
  const { db } = context;
  const { user } = await findSupervisor(context, id);
  const { deleted } = await batch(db, {
    deleted: db
      .delete(supervisors)
      .where(and(eq(supervisors.id, id), eq(supervisors.userId, user.id)))
      .returning({ id: supervisors.id }),
    // Not one that is just being handed over, which can be called back no more.
    calledOff: cancelMessages(context, sql`user_id = ${user.id} AND supervisor_id = ${id} AND state <> 'sending'`),
  });
  if (deleted.length === 0) throw missing();
}
