import type { AppLoadContext } from "@remix-run/cloudflare";
import { gt, type SQL, sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { addressQueries } from "#app/accounts/own-addresses.server.ts";
import { groupBy, type Rows } from "#app/db/client.server.ts";
import { commit, retryOnConflict, SUPERVISOR_ATTEMPTS } from "#app/db/commit.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { countRecords } from "#app/records/kind.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { inboxRequest } from "#app/supervisor-mail/inbox.server.ts";
import {
  accountsOf,
  type FoundLink,
  itemQueries,
  keyOf,
  type Link,
  linkFromRows,
  statedBefore,
} from "#app/verification/link.server.ts";
import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import { answeredMessage } from "#app/verification/record.ts";
import { unknownTechnicians, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { isClosed, isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import {
  type Answered,
  type Answers,
  answerStatements,
  decideAnswers,
  isToOwnMailbox,
  RecordChangedError,
} from "./answer-request.server.ts";

/*
 * The crew page: all that waits for a mailbox, from several technicians, is answered with one name and one button. Each
 * technician's records stay an answer to their own request.
 */

/** The most requests and records of one page, the oldest requests first. What has no room waits for the next page. */
const REQUESTS_MAX = 50;
const RECORDS_MAX = 100;

/** For how long the page shows what was answered from the mailbox, with the way to take it back: one hour. */
const ANSWERED_MS = 60 * 60 * 1000;

/** The open requests to a mailbox. */
export interface Crew {
  /** The open requests, with those of their waiting records that the page has room for. */
  links: FoundLink[];
  /** Requests that nobody may answer here: their technician has this mailbox, or is the viewer. */
  own: FoundLink[];
  /** Whether more waits than the page has room for. */
  hasMore: boolean;
  /** The requests that were answered lately: the technician, and the path of the link that shows the answer. */
  answered: { technician: string | null; path: string }[];
}

/** The queries of a page: for the requests that `which` selects to the mailbox of a request. `ids` restricts the records to those that a form has answered. */
function crewQueries(context: AppLoadContext, requestId: number, which: SQL, ids: number[] | null) {
  const { db, now } = context;
  const of = sql`(SELECT supervisor_email FROM ${verificationRequests} WHERE id = ${requestId})`;
  const open = sql`(SELECT id FROM ${verificationRequests} WHERE supervisor_email = ${of} AND ended_at IS NULL
    AND expires_at > ${now.getTime()} AND ${which} ORDER BY requested_at, id LIMIT ${REQUESTS_MAX})`;
  const isSent = ids === null ? sql`true` : sql`record_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const chosen = sql`SELECT item.request_id, item.record_id FROM ${verificationRequests} AS request
    CROSS JOIN ${verificationItems} AS item ON item.request_id = request.id
    WHERE request.id IN ${open} AND item.state = 'waiting' AND ${isSent}
    ORDER BY request.requested_at, request.id, item.position LIMIT ${RECORDS_MAX + 1}`;
  const owners = sql`(SELECT user_id FROM ${verificationRequests} WHERE id IN ${open})`;
  const answered = sql`(SELECT id FROM ${verificationRequests} WHERE supervisor_email = ${of}
    AND ended_at > ${now.getTime() - ANSWERED_MS} ORDER BY ended_at DESC LIMIT ${REQUESTS_MAX})`;
  return {
    of: db.select().from(verificationRequests).where(sql`id = ${requestId}`),
    requests: db
      .select()
      .from(verificationRequests)
      .where(sql`id IN ${open}`)
      .orderBy(verificationRequests.requestedAt, verificationRequests.id),
    ...itemQueries(db, {
      items: sql`(request_id, record_id) IN (${chosen})`,
      ids: sql`(SELECT record_id FROM (${chosen}))`,
      isOwner: (column) => sql`${column} IN ${owners}`,
    }),
    addresses: addressQueries(context, db, (column) => sql`${column} IN ${owners}`),
    sessions: db
      .select({ userId: sessions.userId, address: sessions.address, browser: sessions.browser })
      .from(sessions)
      .where(sql`${sessions.userId} IN ${owners} AND ${gt(sessions.expiresAt, now)} AND ${ids === null ? 0 : 1}`),
    strangers: db
      .select({ userId: unknownTechnicians.userId, mailbox: unknownTechnicians.mailbox })
      .from(unknownTechnicians)
      .where(sql`user_id IN ${owners}`),
    stated: statedBefore(db, of),
    answered: db
      .select({ request: verificationRequests, technician: users.name })
      .from(verificationRequests)
      .innerJoin(users, sql`${users.id} = ${verificationRequests.userId}`)
      .where(
        sql`${verificationRequests.id} IN ${answered} AND EXISTS (SELECT 1 FROM ${verificationItems} AS item
          WHERE item.request_id = ${verificationRequests.id} AND item.answer_id IS NOT NULL)`,
      ),
  };
}

/**
 * Reads what waits for the mailbox that an inbox's link was mailed to, in one round trip: without the requests of technicians whom
 * its owner does not know, which take another one if they are in the way of others. `ids` restricts the records.
 * @throws {AppError} 404 for an unknown or expired link
 */
export async function findCrew(context: AppLoadContext, token: string, ids: number[] | null = null): Promise<Crew> {
  const { secret } = context;
  const { id, which, check } = inboxRequest(context, token);
  const first = await queryAsViewer(context, () => crewQueries(context, id, which, ids));
  const address = check(first.of[0]);
  if (!isClosed(secret, first.strangers, address)) return crewFromRows(context, first);
  const isKnown = isKnownTechnician(secret, sql`${verificationRequests}.user_id`, address);
  return crewFromRows(
    context,
    await queryAsViewer(context, () => crewQueries(context, id, sql`${which} AND ${isKnown}`, ids)),
  );
}

type CrewRows = Rows<ReturnType<typeof crewQueries>> &
  Pick<Awaited<ReturnType<typeof queryAsViewer>>, "viewer" | "account">;

function crewFromRows(context: AppLoadContext, { viewer, account, ...rows }: CrewRows): Crew {
  const signedIn = viewer && account && { ...account, email: viewer.email };
  const shown = new Set(rows.items.map(({ recordId }) => recordId).slice(0, RECORDS_MAX));
  const itemsOf = groupBy(rows.items, ({ requestId }) => requestId);
  const isOf = (userId: number) => (row: { userId: number }) => row.userId === userId;
  const links = rows.requests.flatMap((request) => {
    const { userId } = request;
    const { addresses } = rows;
    const link: Link = linkFromRows(
      context,
      {
        ...rows,
        request: [request],
        owner: rows.owner.filter(({ id }) => id === userId),
        items: (itemsOf.get(request.id) ?? []).filter(({ recordId }) => shown.has(recordId)),
        longDays: rows.longDays.filter(isOf(userId)),
        sessions: rows.sessions.filter(isOf(userId)),
        addresses: {
          present: addresses.present.filter(({ id }) => id === userId),
          earlier: addresses.earlier.filter(isOf(userId)),
          next: addresses.next.filter(isOf(userId)),
        },
        requests: [],
      },
      signedIn,
    );
    return link.state === "open" ? [link] : [];
  });
  const isOwn = (link: FoundLink) => link.isOwn || isToOwnMailbox(context, link);
  return {
    links: links.filter((link) => !isOwn(link)),
    own: links.filter(isOwn),
    hasMore: rows.items.length > RECORDS_MAX || rows.requests.length === REQUESTS_MAX,
    answered: rows.answered.map(({ request, technician }) => ({
      technician,
      path: `/verify/${request.token}?m=${mailboxSecret(context.secret, request)}`,
    })),
  };
}

/** The id of a record in its key (`itemKey`), with or without a hash behind it. NaN for another text. */
export function idIn(key: string): number {
  return Number(key.split(":")[1]);
}

/** The outcome of a page's answers. */
export interface CrewAnswered {
  answered: Answered[];
  /** The technicians whose records are no longer what the page showed: nothing about them was stored. */
  changed: string[];
  /** How many records no longer wait: they were withdrawn, deleted, or answered elsewhere. */
  gone: number;
}

/**
 * Stores a supervisor's answers to several requests as one transaction, which all their accounts guard. Each request is decided by
 * itself: if a record of it has changed since it was shown, the request is left out and the others are stored. `first` is what
 * this HTTP request has read of it already.
 * @throws {AppError} 404 as `findCrew`
 */
export async function answerCrew(
  context: AppLoadContext,
  token: string,
  first: Crew,
  sent: Answers,
): Promise<CrewAnswered> {
  const keys = [...(sent.shown?.keys() ?? [])];
  const answerOnce = async (attempt: number): Promise<CrewAnswered> => {
    const { links } = attempt === 1 ? first : await findCrew(context, token, keys.map(idIn));
    const decided = links.map((link) => decideLink(link, sent));
    const toStore = decided.flatMap(({ outcome }) =>
      outcome && outcome.verified.length + outcome.declined.length > 0 ? [outcome] : [],
    );
    if (toStore.length > 0) {
      const accounts = toStore.flatMap(({ link }) => accountsOf(link));
      await commit(
        context.db,
        accounts,
        Object.fromEntries(
          toStore.map(({ link, ...divided }) => [
            `request${link.request.id}`,
            answerStatements(context, link, answersTo(link, sent), divided),
          ]),
        ),
      );
    }
    for (const { verified } of toStore)
      for (const { kind, record } of verified)
        securityEvent(context, "verified", { kind: kind.name, record: record.id });
    const found = new Set(links.flatMap(({ items }) => items.map(keyOf)));
    return {
      answered: decided.flatMap(({ outcome }) => outcome ?? []),
      changed: decided.flatMap(({ link, outcome }) => (outcome ? [] : [link.owner.name || "a technician"])),
      gone: keys.filter((key) => !found.has(key)).length,
    };
  };
  return retryOnConflict(context, "answer_crew", answerOnce, SUPERVISOR_ATTEMPTS);
}

/** The part of a page's answers that is about a request. */
function answersTo({ keys }: FoundLink, { declined, skipped, shown, ...answers }: Answers): Answers {
  const isOfIt = (key: string) => keys.includes(key);
  const partOf = (map?: Map<string, string>) => new Map([...(map ?? [])].filter(([key]) => isOfIt(key)));
  return {
    ...answers,
    declined: partOf(declined),
    skipped: new Set([...(skipped ?? [])].filter(isOfIt)),
    shown: partOf(shown),
  };
}

/** Decides the answers about a request; null if one of its records has changed since it was shown. */
function decideLink(link: FoundLink, sent: Answers): { link: FoundLink; outcome: Answered | null } {
  try {
    return { link, outcome: { link, ...decideAnswers(link, answersTo(link, sent)) } };
  } catch (error) {
    if (error instanceof RecordChangedError) return { link, outcome: null };
    const waiting = link.items.filter(({ hasBegun }) => !hasBegun);
    if (error instanceof AppError && error.code === "not_begun")
      return { link, outcome: { link, verified: [], declined: [], skipped: link.items, early: waiting } };
    throw error;
  }
}

/** The message after the answers of a page, each fact in a sentence. */
export function crewMessage({ answered, changed, gone }: CrewAnswered): string {
  const sum = (of: "verified" | "declined" | "early") => answered.reduce((all, one) => all + one[of].length, 0);
  const counts = { verified: sum("verified"), declined: sum("declined"), early: sum("early") };
  const isNothing = counts.verified + counts.declined === 0 && changed.length + gone > 0;
  return [
    isNothing ? "Nothing was saved." : answeredMessage(counts),
    changed.length > 0 &&
      `Records of ${changed.join(", ")} were changed since you opened the page. Look at them again, and confirm them if they are right.`,
    gone > 0 &&
      `${countRecords(gone)} no longer ${gone === 1 ? "waits" : "wait"}: withdrawn, edited, or answered elsewhere.`,
  ]
    .filter(Boolean)
    .join(" ");
}
