import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { areAddressesUnchanged, ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import { appendEvents, type NewEvent, retryOnConflict, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, insertSelect } from "#app/db/client.server.ts";
import type { Via } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { searchText } from "#app/plain-text.ts";
import { areUnchanged } from "#app/records/content.server.ts";
import { isSameName } from "#app/records/evidence.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { queueDigest } from "#app/verification/digest.server.ts";
import {
  type FoundLink,
  isUnknown,
  keyOf,
  type Link,
  type LinkItem,
  linkFromRows,
  linkQueries,
  NO_LINK,
  readLink,
  type SessionClient,
} from "#app/verification/link.server.ts";
import { LINK_FAILURE, linkFailureMessage } from "#app/verification/link-ends.ts";
import { notBegunMessage } from "#app/verification/record.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { isNotSuppressed } from "#app/verification/suppression.server.ts";
import type { Certification } from "#app/verification/verification.schema.ts";

/** A supervisor's answers: every waiting record that is neither declined nor skipped is verified. */
export interface Answers {
  supervisorName: string;
  via: Via;
  certification?: Certification;
  /** The reason for each declined record, by `itemKey`. */
  declined?: Map<string, string>;
  /** The records that are left for later. */
  skipped?: Set<string>;
  /** The hash of each record that the supervisor was shown; without it the current record is answered. */
  shown?: Map<string, string>;
}

/** The event of a supervisor's decision about one record, for its audit log. */
export function decisionEvent(
  client: Client,
  { request, owner, sessions, viewer }: Pick<FoundLink, "request" | "owner" | "sessions" | "viewer">,
  { supervisorName, via, certification, declined }: Answers,
  item: LinkItem,
  at: Date,
): NewEvent {
  const reason = declined?.get(keyOf(item));
  const { supervisorName: asked } = request;
  return {
    ...(reason === undefined
      ? {
          event: "verified",
          technician: technicianOf(owner),
          ...(certification && { certification }),
          ...(asked && !isSameName(asked, supervisorName) && { asked, otherAsked: true }),
        }
      : { event: "declined", reason }),
    via,
    at,
    client,
    ...sharedWith(client, sessions),
    name: supervisorName,
    ...(via === "mailbox" && { mailbox: request.supervisorEmail }),
    accountId: viewer?.id ?? null,
    recordHash: recordHash(item.kind, item.record),
  };
}

function technicianOf({ id, name, employeeNumber }: FoundLink["owner"]) {
  return { id, name, employeeNumber };
}

/**
 * Whether the supervisor's network or browser is also that of one of the technician's sessions. It is noted as a fact and
 * proves nothing: a rig shares one line, and many people have the same browser.
 */
export function sharedWith(client: Client, sessions: SessionClient[]): Pick<NewEvent, "sameNetwork" | "sameBrowser"> {
  const network = networkFromAddress(client.address);
  const isSameNetwork = network !== "" && sessions.some(({ address }) => networkFromAddress(address) === network);
  const isSameBrowser = client.browser !== null && sessions.some(({ browser }) => browser === client.browser);
  return { ...(isSameNetwork && { sameNetwork: true }), ...(isSameBrowser && { sameBrowser: true }) };
}

interface Divided {
  verified: LinkItem[];
  declined: LinkItem[];
}

/**
 * The statements that store a supervisor's answers, all or none: `answered` stores them only if every record that they
 * decide still waits and is as it was read, and the others depend on it. Any other change of such a record appends to its
 * log, so the events are refused as well if it comes between reading and writing (`retryOnConflict`).
 */
function answerStatements(context: AppLoadContext, link: FoundLink, answers: Answers, { verified, declined }: Divided) {
  const { db, now } = context;
  const { request, owner, addresses } = link;
  const { supervisorName, via } = answers;
  const key = crypto.randomUUID();
  const isAnswered = sql`EXISTS (SELECT 1 FROM ${verificationAnswers} WHERE key = ${key})`;
  const decided = [...verified, ...declined];
  const at = timeAfter(
    now,
    decided.map(({ last }) => last),
  );
  const guard = sql.join(
    [
      isWaiting(request, decided, now),
      isOwnerUnchanged(owner),
      areUnchanged(decided),
      ...(addresses ? [areAddressesUnchanged(context, addresses)] : []),
    ],
    sql` AND `,
  );
  const { supervisorEmail } = request;
  const suppressed = supervisorEmail === null ? sql`0` : sql`NOT ${isNotSuppressed(context.secret, supervisorEmail)}`;
  const answerId = sql`(SELECT id FROM ${verificationAnswers} WHERE key = ${key})`;
  return {
    answered: insertSelect(
      db,
      verificationAnswers,
      { requestId: request.id, key, name: supervisorName, via, at, suppressed },
      sql`WHERE ${guard}`,
    ).returning({ id: verificationAnswers.id }),
    rest: {
      log: appendEvents(
        db,
        decided.map((item) => ({
          position: { id: item.record.id, userId: owner.id, last: item.last },
          event: decisionEvent(context.client, link, answers, item, at),
        })),
        sql`WHERE ${isAnswered}`,
      ),
      records: db
        .update(records)
        .set({
          verified: true,
          verifiedBy: supervisorName,
          verifiedAt: at,
          verifiedVia: via,
          requestedAt: null,
          declinedAt: null,
          search: sql`search || char(10) || ${searchText(supervisorName)}`,
        })
        .where(sql`id IN ${idsOf(verified)} AND ${isAnswered}`),
      verifiedItems: db
        .update(verificationItems)
        .set({ state: "verified", decidedAt: at, answerId })
        .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(verified)} AND ${isAnswered}`),
      declinedItems: db
        .update(verificationItems)
        .set({ state: "declined", decidedAt: at, answerId, reason: reasonSql(declined, answers) })
        .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(declined)} AND ${isAnswered}`),
      // The first decision counts: the records wait in no other request.
      otherItems: db
        .update(verificationItems)
        .set({ state: "ended", cause: "elsewhere", decidedAt: at })
        .where(sql`state = 'waiting' AND record_id IN ${idsOf(decided)} AND ${isAnswered}`),
      mail: queueDigest(context, {
        userId: owner.id,
        requestId: request.id,
        events: decided.length,
        onlyIf: isAnswered,
      }),
    },
  };
}

