import type { AppLoadContext } from "@remix-run/cloudflare";
import { desc, eq, max, type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { ItemState, LinkEnd, Via } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { anyRecord, IS_LIVE, isOwn, mayBeAsked, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { reminderSentAt } from "#app/supervisor-mail/reminder.server.ts";
import {
  type RequestRow,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { type ClosedMailbox, closedMailboxes } from "#app/verification/unknown-technicians.server.ts";
import { type NoEmails, noEmailsTo } from "./own-requests.server.ts";
import { hasFailedEmail, nextReminder } from "./remind.server.ts";

/** How many requests a part of the list shows, and how many if the page shows that part alone. */
const PART_SIZE = 25;
const PAGE_SIZE = 50;

/** The parts of the list, by the URL parameter that continues them. */
const PARTS = {
  waiting: sql`ended_at IS NULL`,
  finished: sql`ended_at IS NOT NULL`,
};
export type PartName = keyof typeof PARTS;

/** A request in the list. */
export interface ListedRequest
  extends Pick<
    RequestRow,
    "id" | "requestedName" | "supervisorEmail" | "requestedAt" | "expiresAt" | "openedAt" | "endedAt"
  > {
  /** The number of records in each state. */
  counts: Record<ItemState, number>;
  /** Why records have ended, and how many. */
  ends: { cause: LinkEnd; n: number }[];
  /**
   * The hours of its verified records and of those that wait, in hundredths. A record that was declined or taken out may
   * have been corrected since, so its hours now are not those of this request.
   */
  hundredths: number;
  isExpired: boolean;
  /** Whether its email can be sent again now. */
  canRemind: boolean;
  /** Why no email or reminder goes to its supervisor, while it is open. */
  noEmails: NoEmails | null;
  /** Whether its email waits for a limit, while it is open. */
  emailWaits: boolean;
  /** When the next reminder goes out by itself, if one does. */
  nextReminder: Date | null;
  /** The last answer. */
  answer: { at: Date; via: Via } | null;
}

export interface RequestPart {
  name: PartName;
  requests: ListedRequest[];
  olderHref: string | null;
}

/** The signed-in user's requests, newest first: those that wait, and those that are finished. */
export async function findRequestList(context: AppLoadContext, { searchParams }: URL) {
  const cursors = (Object.keys(PARTS) as PartName[]).map((name) => ({ name, before: parse(searchParams.get(name)) }));
  const only = cursors.find(({ before }) => before);
  const parts = only ? [only] : cursors;
  const size = only ? PAGE_SIZE : PART_SIZE;
  const { user, sections, askable, logged, closed } = await requireUser(context, (owner, db) => ({
    sections: Object.fromEntries(
      parts.map(({ name, before }) => [name, partQueries(context, owner, { name, before, limit: size + 1 })]),
    ),
    askable: countAskable(db, owner),
    logged: anyRecord(db, owner),
    closed: closedMailboxes(db, owner),
  }));
  return {
    user,
    askable: askable[0] ?? NOTHING,
    hasLogged: logged.length > 0,
    isFirstPage: !only,
    parts: parts.flatMap(({ name }) => {
      const rows = sections[name];
      return rows ? [partFromRows(context, name, { ...rows, closed }, size)] : [];
    }),
  };
}

interface Before {
  at: number;
  id: number;
}

function parse(text: string | null): Before | null {
  const [, at, id] = text?.match(/^(\d{1,15})\.(\d{1,15})$/) ?? [];
  return at && id ? { at: Number(at), id: Number(id) } : null;
}

interface Part {
  name: PartName;
  before: Before | null;
  limit: number;
}

function partQueries(context: AppLoadContext, owner: Owner, { name, before, limit }: Part) {
  const { db } = context;
  const page = sql`(SELECT id FROM ${verificationRequests} WHERE user_id = ${owner} AND ${PARTS[name]}
    ${before ? sql`AND (created_at, id) < (${before.at}, ${before.id})` : sql``}
    ORDER BY created_at DESC, id DESC LIMIT ${limit})`;
  return {
    requests: db
      .select()
      .from(verificationRequests)
      .where(sql`id IN ${page}`)
      .orderBy(desc(verificationRequests.createdAt), desc(verificationRequests.id)),
    items: countItems(db, page),
    answers: db
      .select({
        requestId: verificationAnswers.requestId,
        at: max(verificationAnswers.at).as("last_at"),
        via: verificationAnswers.via, // of the row of the maximum
      })
      .from(verificationAnswers)
      .where(sql`request_id IN ${page}`)
      .groupBy(verificationAnswers.requestId),
    failed: db
      .select({ id: verificationRequests.id })
      .from(verificationRequests)
      .where(sql`id IN ${page} AND ${hasFailedEmail(context)}`),
  };
}

function countItems(db: Db, page: SQL) {
  const { requestId, recordId, state, cause } = verificationItems;
  return db
    .select({
      requestId,
      state,
      cause,
      n: sql<number>`count(*)`.as("n"),
      hundredths: SUM_OF_HOURS.as("hundredths"),
    })
    .from(verificationItems)
    .innerJoin(records, eq(records.id, recordId))
    .where(sql`${requestId} IN ${page}`)
    .groupBy(requestId, state, cause);
}

/** How many records a supervisor can be asked about and is not, and how many of these were declined and not corrected. */
export interface Askable {
  n: number;
  declined: number;
}

export const NOTHING: Askable = { n: 0, declined: 0 };

/**
 * The query for the number of a user's records that a supervisor can be asked to verify and is not. Indexes cover it, but for
 * the records of the kinds of which some are never asked about.
 */
export function countAskable(db: Db, owner: Owner) {
  const keptForOwner = KINDS.filter(({ unasked }) => unasked).map(
    (kind) => sql`${isOwn(owner, kind)} AND verified = 0 AND NOT (${mayBeAsked(kind)})`,
  );
  return db
    .select({
      n: sql<number>`(SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND verified = 0 AND ${IS_LIVE})
        - (SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND requested_at IS NOT NULL)
        ${sql.join(keptForOwner.map((kept) => sql`- (SELECT count(*) FROM ${records} WHERE ${kept})`))}`.as("n"),
      declined: sql<number>`(SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND verified = 0 AND ${IS_LIVE}
        AND declined_at IS NOT NULL)`.as("declined"),
    })
    .from(users)
    .where(eq(users.id, owner));
}

function partFromRows(
  { now, secret }: AppLoadContext,
  name: PartName,
  { requests, items, answers, failed, closed }: Rows<ReturnType<typeof partQueries>> & { closed: ClosedMailbox[] },
  size: number,
): RequestPart {
  const page = requests.slice(0, size);
  const last = page.at(-1);
  const hasMore = requests.length > size;
  return {
    name,
    requests: page.map((request) => {
      const mine = items.filter(({ requestId }) => requestId === request.id);
      const { id, requestedName, supervisorEmail, requestedAt, expiresAt, openedAt, endedAt } = request;
      const isExpired = !endedAt && expiresAt <= now;
      const { reminders, remindAt } = request;
      const noEmails = endedAt || isExpired ? null : noEmailsTo({ secret }, request, closed);
      const answer = answers.find(({ requestId }) => requestId === id);
      return {
        id,
        requestedName,
        supervisorEmail,
        requestedAt,
        expiresAt,
        openedAt,
        endedAt,
        isExpired,
        counts: countByState(mine),
        ends: mine.flatMap(({ cause, n }) => (cause ? [{ cause, n }] : [])),
        hundredths: mine
          .filter(({ state }) => state === "verified" || state === "waiting")
          .reduce((sum, { hundredths }) => sum + hundredths, 0),
        noEmails,
        emailWaits: !endedAt && !isExpired && request.emailWithheld === "limit",
        nextReminder:
          reminders && !noEmails && !endedAt && remindAt && remindAt > now && remindAt < expiresAt
            ? reminderSentAt(request, remindAt)
            : null,
        canRemind:
          !endedAt &&
          !isExpired &&
          !noEmails &&
          supervisorEmail !== null &&
          (nextReminder(request) <= now || failed.some((one) => one.id === id)),
        answer: answer?.at ? { at: answer.at, via: answer.via } : null,
      };
    }),
    olderHref: hasMore && last ? `/requests?${name}=${last.createdAt.getTime()}.${last.id}` : null,
  };
}

/** How many items have each state. */
export function countByState(items: readonly { state: ItemState; n: number }[]): Record<ItemState, number> {
  const counts = { waiting: 0, verified: 0, declined: 0, ended: 0 };
  for (const { state, n } of items) counts[state] += n;
  return counts;
}
