import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { queryAsViewer } from "#app/accounts/access.server.ts";
import { ownMailboxReason } from "#app/accounts/own-addresses.server.ts";
import { appendEvents, type NewEvent, timeAfter } from "#app/audit-log/log.server.ts";
import { commit, retryOnConflict, SUPERVISOR_ATTEMPTS } from "#app/db/commit.server.ts";
import type { Via } from "#app/db/enumerations.ts";
import { rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import { AppError } from "#app/errors.ts";
import { mayGetNotice } from "#app/mail/suppression.server.ts";
import { searchText } from "#app/plain-text.ts";
import { revocationOf } from "#app/records/certificates/certificate.kind.ts";
import { isSameName, type Stated, type Statements } from "#app/records/evidence.ts";
import { isExperience } from "#app/records/kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { countAttempt, requireBelowLimit, TOO_MANY_TOKENS, tokenLimit } from "#app/server/attempt-limits.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import { perRequest } from "#app/server/per-request.server.ts";
import { queueDigest } from "#app/supervisor-mail/digest.server.ts";
import {
  accountsOf,
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
import { verificationAnswers, verificationItems } from "#app/verification/requests.table.ts";

/** A supervisor's answers: every waiting record that is neither declined nor skipped is verified. */
export interface Answers {
  supervisorName: string;
  via: Via;
  certification?: Stated;
  /** Those that were made. */
  statements?: Statements;
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
  { supervisorName, via, certification, statements, declined }: Answers,
  item: LinkItem,
  at: Date,
): NewEvent {
  const reason = declined?.get(keyOf(item));
  const { requestedName: asked } = request;
  const revocation = revocationOf(item.record);
  return {
    ...(reason === undefined
      ? {
          event: "verified",
          technician: technicianOf(owner),
          ...(revocation && { revocation }),
          ...(certification && { certification }),
          ...(isExperience(item.kind) && statements),
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

/** The statements that store a supervisor's answers to a request, for `commit`. */
export function answerStatements(
  context: AppLoadContext,
  link: FoundLink,
  answers: Answers,
  { verified, declined }: Divided,
) {
  const { db, secret } = context;
  const { request, owner } = link;
  const { supervisorName, via } = answers;
  const { supervisorEmail } = request;
  const decided = [...verified, ...declined];
  const at = timeAfter(
    context.now,
    decided.map(({ last }) => last),
  );
  const answerId = sql<number>`(SELECT max(id) FROM ${verificationAnswers} WHERE request_id = ${request.id})`;
  const answer = db.insert(verificationAnswers).values({
    requestId: request.id,
    name: supervisorName,
    via,
    at,
    suppressed: supervisorEmail === null ? false : sql<boolean>`NOT ${mayGetNotice(secret, supervisorEmail)}`,
  });
  storing(answer, owner.id, rowBytes(supervisorName, ...(answers.declined?.values() ?? [])));
  storing(answer, owner.id, verified.length * Buffer.byteLength(`${supervisorName}\n${searchText(supervisorName)}`));
  return {
    answer,
    log: appendEvents(
      db,
      decided.map((item) => ({
        position: { id: item.record.id, userId: owner.id, last: item.last },
        event: decisionEvent(context.client, link, answers, item, at),
      })),
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
      .where(sql`id IN ${idsOf(verified)}`),
    verifiedItems: db
      .update(verificationItems)
      .set({ state: "verified", decidedAt: at, answerId })
      .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(verified)}`),
    declinedItems: db
      .update(verificationItems)
      .set({ state: "declined", decidedAt: at, answerId, reason: reasonSql(declined, answers) })
      .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(declined)}`),
    // The first decision counts: the records wait in no other request.
    otherItems: db
      .update(verificationItems)
      .set({ state: "ended", cause: "elsewhere", decidedAt: at })
      .where(sql`state = 'waiting' AND record_id IN ${idsOf(decided)}`),
    mail: queueDigest(context, { userId: owner.id, requestId: request.id, events: decided.length }),
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

/**
 * Finds the link with this token and its viewer, in one round trip, once per request.
 * @throws {AppError} 429 for an unknown token, after too many unknown tokens from one network
 */
export const findVerifyLink = perRequest(async (context: AppLoadContext, token: string): Promise<Link> => {
  if (token === "") return NO_LINK;
  const limit = tokenLimit(context);
  const { full, counted, viewer, account, ...rows } = await queryAsViewer(context, () => ({
    ...countAttempt(context, limit, isUnknown(token)),
    ...linkQueries(context, token),
  }));
  const link = linkFromRows(context, rows, viewer && account && { ...account, email: viewer.email });
  // Only unknown tokens are refused: a supervisor in the same network can still open a valid link.
  if (rows.request.length === 0) requireBelowLimit(context, limit, full, TOO_MANY_TOKENS);
  return link;
});

/** Thrown if records differ from those that the supervisor was shown. Nothing was saved. */
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

/** The outcome of a supervisor's answers. */
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
 * Stores a supervisor's answers to a request, all or none, with an event in the log of each record. Only one of several
 * concurrent answers is stored (`commit`); the others are decided again with what is left. Records that were decided
 * elsewhere meanwhile are left out, and so are those to verify whose last day has not begun: they wait.
 * @throws {AppError} 403 for the technician, and as `endOwnRequest`; 404 for an unknown link; 400 for an answer about a
 *   record that is not in the request, and if only records are left whose last day has not begun; 409 if nothing is
 *   left to answer, or (`RecordChangedError`) if a record has changed since it was shown
 */
export async function answerRequest(context: AppLoadContext, token: string, sent: Answers): Promise<Answered> {
  const first = await findVerifyLink(context, token);
  const requestedAt = addressOf(first);
  const answerOnce = async (attempt: number): Promise<Answered> => {
    const link = attempt === 1 ? first : await readLink(context, token);
    findVerifyLink.replace(link, context, token);
    if (link.state === "unknown") throw new AppError("not_found", linkFailureMessage(link));
    refuseOwnLink(link);
    // The secret of a mailed link is void once the request has gone to another address.
    const answers: Answers = addressOf(link) === requestedAt ? sent : { ...sent, via: "link" };
    await endOwnRequest(context, link);
    const { verified, declined, skipped, early } = decideAnswers(link, answers);
    if (verified.length + declined.length === 0) return { link, verified, declined, skipped, early };
    const { stored } = await commit(context.db, accountsOf(link), {
      statements: answerStatements(context, link, answers, { verified, declined }),
      stored: linkQueries(context, token),
    });
    const current = linkFromRows(context, stored, link.viewer) as FoundLink; // it was just answered
    findVerifyLink.replace(current, context, token);
    for (const { kind, record } of verified) securityEvent(context, "verified", { kind: kind.name, record: record.id });
    const now = (items: LinkItem[]) =>
      items.flatMap((item) => current.items.filter((one) => keyOf(one) === keyOf(item)));
    return { link: current, verified: now(verified), declined: now(declined), skipped, early };
  };
  return retryOnConflict(context, "answer", answerOnce, SUPERVISOR_ATTEMPTS);
}

const OWN_LINK = "You can't verify your own hours. Send the link to your supervisor.";

/** @throws {AppError} 403 for the technician who asks */
export function refuseOwnLink({ isOwn }: Link): void {
  if (isOwn) throw new AppError("own_hours", OWN_LINK);
}

const OWN_MAILBOX =
  "This request was sent to a mailbox of the technician, who cannot verify their own hours. It has ended. Ask another supervisor.";

/** Whether a request asks a mailbox of its own technician. It was refused when it was made, unless their address has changed since. */
export function isToOwnMailbox(
  context: Pick<AppLoadContext, "secret">,
  { request: { supervisorEmail: address }, addresses }: FoundLink,
): boolean {
  return addresses !== null && address !== null && ownMailboxReason(context, addresses, address) !== null;
}

/**
 * Refuses answers to an open request whose address reaches a mailbox of its technician, and ends it: what waits in it ends,
 * with an event in the log of each record. If it goes to another address meanwhile, it stays.
 * @throws {AppError} 403
 */
export async function endOwnRequest(context: AppLoadContext, link: FoundLink): Promise<void> {
  const { db } = context;
  const { request } = link;
  if (link.state !== "open" || !isToOwnMailbox(context, link)) return;
  const endOnce = async (attempt: number) => {
    const current = attempt === 1 ? link : await readLink(context, request.token);
    if (current.state !== "open") return true;
    if (!isToOwnMailbox(context, current)) return false;
    const waiting = current.items.filter(({ state }) => state === "waiting");
    await commit(db, accountsOf(current), endWaiting(context, { requestId: request.id }, waiting, "own_mailbox"));
    return true;
  };
  const isEnded = await retryOnConflict(context, "end_own_request", endOnce, SUPERVISOR_ATTEMPTS);
  await findVerifyLink.refresh(context, request.token); // it has ended, or goes to another address
  if (!isEnded) return;
  securityEvent(context, "own_mailbox_refused", { request: request.id });
  throw new AppError("own_hours", OWN_MAILBOX);
}

function addressOf(link: Link): string | null {
  return link.state === "unknown" ? null : link.request.supervisorEmail;
}

/**
 * Decides which of the open records of a request are verified, declined and left for later. Records to verify whose
 * last day has not begun are left for later too (`early`).
 * @throws {AppError} 400 for an answer about a record that is not in the request, and if only records are left whose
 *   last day has not begun; 409 if nothing is left to answer, or (`RecordChangedError`) if a record has changed since
 *   it was shown
 */
export function decideAnswers(
  { state, keys, items }: Pick<FoundLink, "state" | "keys" | "items">,
  { declined, skipped, shown }: Pick<Answers, "declined" | "skipped" | "shown">,
): Omit<Answered, "link"> {
  for (const key of [...(declined?.keys() ?? []), ...(skipped ?? [])]) {
    if (!keys.includes(key)) throw new AppError("invalid", "An answer is about a record that is not in this request");
    if (declined?.has(key) && skipped?.has(key)) {
      throw new AppError("invalid", "A record cannot be declined and left for later at once");
    }
  }
  if (state === "decided") throw new AppError("already_answered", LINK_FAILURE);
  const waiting = items.filter((item) => item.state === "waiting");
  const answered = waiting.filter((item) => !skipped?.has(keyOf(item)));
  const changed = answered.filter((item) => shown && shown.get(keyOf(item)) !== item.shown);
  if (changed.length > 0) throw new RecordChangedError(changed.map(keyOf));
  const toVerify = answered.filter((item) => !declined?.has(keyOf(item)));
  const early = toVerify.filter(({ hasBegun }) => !hasBegun);
  const decided = {
    verified: toVerify.filter(({ hasBegun }) => hasBegun),
    declined: answered.filter((item) => declined?.has(keyOf(item))),
  };
  const isNothingDecided = decided.verified.length + decided.declined.length === 0;
  if (isNothingDecided && early.length > 0) throw new AppError("not_begun", notBegunMessage(early.length));
  const left = waiting.filter((item) => skipped?.has(keyOf(item)) || early.includes(item));
  return { ...decided, skipped: left, early };
}
