import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { lastCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { batch } from "#app/db/client.server.ts";
import type { MessageRow } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { ComposeContext, Composed } from "#app/mail/deliver.server.ts";
import { formatGreeting } from "#app/mail/email.ts";
import { counting, isTooLate, queueMessage } from "#app/mail/outbox.server.ts";
import { isNotSuppressed, STOPPED_GETS_NONE, unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { normalizeMailbox } from "#app/plain-text.ts";
import {
  countAttempt,
  inboxLimit,
  inboxLinkLimit,
  isBelowLimits,
  recipientLimit,
  requireBelowLimit,
} from "#app/server/attempt-limits.server.ts";
import { hmac, isSameSecret } from "#app/server/secrets.server.ts";
import { type RequestRow, verificationRequests } from "#app/verification/requests.table.ts";
import { isClosed, isKnownTechnician } from "#app/verification/unknown-technicians.server.ts";
import { type WaitingRequest, waitingFromRows, waitingQueries } from "#app/verification/waiting.server.ts";
import type { SupervisorEmail } from "./facts.ts";

/*
 * The inbox: the owner of an address asks for a link to all that waits for it, and this email has the link. It is sent only if
 * something waits, and the page that asks for it answers the same for every address.
 */

export const email: SupervisorEmail = { kind: "supervisor_inbox", compose };

/** How long the link of an inbox works: one hour. */
const INBOX_MS = 60 * 60 * 1000;

/** The answer for every address, whether something waits for it or not. */
export const INBOX_ASKED = `If records wait for this address, an email with a link to them is on its way. ${STOPPED_GETS_NONE}`;

const INBOX_UNKNOWN = "This link is not valid, or it has expired: it works for one hour. Ask for a new one.";

/**
 * Queues an email with a link to all that waits for an address, if anything does. The answer and the work are the same for
 * every address. A question that is refused counts for no address.
 * @throws {AppError} 429 after too many questions from one network
 */
export async function askForInbox(context: AppLoadContext, address: string): Promise<void> {
  const { db, secret, now } = context;
  const network = inboxLimit(context);
  const own = normalizeMailbox(address);
  const open = sql`supervisor_email = ${address} AND ended_at IS NULL AND expires_at > ${now.getTime()}`;
  // An unconfirmed technician causes no email here either: anyone can ask for an address.
  const mailed = sql`${open} AND email_withheld IS NOT 'unconfirmed' AND ${isNotSuppressed(secret, address)}
    AND ${isKnownTechnician(secret, sql`${verificationRequests}.user_id`, address)}`;
  const newest = sql`SELECT max(id) FROM ${verificationRequests} WHERE ${mailed}`;
  const { asked, counted } = await batch(db, {
    // Before `asked`, which reaches the network's limit with the last question that is allowed.
    counted: countAttempt(
      context,
      [inboxLinkLimit(context, own), recipientLimit(context, own)],
      sql`${isBelowLimits(context, [network])} AND EXISTS (SELECT 1 FROM ${verificationRequests} WHERE ${mailed})`,
    ),
    asked: countAttempt(context, network),
  });
  requireBelowLimit(context, network, asked.full, "Too many questions came from your network.");
  await batch(db, {
    queued: queueMessage(context, {
      kind: "supervisor_inbox",
      userId: sql`user_id`,
      requestId: sql`id`,
      from: sql`FROM ${verificationRequests} WHERE id = (${newest}) AND ${counted.counted.length > 0 ? 1 : 0}`,
    }),
  });
}

/** A stem with its signature for an address, which the token does not contain. */
function signed(secret: string, stem: string, address: string | null): string {
  return `${stem}.${hmac(secret, JSON.stringify(["inbox", stem, address ?? ""]))}`;
}

/** The token of the inbox of a request's address, from `now` on: `{id}.{end}.{HMAC}`. It is stored nowhere. */
export function inboxToken(
  secret: string,
  { id, supervisorEmail }: Pick<RequestRow, "id" | "supervisorEmail">,
  now: Date,
): string {
  const end = now.getTime() + INBOX_MS;
  return signed(secret, `${id.toString(36)}.${end.toString(36)}`, supervisorEmail);
}

/** The query for the ids of the open requests that the email of a request asks for: its own and those that joined it. */
export function askedWith(id: number | null): SQL {
  return sql`SELECT ${id} UNION ALL SELECT id FROM ${verificationRequests} WHERE mailed_with = ${id} AND ended_at IS NULL`;
}

/**
 * The token of the page for the requests that one email asks for (request.server.ts): it ends with the first of them, and shows no
 * later request, because such emails are kept for long and forwarded. `{id}.{end}.j.{HMAC}`.
 */
export function jointToken(
  secret: string,
  { id, supervisorEmail, expiresAt }: Pick<RequestRow, "id" | "supervisorEmail" | "expiresAt">,
): string {
  return signed(secret, `${id.toString(36)}.${expiresAt.getTime().toString(36)}.j`, supervisorEmail);
}

/**
 * Reads the parts of a token; null if it has another form. Whether this installation made it is checked with its
 * request's address.
 */
function parseToken(token: string): { stem: string; id: number; end: Date; isJoint: boolean } | null {
  const [, stem, id, end, joint] = token.match(/^(([0-9a-z]{1,10})\.([0-9a-z]{1,10})(\.j)?)\.[\w-]{43}$/) ?? [];
  if (!stem || !id || !end) return null;
  return { stem, id: Number.parseInt(id, 36), end: new Date(Number.parseInt(end, 36)), isJoint: joint !== undefined };
}

/**
 * A request, and what waits for its address, or what `which` selects of it, without the requests of technicians whom its
 * supervisor does not know. It takes one round trip, and another one if such requests were in the way of others.
 */
async function findWaiting(
  { db, secret, now }: Pick<AppLoadContext, "db" | "secret" | "now">,
  requestId: number | null,
  which: SQL = sql`true`,
): Promise<{ request: RequestRow | undefined; waiting: WaitingRequest[] }> {
  const address = sql`(SELECT supervisor_email FROM ${verificationRequests} WHERE id = ${requestId})`;
  const { of, ...first } = await batch(db, {
    of: db.select().from(verificationRequests).where(sql`id = ${requestId}`),
    ...waitingQueries(db, address, now, which),
  });
  const [request] = of;
  const email = request?.supervisorEmail;
  if (!email) return { request, waiting: [] };
  if (!isClosed(secret, first.strangers, email)) {
    return { request, waiting: waitingFromRows(secret, first) };
  }
  const isKnown = isKnownTechnician(secret, sql`${verificationRequests}.user_id`, email);
  const rows = await batch(db, waitingQueries(db, email, now, sql`${which} AND ${isKnown}`));
  return { request, waiting: waitingFromRows(secret, rows) };
}

/**
 * Reads the token of an inbox: the id of the request whose address it was mailed to, which requests to that address it shows, and
 * whether that request, once it is read, has this address still.
 * @throws {AppError} 404 for an unknown or expired link; `check` throws it too
 */
export function inboxRequest({ secret, now }: Pick<AppLoadContext, "secret" | "now">, token: string) {
  const parsed = parseToken(token);
  const unknown = () => new AppError("not_found", INBOX_UNKNOWN);
  if (!parsed || parsed.end <= now) throw unknown();
  const { id, stem } = parsed;
  const which = parsed.isJoint ? sql`id IN (${askedWith(id)})` : sql`true`;
  const check = (request: Pick<RequestRow, "supervisorEmail"> | undefined): string => {
    const address = request?.supervisorEmail;
    if (!address || !isSameSecret(token, signed(secret, stem, address))) throw unknown();
    return address;
  };
  return { id, which, check };
}

/** The supervisor of an email, as the technician named them. */
interface Recipient {
  name: string | null;
  email: string;
}

/**
 * The recipient of a message, all that waits for their address, or what `which` selects of it, and the last checkpoint. Null if
 * nothing waits, or if the address is erased or wants no emails.
 */
export async function recipientAndWaiting(context: ComposeContext, { requestId }: MessageRow, which?: SQL) {
  const { db, secret, now } = context;
  const [checkpoint] = await lastCheckpoint(db, now.getTime());
  const { request, waiting } = await findWaiting(context, requestId, which);
  const { requestedName: name = null, supervisorEmail: email = null } = request ?? {};
  if (!request || email === null) return null;
  const [free] = await db.select({ yes: sql<number>`1` }).from(sql`(SELECT 1)`).where(isNotSuppressed(secret, email));
  const supervisor: Recipient = { name, email };
  return free && waiting.length > 0 ? { request, supervisor, waiting, checkpoint } : null;
}

/** Returns null if nothing waits. */
async function compose(context: ComposeContext, message: MessageRow): Promise<Composed> {
  const { secret, origin, now } = context;
  const found = await recipientAndWaiting(context, message);
  if (!found) return null;
  const { request, supervisor, checkpoint } = found;
  const counts = counting(context, message, supervisor.email);
  if (isTooLate(context, message)) return { late: true, onFailed: counts.onFailed };
  return {
    to: supervisor,
    subject: "The records that wait for your answer",
    greeting: formatGreeting(supervisor),
    lead: "Someone asked on Hours Tracker for the records that wait for this address. The link works for one hour.",
    facts: [],
    button: { label: "Open what waits for you", url: `${origin}/inbox/${inboxToken(secret, request, now)}` },
    notes: ["If it was not you, do nothing: the link was sent to this address only."],
    unsubscribeUrl: unsubscribeUrl(context, supervisor.email),
    checkpoint,
    ...counts,
  };
}
