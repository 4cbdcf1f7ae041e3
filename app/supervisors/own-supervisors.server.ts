import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { type OwnAddresses, ownAddressQueries } from "#app/accounts/own-addresses.server.ts";
import type { User } from "#app/accounts/user.ts";
import { commit, type Guarded, retryOnConflict, withoutLimit } from "#app/db/commit.server.ts";
import { supervisors } from "#app/db/schema.ts";
import { storing } from "#app/db/stored-bytes.server.ts";
import { isReusedKey, KeyReusedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import { applyPartialUpdate, parse } from "#app/server/api.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { type NewSupervisor, supervisorSchema } from "./supervisor.schema.ts";
import {
  addSupervisor,
  decideNewSupervisor,
  newSupervisorQueries,
  refuseOwnMailbox,
  refuseSameMailbox,
  type Supervisor,
  supervisorBytes,
  supervisorColumns,
  withMailboxOf,
} from "./supervisors.server.ts";

interface FoundSupervisor {
  user: User;
  account: Guarded;
  supervisor: Supervisor;
  addresses: OwnAddresses;
}

/**
 * Returns one of the technician's supervisors, and the addresses of their account.
 * @throws {AppError} 404 if there is none with this id, or another technician owns it
 */
export const findSupervisor = perRequest(async (context: AppLoadContext, id: number): Promise<FoundSupervisor> => {
  const { user, account, addresses, found } = await requireUser(context, (owner, db) => ({
    addresses: ownAddressQueries(context, owner, db),
    found: db
      .select(supervisorColumns)
      .from(supervisors)
      .where(and(eq(supervisors.userId, owner), eq(supervisors.id, id))),
  }));
  const [supervisor] = found;
  if (!supervisor) throw notFound();
  return { user, account, supervisor, addresses };
});

function notFound(): AppError {
  return new AppError("not_found", "That supervisor is not in your list.");
}

/**
 * Adds a supervisor to the technician's list, or returns the one that the same form (named by `key`) has added.
 * @throws {AppError} 401; 400 on `email` for the technician's own mailbox; 409 for a call under the key of another supervisor, if the list is full, or on `email` if another supervisor of the list has the mailbox
 */
export async function createSupervisor(
  context: AppLoadContext,
  supervisor: NewSupervisor,
  key: string | null,
): Promise<Supervisor> {
  return retryOnConflict(context, "add_supervisor", async () => {
    const { account, addresses, reused, found } = await requireUser(context, (owner, db) => ({
      addresses: ownAddressQueries(context, owner, db),
      reused: db
        .select({ id: supervisors.id })
        .from(supervisors)
        .where(sql`user_id = ${owner} AND ${isReusedKey(context, submissionOf(key, supervisor))}`)
        .limit(1),
      found: newSupervisorQueries(db, owner, supervisor, key),
    }));
    if (!found.saved[0] && reused[0]) throw new KeyReusedError();
    const saved = decideNewSupervisor(context, addresses, supervisor, found);
    if (saved) return saved;
    const { added } = await commit(context.db, [account], {
      added: addSupervisor(context, account.id, supervisor, key),
    });
    return added[0] ?? null;
  });
}

/**
 * Applies a partial update, as it was sent, to one of the technician's supervisors. Requests keep the name and address
 * that they had; verified records keep the name of their verifier.
 * @throws {AppError} 404 as `findSupervisor`, then 400 with a message for each invalid field, or 409 on `email` if
 *   another supervisor of the list has the mailbox
 */
export async function changeSupervisor(context: AppLoadContext, id: number, sent: unknown): Promise<Supervisor> {
  return retryOnConflict(context, "change_supervisor", async (attempt) => {
    const find = attempt === 1 ? findSupervisor : findSupervisor.refresh;
    const { account, supervisor, addresses } = await find(context, id);
    const values = parse(supervisorSchema, applyPartialUpdate(supervisor, sent));
    refuseOwnMailbox(context, addresses, values);
    const names = Object.keys(values) as (keyof NewSupervisor)[]; // the schema leaves none out
    const changed = names.filter((name) => supervisor[name] !== values[name]);
    if (changed.length === 0) return supervisor;
    const mailbox = values.email === supervisor.email ? {} : { mailbox: normalizeMailbox(values.email) };
    // The new address is known only now, so the statement itself looks for it: a third round trip would be one too many.
    const others = withMailboxOf(context.db, account.id, values.email, id);
    const update = context.db
      .update(supervisors)
      .set({ ...Object.fromEntries(changed.map((name) => [name, values[name]])), ...mailbox })
      .where(sql`id = ${id} AND NOT EXISTS ${others}`)
      .returning(supervisorColumns);
    storing(update, account.id, supervisorBytes(values) - supervisorBytes(supervisor));
    const { stored, same } = await commit(context.db, [account], { stored: update, same: others });
    refuseSameMailbox(same);
    return stored[0] ?? null;
  });
}

/**
 * Deletes one of the technician's supervisors. Their requests stay as they are, queued emails included: withdraw a
 * request to end its link. Verified records keep the name.
 * @throws {AppError} 404 as `findSupervisor`
 */
export async function deleteSupervisor(context: AppLoadContext, id: number): Promise<void> {
  await retryOnConflict(context, "delete_supervisor", async (attempt) => {
    const find = attempt === 1 ? findSupervisor : findSupervisor.refresh;
    const { account } = await find(context, id);
    await commit(context.db, [withoutLimit(account)], {
      deleted: context.db.delete(supervisors).where(eq(supervisors.id, id)),
    });
    return true;
  });
}
