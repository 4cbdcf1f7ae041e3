import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { appendEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { AppError } from "#app/errors.ts";
import { existsRecord, isUnchanged } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import {
  isUnknown,
  type Link,
  linkFromRows,
  linkQueries,
  NO_LINK,
  type OpenLink,
} from "#app/verification/link.server.ts";
import { queueVerifiedEmail } from "#app/verification/queue-email.server.ts";
import { LINK_FAILURE, linkFailureMessage, type VerifiableRecord } from "#app/verification/record.ts";

/** The link as it was last read in this request: after an action the page's loader need not read it again. */
const cachedLinks = new WeakMap<AppLoadContext, Promise<Link>>();

/**
 * Finds the link with this token and its viewer, in one round trip, once per request.
 * @throws {AppError} 429 for an unknown token, after too many unknown tokens from one network
 */
export function findLink(context: AppLoadContext, token: string): Promise<Link> {
  const result = cachedLinks.get(context) ?? read(context, token);
  cachedLinks.set(context, result);
  return result;
}

async function read(context: AppLoadContext, token: string): Promise<Link> {
  if (token === "") return NO_LINK;
  const limit = tokenLimit(context);
  const { viewer, full, counted, ...rows } = await queryAsViewer(context, (_owner, db) => ({
    ...countAttempt(context, limit, isUnknown(token)),
    ...linkQueries(db, token),
  }));
  const link = linkFromRows(rows, token, viewer?.id ?? null);
  // Only unknown tokens are refused: a supervisor in the same network can still open a valid link.
  if (link.state === "unknown" && !link.ended) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return link;
}

/** Thrown if the record is not what the supervisor was shown any more. */
export class RecordChangedError extends AppError {
  constructor() {
    super(409, "This record was changed since you opened it. Look at it again, and confirm it if it is right.");
  }
}

/**
 * Verifies a record in a supervisor's name and appends an event to its log, with the signed-in account, if any. One
 * UPDATE decides: of any number of concurrent confirmations only one finds the record unverified and unchanged.
 * `shown` is the hash of what the supervisor was shown; without it the current record is confirmed.
 * @throws {AppError} 404 for an unknown link, 409 if the record is verified or (`RecordChangedError`) has changed
 */
export async function confirm(
  context: AppLoadContext,
  token: string,
  supervisorName: string,
  shown?: string,
): Promise<VerifiableRecord> {
  let known: Link | null = await findLink(context, token);
  const { viewerId } = known;
  return retryOnConflict(async () => {
    const link: Link = known ?? linkFromRows(await batch(context.db, linkQueries(context.db, token)), token, viewerId);
    known = null;
    cachedLinks.set(context, Promise.resolve(link));
    if (link.state === "unknown") throw new AppError(404, linkFailureMessage(link.ended));
    if (link.state === "verified") throw new AppError(409, LINK_FAILURE);
    if (shown !== undefined && shown !== link.shown) throw new RecordChangedError();
    const { confirmed, ...rows } = await batch(context.db, verifyStatements(context, link, token, supervisorName));
    const current = linkFromRows(rows, token, viewerId);
    if (confirmed[0] && current.record) {
      securityEvent(context, "verified", { kind: current.record.kind, record: confirmed[0].id });
      return current.record;
    }
    known = current; // another request changed the record first
    return null;
  });
}

/** The statements that verify an unchanged record, queue the email to its owner, append the event, and read it again. */
function verifyStatements(
  context: AppLoadContext,
  { kind, stored, last, viewerId }: OpenLink,
  token: string,
  supervisorName: string,
) {
  const { db, now, client } = context;
  const { record, owner } = stored;
  const values = {
    verified: true,
    verifiedBy: supervisorName,
    verifiedAt: now,
    search: sql`search || char(10) || ${searchText(supervisorName)}`,
  };
  // The supervisor was also shown the owner's name and number.
  const isAsShown = sql`${isUnchanged(kind, record)} AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${owner.id}
    AND name IS ${owner.name} AND employee_number IS ${owner.employeeNumber})`;
  const isDone = existsRecord(
    kind,
    sql`id = ${record.id} AND verified = 1 AND verified_at = ${now.getTime()} AND verified_by = ${supervisorName}`,
  );
  return {
    confirmed: db.update(kind.table).set(values).where(isAsShown).returning({ id: kind.table.id }),
    mail: queueVerifiedEmail(context, kind, token),
    event: appendEvent(
      db,
      { kind: kind.name, id: record.id, userId: owner.id, last },
      {
        event: "verified",
        at: now,
        client,
        name: supervisorName,
        accountId: viewerId,
        recordHash: recordHash(kind, record),
      },
      sql`WHERE ${isDone}`,
    ),
    ...linkQueries(db, token),
  };
}
