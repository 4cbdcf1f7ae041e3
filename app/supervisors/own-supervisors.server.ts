import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { areAddressesUnchanged, type OwnAddresses, ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch } from "#app/db/client.server.ts";
import { retryOnConflict } from "#app/db/commit.server.ts";
import { supervisors } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type NewSupervisor, supervisorSchema } from "./supervisor.schema.ts";
import {
  addSupervisor,
  refuseOwnMailbox,
  refuseSameMailbox,
  refuseUnsaved,
  type Supervisor,
  supervisorColumns,
  withMailboxOf,
} from "./supervisors.server.ts";

interface FoundSupervisor {
  user: User;
  supervisor: Supervisor;
  addresses: OwnAddresses;
}

/**
 * Returns one of the technician's supervisors, and the addresses of their account.
 * @throws {AppError} 404 if there is none with this id, or another technician owns it
 */
export const findSupervisor = perRequest(async (context: AppLoadContext, id: number): Promise<FoundSupervisor> => {
  const { user, addresses, found } = await requireUser(context, (owner, db) => ({
    addresses: ownAddressQueries(context, owner, db),
    found: db
      .select(supervisorColumns)
      .from(supervisors)
      .where(and(eq(supervisors.userId, owner), eq(supervisors.id, id))),
  }));
  const [supervisor] = found;
  if (!supervisor) throw notFound();
  return { user, supervisor, addresses };
});

function notFound(): AppError {
  return new AppError("not_found", "That supervisor is not in your list.");
}

/**
 * Adds a supervisor to the technician's list, or returns the one that the same form (named by `key`) has added.
 * @throws {AppError} 401; 400 on `email` for the technician's own mailbox; 409 if the list is full, or on `email` if another supervisor of the list has the mailbox
 */
export async function createSupervisor(
  context: AppLoadContext,
  supervisor: NewSupervisor,
  key: string | null,
): Promise<Supervisor> {
  return retryOnConflict(context, "add_supervisor", async () => {
    const { user, addresses } = await requireUser(context, (owner, db) => ({
      addresses: ownAddressQueries(context, owner, db),
    }));
    const added = await batch(context.db, addSupervisor(context, { userId: user.id, addresses }, supervisor, key));
    refuseUnsaved(added);
    return added.inserted[0] ?? added.stored[0] ?? null; // null: the account's addresses have changed since they were read
  });
}

/**
 * Applies a partial update, as it was sent, to one of the technician's supervisors. Requests keep the name and address as they were asked;
 * verified records keep the name of their verifier.
 * @throws {AppError} 404 as `findSupervisor`, then 400 with a message for each invalid field, or 409 on `email` if another
 *   supervisor of the list has the mailbox
 */
export async function changeSupervisor(context: AppLoadContext, id: number, sent: unknown): Promise<Supervisor> {
  let find: typeof findSupervisor.refresh = findSupervisor;
  return retryOnConflict(context, "change_supervisor", async () => {
    const { user, supervisor, addresses } = await find(context, id);
    find = findSupervisor.refresh;
    const values = parse(supervisorSchema, applyPartialUpdate(supervisor, sent));
    refuseOwnMailbox(context, addresses, values);
    const names = Object.keys(values) as (keyof NewSupervisor)[]; // the schema leaves none out
    const changed = names.filter((name) => supervisor[name] !== values[name]);
    if (changed.length === 0) return supervisor;
    const mailbox = values.email === supervisor.email ? {} : { mailbox: normalizeMailbox(values.email) };
    const others = withMailboxOf(context.db, user.id, values.email, id);
    const { stored, same } = await batch(context.db, {
      stored: context.db
        .update(supervisors)
        .set({ ...Object.fromEntries(changed.map((name) => [name, values[name]])), ...mailbox })
        .where(
          and(
            eq(supervisors.id, id),
            eq(supervisors.userId, user.id),
            // As it was read: whether some fields may be missing depends on the others.
            ...names.map((name) => sql`${supervisors[name]} IS ${supervisor[name]}`),
            areAddressesUnchanged(context, addresses),
            sql`NOT EXISTS ${others}`,
          ),
        )
        .returning(supervisorColumns),
      same: others,
    });
    if (!stored[0]) refuseSameMailbox(same);
    return stored[0] ?? null; // null: the supervisor or the account's addresses have changed since they were read
  });
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