function idsOf(items: LinkItem[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(items.map(({ record }) => record.id))}))`;
}

/** The reason of a declined item. */
function reasonSql(items: LinkItem[], { declined }: Answers): SQL<string> {
  const reasons = items.map((item) => ({ id: item.record.id, reason: declined?.get(keyOf(item)) }));
  return sql`(SELECT value ->> 'reason' FROM json_each(${JSON.stringify(reasons)})
    WHERE value ->> 'id' = record_id)`;
}

/** The request also still has the address that the event names. */
function isWaiting({ id, supervisorEmail }: FoundLink["request"], items: LinkItem[], now: Date): SQL {
  return sql`EXISTS (SELECT 1 FROM ${verificationRequests}
      WHERE id = ${id} AND expires_at > ${now.getTime()} AND supervisor_email IS ${supervisorEmail})
    AND ${items.length} = (SELECT count(*) FROM ${verificationItems}
      WHERE request_id = ${id} AND state = 'waiting' AND record_id IN ${idsOf(items)})`;
}

/** The supervisor was also shown the technician's name and number. */
function isOwnerUnchanged({ id, name, employeeNumber }: FoundLink["owner"]): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users}
    WHERE id = ${id} AND name IS ${name} AND employee_number IS ${employeeNumber})`;
}

/**
 * Finds the link with this token and its viewer, in one round trip, once per request.
 * @throws {AppError} 429 for an unknown token, after too many unknown tokens from one network
 */
export const findLink = perRequest(async (context: AppLoadContext, token: string): Promise<Link> => {
  if (token === "") return NO_LINK;
  const limit = tokenLimit(context);
  const { viewer, full, counted, ...rows } = await queryAsViewer(context, () => ({
    ...countAttempt(context, limit, isUnknown(token)),
    ...linkQueries(context, token),
  }));
  const link = linkFromRows(context, rows, viewer);
  // Only unknown tokens are refused: a supervisor in the same network can still open a valid link.
  if (rows.request.length === 0) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return link;
});

/** Thrown if records are not what the supervisor was shown any more. Nothing was saved. */
export class RecordChangedError extends AppError {
  /** The keys (`itemKey`) of these records. */
  readonly changed: string[];

  constructor(changed: string[]) {
    super(
      "record_changed",
      changed.length === 1
        ? "This record was changed since you opened it. Look at it again, and confirm it if it is right."
        : `${changed.length} records were changed since you opened them. Look at them again, and confirm them if they are right.`,
    );
    this.changed = changed;
  }
}

/** What became of a supervisor's answers. */
export interface Answered {
  link: FoundLink;
  /** The records as they are now. */
  verified: LinkItem[];
  declined: LinkItem[];
  /** Those that were left for later. */
  skipped: LinkItem[];
  /** Those that are left for later because their last day has not begun. They are among the skipped ones too. */
  early: LinkItem[];
}

/**
 * Stores a supervisor's answers to a request, all or none, with an event in the log of each record. One statement decides:
 * of any number of concurrent answers only one finds the records undecided and unchanged; the others are tried again with
 * what is left. Records that were decided elsewhere meanwhile are left out, and so are those to verify whose last day has not
 * begun: they wait.
 * @throws {AppError} 403 as `endOwnRequest`; 404 for an unknown link; 400 for an answer about a record that is not in the
 *   request, and if only records are left whose last day has not begun; 409 if nothing waits any more, or
 *   (`RecordChangedError`) if a record has changed since it was shown
 */
