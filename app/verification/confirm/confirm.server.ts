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
import { failureOf, LINK_FAILURE, type VerifiableRecord } from "#app/verification/record.ts";

/** What was read last, per request: after an action the page's loader shows what the action has seen. */
const found = new WeakMap<AppLoadContext, Promise<Link>>();

/**
 * Looks a link's token up, with who asks, in one round trip, which is made once for a request.
 * @throws {AppError} 429 for an unknown token, after too many of them from one network
 */
export function findLink(context: AppLoadContext, token: string): Promise<Link> {
  const result = found.get(context) ?? read(context, token);
  found.set(context, result);
  return result;
}

async function read(context: AppLoadContext, token: string): Promise<Link> {
  if (token === "") return NO_LINK; // no link at all
  const limit = tokenLimit(context);
  const { viewer, full, counted, ...rows } = await queryAsViewer(context, (_owner, db) => ({
    ...countAttempt(context, limit, isUnknown(token)),
    ...linkQueries(db, token),
  }));
  const link = linkFromRows(rows, token, viewer?.id ?? null);
  // Only what leads nowhere is refused: behind the same network may be the supervisor of a link that does.
  if (link.state === "unknown" && !link.ended) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return link;
}

/** Refuses a confirmation of something else than its supervisor was shown. */
export class RecordChangedError extends AppError {
  constructor() {
    super(409, "This record was changed since you opened it. Look at it again, and confirm it if it is right.");
  }
}

/**
 * Verifies a record in a supervisor's name, and adds the line to its log that tells of it, and of the account that is
 * signed in, if there is one. One statement decides: of
 * any number of confirmations, at any moment, one finds the record unverified and as it was read, and the others are
 * told so. `shown` is the hash of what the supervisor was shown; a confirmation without one is of whatever is there.
 * @throws {AppError} 404 where the link leads nowhere, 409 where the record was verified before, or (`RecordChangedError`) is
 *   not as it was shown
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
    found.set(context, Promise.resolve(link));
    if (link.state === "unknown") throw new AppError(404, failureOf(link.ended));
    if (link.state === "verified") throw new AppError(409, LINK_FAILURE);
    if (shown !== undefined && shown !== link.shown) throw new RecordChangedError();
    const { confirmed, ...rows } = await batch(context.db, verification(context, link, token, supervisorName));
    // What is there now: verified, or, where somebody else was faster, what they have made of it.
    const now = linkFromRows(rows, token, viewerId);
    if (confirmed[0] && now.record) {
      securityEvent(context, "verified", { kind: now.record.kind, record: confirmed[0].id });
      return now.record;
    }
    known = now;
    return null;
  });
}

/** The statements that verify a record as it was read, mail its owner, add the line, and read it again. */
function verification(
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
  // What the supervisor was shown of the owner belongs to it.
  const asRead = sql`${isUnchanged(kind, record)} AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${owner.id}
    AND name IS ${owner.name} AND employee_number IS ${owner.employeeNumber})`;
  const isDone = existsRecord(
    kind,
    sql`id = ${record.id} AND verified = 1 AND verified_at = ${now.getTime()} AND verified_by = ${supervisorName}`,
  );
  return {
    confirmed: db.update(kind.table).set(values).where(asRead).returning({ id: kind.table.id }),
    mail: queueVerifiedEmail(context, kind, token),
    line: appendEvent(
      db,
      { kind: kind.name, id: record.id, last },
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
