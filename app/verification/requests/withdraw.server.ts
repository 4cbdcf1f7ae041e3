import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { changeOwn } from "#app/audit-log/log.server.ts";
import type { Db, Owner, Queries, Rows } from "#app/db/client.server.ts";
import { commit, withoutLimit } from "#app/db/commit.server.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { findRecord, requireRecord, withoutOwner } from "#app/records/queries.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { itemsFromRows, requestQueries } from "#app/verification/link.server.ts";
import type { RequestRow } from "#app/verification/requests.table.ts";
import { endWaiting } from "./end-request.server.ts";
import {
  type OwnRequest,
  ownRequestsFromRows,
  ownRequestsQueries,
  requestFacts,
  requireRequest,
} from "./own-requests.server.ts";

/**
 * Withdraws one of the user's requests. Withdrawing one that has ended changes nothing.
 * @throws {AppError} 404 for an unknown request or another user's
 */
export function withdrawRequest(context: AppLoadContext, id: number): Promise<OwnRequest> {
  return withdraw(context, {
    which: sql`id = ${id}`,
    queries: (db, owner) => ({ own: ownRequestsQueries(db, owner, sql`id = ${id}`) }),
    open: ({ own }, request) => (requireRequest(own.requests).endedAt ? null : (request ?? null)),
    answer: ({ own }) => requireRequest(ownRequestsFromRows(own)),
  });
}

/**
 * Withdraws the own request of one of the user's records. The next one has another link. Returns the record.
 * @throws {AppError} 404 for a record that is not the user's; 409 if it is verified or its own request is not open
 */
export function withdrawRequestOfRecord(context: AppLoadContext, kind: Kind, id: number): Promise<AnyRecord> {
  return withdraw(context, {
    which: sql`own_record_id = ${id}`,
    queries: (db, owner) => ({ found: findRecord(db, owner, kind, id) }),
    open: ({ found }, request) => {
      if (requireRecord(kind, found).verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
      if (!request)
        throw new AppError("request_ended", "No verification request is open, so there is nothing to withdraw.");
      return request;
    },
    answer: ({ found }) => withoutOwner(requireRecord(kind, found)),
  });
}

interface Withdrawal<Q extends Queries, Result> {
  /** Selects the request among the user's. */
  which: SQL;
  /** The queries for what is answered, which are run before and after. */
  queries(db: Db, owner: Owner): Q;
  /** The request if it is open; null if there is nothing to withdraw. It throws what is refused. */
  open(rows: Rows<Q>, request: RequestRow | undefined): RequestRow | null;
  answer(rows: Rows<Q>): Result;
}

/**
 * Withdraws a request: its open items end, with an event in the log of each record, its link ends, and its unsent
 * emails are cancelled. Decisions stay.
 */
async function withdraw<Q extends Queries, Result>(
  context: AppLoadContext,
  { which, queries, open, answer }: Withdrawal<Q, Result>,
): Promise<Result> {
  const { db, now } = context;
  return changeOwn(context, "withdraw", async () => {
    const { user, account, before, found } = await requireUser(context, (owner, db) => ({
      before: queries(db, owner),
      found: requestQueries(db, sql`${which} AND user_id = ${owner}`),
    }));
    const request = open(before as Rows<Q>, found.request[0]);
    if (!request) return answer(before as Rows<Q>);
    const waiting = itemsFromRows(found, now).filter(({ state }) => state === "waiting");
    const { after } = await commit(db, [withoutLimit(account)], {
      ended: endWaiting(context, { requestId: request.id }, waiting, "withdrawn"),
      after: queries(db, user.id),
    });
    securityEvent(context, "verification_withdrawn", requestFacts(request.id, waiting));
    return answer(after as Rows<Q>);
  });
}