export async function answerRequest(context: AppLoadContext, token: string, sent: Answers): Promise<Answered> {
  let known: Link | null = await findLink(context, token);
  const requestedAt = addressOf(known);
  const { viewer } = known;
  return retryOnConflict(async () => {
    const link: Link = known ?? (await readLink(context, token, viewer));
    known = null;
    findLink.replace(link, context, token);
    if (link.state === "unknown") throw new AppError("not_found", linkFailureMessage(link));
    // The secret of a mailed link is void once the request has gone to another address.
    const answers: Answers = addressOf(link) === requestedAt ? sent : { ...sent, via: "link" };
    await endOwnRequest(context, link);
    requireKnownItems(link, answers);
    if (link.state === "decided") throw new AppError("already_answered", LINK_FAILURE);
    const { verified, declined, skipped, early } = divide(link, answers);
    if (verified.length + declined.length === 0) {
      if (early.length > 0) throw new AppError("not_begun", notBegunMessage(early.length));
      return { link, verified, declined, skipped, early };
    }
    const {
      answered,
      rest: _,
      ...rows
    } = await batch(context.db, {
      ...answerStatements(context, link, answers, { verified, declined }),
      ...linkQueries(context, token),
    });
    const current = linkFromRows(context, rows, viewer);
    findLink.replace(current, context, token);
    if (answered.length > 0 && current.state !== "unknown") {
      for (const { kind, record } of verified)
        securityEvent(context, "verified", { kind: kind.name, record: record.id });
      const now = (items: LinkItem[]) =>
        items.flatMap((item) => current.items.filter((one) => keyOf(one) === keyOf(item)));
      return { link: current, verified: now(verified), declined: now(declined), skipped, early };
    }
    known = current; // another request changed the records first
    return null;
  });
}

const OWN_MAILBOX =
  "This request was sent to a mailbox of the technician, and nobody can verify their own hours. It has ended. Ask another supervisor.";

/**
 * Refuses answers to an open request whose address reaches a mailbox of its technician, and ends it: what waits in it ends,
 * with an event in the log of each record. It was refused when the request was made, unless the account's address has
 * changed since.
 * @throws {AppError} 403
 */
export async function endOwnRequest(context: AppLoadContext, link: FoundLink): Promise<void> {
  const { db } = context;
  const { request, addresses, viewer } = link;
  const address = request.supervisorEmail;
  if (link.state !== "open" || !addresses || address === null || !ownMailboxReason(context, addresses, address)) return;
  await retryOnConflict(async (attempt) => {
    const current: Link = attempt === 1 ? link : await readLink(context, request.token, viewer);
    if (current.state !== "open") return true;
    const waiting = current.items.filter(({ state }) => state === "waiting");
    const { ended } = await batch(db, endWaiting(context, { requestId: request.id }, waiting, "own_mailbox"));
    return ended.length > 0 || null;
  });
  await findLink.refresh(context, request.token); // it has ended
  securityEvent(context, "own_mailbox_refused", { request: request.id });
  throw new AppError("own_hours", OWN_MAILBOX);
}

function addressOf(link: Link): string | null {
  return link.state === "unknown" ? null : link.request.supervisorEmail;
}

function requireKnownItems(link: FoundLink, { declined, skipped }: Answers): void {
  const keys = new Set(link.keys);
  for (const key of [...(declined?.keys() ?? []), ...(skipped ?? [])]) {
    if (!keys.has(key)) throw new AppError("invalid", "An answer is about a record that is not in this request");
    if (declined?.has(key) && skipped?.has(key)) {
      throw new AppError("invalid", "A record cannot be declined and left for later at once");
    }
  }
}

/** The waiting items by their answer. */
function divide({ items }: FoundLink, { declined, skipped, shown }: Answers) {
  const waiting = items.filter(({ state }) => state === "waiting");
  const answered = waiting.filter((item) => !skipped?.has(keyOf(item)));
  const changed = answered.filter((item) => shown && shown.get(keyOf(item)) !== item.shown);
  if (changed.length > 0) throw new RecordChangedError(changed.map(keyOf));
  const toVerify = answered.filter((item) => !declined?.has(keyOf(item)));
  const early = toVerify.filter(({ hasBegun }) => !hasBegun);
  return {
    verified: toVerify.filter(({ hasBegun }) => hasBegun),
    declined: answered.filter((item) => declined?.has(keyOf(item))),
    skipped: waiting.filter((item) => skipped?.has(keyOf(item)) || early.includes(item)),
    early,
  };
}
