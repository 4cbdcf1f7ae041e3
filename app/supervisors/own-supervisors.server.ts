import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { type EarlierAddress, listEarlierAddresses } from "#app/accounts/earlier-addresses.server.ts";
import type { User } from "#app/accounts/user.ts";
import { supervisors } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { supervisorSchema } from "./supervisor.schema.ts";
import { refuseEarlierAddress, refuseOwnAddress, type Supervisor, supervisorColumns } from "./supervisors.server.ts";

interface FoundSupervisor {
  user: User;
  supervisor: Supervisor;
  earlier: EarlierAddress[];
}

/**
 * Returns one of the technician's supervisors, and what `refuseEarlierAddress` needs.
 * @throws {AppError} 404 if there is none with this id, or another technician owns it
 */
export const findSupervisor = perRequest(async (context: AppLoadContext, id: number): Promise<FoundSupervisor> => {
  const { user, earlier, found } = await requireUser(context, (owner, db) => ({
    earlier: listEarlierAddresses(db, owner),
    found: db
      .select(supervisorColumns)
      .from(supervisors)
      .where(and(eq(supervisors.userId, owner), eq(supervisors.id, id))),
  }));
  const [supervisor] = found;
  if (!supervisor) throw notFound();
  return { user, supervisor, earlier };
});

function notFound(): AppError {
  return new AppError(404, "That supervisor is not in your list.");
}

/**
 * Applies a partial update to one of the technician's supervisors. Requests keep the name and address as they were asked;
 * verified records keep the name of their verifier.
 * @throws {AppError} 404 as `findSupervisor`, then 400 with a message for each invalid field
 */
export async function changeSupervisor(
  context: AppLoadContext,
  id: number,
  fields: () => Promise<unknown>,
): Promise<Supervisor> {
  const { user, supervisor, earlier } = await findSupervisor(context, id);
  const values = parse(supervisorSchema, applyPartialUpdate(supervisor, await fields()));
  refuseOwnAddress(user, values);
  refuseEarlierAddress(context, { id: user.id, earlier }, values);
  // Only the changed fields, so that two requests can change different fields at once.
  const changed = Object.entries(values).filter(([name, value]) => supervisor[name as keyof typeof values] !== value);
  if (changed.length === 0) return supervisor;
  const [stored] = await context.db
    .update(supervisors)
    .set(Object.fromEntries(changed))
    .where(and(eq(supervisors.id, id), eq(supervisors.userId, user.id)))
    .returning(supervisorColumns);
  if (!stored) throw notFound();
  return stored;
}

/**
 * Deletes one of the technician's supervisors. Their requests stay as they were asked, queued emails included: withdraw a
 * request to end its link. Verified records keep the name.
 * @throws {AppError} 404 as `findSupervisor`
 */
export async function deleteSupervisor(context: AppLoadContext, id: number): Promise<void> {
  const { user } = await findSupervisor(context, id);
  const deleted = await context.db
    .delete(supervisors)
    .where(and(eq(supervisors.id, id), eq(supervisors.userId, user.id)))
    .returning({ id: supervisors.id });
  if (deleted.length === 0) throw notFound();
}
