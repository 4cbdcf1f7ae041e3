import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { batch } from "#app/db/client.server.ts";
import { commit, retryOnConflict, SUPERVISOR_ATTEMPTS } from "#app/db/commit.server.ts";
import type { Via } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { isBlank } from "#app/plain-text.ts";
import { madeStatements } from "#app/records/evidence.ts";
import type { Toast } from "#app/server/flash.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { queueDigest } from "#app/supervisor-mail/digest.server.ts";
import {
  accountsOf,
  type FoundLink,
  keyOf,
  type Link,
  type LinkItem,
  readLink,
} from "#app/verification/link.server.ts";
import { LINK_FAILURE, linkFailureMessage } from "#app/verification/link-ends.ts";
import { viaOf } from "#app/verification/link-secrets.server.ts";
import { formHash, itemRecord, mailedRequest } from "#app/verification/link-view.server.ts";
import {
  answeredMessage,
  itemKey,
  recordJson,
  thanksMessage,
  type VerifiableRecord,
} from "#app/verification/record.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";
import { unknownTechnicians } from "#app/verification/requests.table.ts";
import { unknownMailbox } from "#app/verification/unknown-technicians.server.ts";
import {
  type AnswersBody,
  certificationFields,
  certificationOf,
  ITEMS_MAX,
  reason,
  statementFields,
  supervisorName,
  typedCertification,
} from "#app/verification/verification.schema.ts";
import {
  type Answered,
  type Answers,
  answerRequest,
  endOwnRequest,
  findVerifyLink,
  refuseOwnLink,
} from "./answer-request.server.ts";

const SHOWN_LIST = "shown must be a list of objects with type, id and hash: this link asks for several records";

/**
 * A supervisor's answers as they were sent to a link, for `answerRequest`.
 * @throws {AppError} 400 for one hash if the link asks for several records
 */
export function readAnswers({ secret, url }: AppLoadContext, link: Link, body: AnswersBody): Answers {
  const { supervisorName, certification, declined = [], skipped = [], shown } = body;
  const keyOfSent = ({ type, id }: { type: string; id: number }) => itemKey(type, id);
  const [only, ...more] = link.items;
  if (typeof shown === "string" && more.length > 0) {
    throw new AppError("invalid", SHOWN_LIST, [{ path: "shown", message: SHOWN_LIST }]);
  }
  const stated = certificationOf(certification);
  const shownHashes =
    typeof shown === "string"
      ? new Map(only ? [[keyOf(only), shown] as const] : [])
      : shown && new Map(shown.map((item) => [keyOfSent(item), item.hash]));
  return {
    supervisorName,
    via: link.state === "unknown" ? "link" : viaOf(secret, link.request, url),
    ...(stated && { certification: stated }),
    statements: madeStatements(body),
    declined: new Map(declined.map((item) => [keyOfSent(item), item.reason])),
    skipped: new Set(skipped.map(keyOfSent)),
    ...(shownHashes && { shown: shownHashes }),
  };
}

/**
 * Declines every record of a request that waits.
 * @throws {AppError} as `answerRequest`
 */
export async function declineRequest(
  context: AppLoadContext,
  token: string,
  { supervisorName, reason }: { supervisorName: string; reason: string },
): Promise<Answered> {
  const link = await findVerifyLink(context, token);
  const keys = link.items.filter(({ state }) => state === "waiting").map(keyOf);
  const answers = readAnswers(context, link, { supervisorName });
  return answerRequest(context, token, { ...answers, declined: new Map(keys.map((key) => [key, reason])) });
}

/**
 * The message to supervisors after they said that they do not know the technician: by how they came, or if it had
 * ended.
 */
export const UNKNOWN_TECHNICIAN: Record<Via | "ended", string> = {
  mailbox:
    "The request has ended: nothing was verified, and no email from this technician reaches your address again. We have told the technician.",
  link: "The request has ended: nothing was verified. We have told the technician. To stop their emails, use the link in any of them.",
  ended: "No email from this technician reaches your address again. The request itself had ended before.",
};

/**
 * Ends a request whose supervisor does not know the technician: its open items end, and the technician gets an email.
 * If the supervisor came from the requested mailbox, no email that the account causes goes there again; anyone may have
 * the bare link. The mailbox can be closed to the account after the request has ended, too: otherwise anyone with the
 * bare link could prevent that, and so could the technician by withdrawing the request.
 * @throws {AppError} 403 as `requireForeignLink`; without the mailed secret, or if the mailbox is closed already, 409
 *   if nothing is left to answer, and 404 for a link that has ended otherwise
 */
export async function refuseTechnician(
  context: AppLoadContext,
  token: string,
): Promise<keyof typeof UNKNOWN_TECHNICIAN> {
  const { db, now, secret, url } = context;
  const first = await findVerifyLink(context, token);
  if (first.state === "open") await requireForeignLink(context, token);
  const refuseOnce = async (attempt: number) => {
    const link: Link = attempt === 1 ? first : await readLink(context, token);
    if (link.state !== "open") return closeMailbox(context, link);
    refuseOwnLink(link);
    const { id, userId, supervisorEmail: address } = link.request;
    const via = viaOf(secret, link.request, url);
    const waiting = link.items.filter(({ state }) => state === "waiting");
    await commit(db, accountsOf(link), {
      ended: endWaiting(context, { requestId: id }, waiting, "unknown_technician"),
      mail: queueDigest(context, { userId, requestId: id, events: waiting.length }),
      ...(address !== null &&
        via === "mailbox" && {
          refused: db
            .insert(unknownTechnicians)
            .values({ userId, mailbox: unknownMailbox(secret, address), at: now })
            .onConflictDoNothing(),
        }),
    });
    return { id, userId, via, records: waiting.length };
  };
  const { id, userId, via, records } = await retryOnConflict(
    context,
    "refuse_technician",
    refuseOnce,
    SUPERVISOR_ATTEMPTS,
  );
  securityEvent(context, "technician_unknown", {
    request: id,
    account: userId,
    records,
    via,
  });
  return via;
}

/**
 * Closes a mailbox to the account of a request that has ended. Only its mailed link can do that.
 * @throws {AppError} as `refuseTechnician`
 */
async function closeMailbox({ db, now, secret, url }: AppLoadContext, link: Link) {
  const request = mailedRequest({ secret, url }, link)?.request;
  const { closed } =
    request?.supervisorEmail == null
      ? { closed: [] }
      : await batch(db, {
          closed: db
            .insert(unknownTechnicians)
            .values({ userId: request.userId, mailbox: unknownMailbox(secret, request.supervisorEmail), at: now })
            .onConflictDoNothing()
            .returning({ userId: unknownTechnicians.userId }),
        });
  if (request && closed.length > 0)
    return { id: request.id, userId: request.userId, via: "ended" as const, records: 0 };
  refuseOwnLink(link);
  if (link.state === "unknown" && !request) throw new AppError("not_found", linkFailureMessage(link));
  const isAgain = request || link.items.some(({ cause }) => cause === "unknown_technician");
  throw new AppError("already_answered", isAgain ? ALREADY_UNKNOWN : LINK_FAILURE);
}

const ALREADY_UNKNOWN = "You have already said that you do not know this technician. The request has ended.";

/**
 * Reads the link with this token, for anyone but the technician who sent the request.
 * @throws {AppError} 403 for the technician, and as `endOwnRequest`; 404 for an unknown link, 429 as `findVerifyLink`
 */
export async function requireForeignLink(context: AppLoadContext, token: string): Promise<FoundLink> {
  const link = await findVerifyLink(context, token);
  refuseOwnLink(link);
  if (link.state === "unknown") throw new AppError("not_found", linkFailureMessage(link));
  await endOwnRequest(context, link);
  return link;
}

/** A request for several records in JSON, as its supervisor sees it. */
export function requestJson({ request, owner, items }: FoundLink) {
  return {
    type: "request",
    user: { name: owner.name, employeeNumber: owner.employeeNumber },
    supervisor: { name: request.requestedName },
    expiresAt: request.expiresAt,
    items: items.map((item) => itemJson(item, owner)),
  };
}

/** Returns the outcome of the answers to a request for several records, in JSON. */
export function answeredJson({ link, verified, declined, skipped, early }: Answered) {
  return {
    message: answeredMessage({ verified: verified.length, declined: declined.length, early: early.length }),
    verified: verified.length,
    declined: declined.length,
    skipped: skipped.length,
    items: link.items.map((item) => itemJson(item, link.owner)),
  };
}

/** The toast after the answers of a page. */
export function answeredToast({ link, verified, declined, early }: Answered): Toast {
  const [item] = verified;
  if (item && link.keys.length === 1) {
    return { kind: "success", title: "Verification successful", text: thanksMessage(itemRecord(item, link.owner)) };
  }
  const text = answeredMessage({ verified: verified.length, declined: declined.length, early: early.length });
  return { kind: "success", title: item ? "Verification successful" : "Answer received", text };
}

/** An item in JSON: its state, the hash of what is shown, and the record under the key of its kind. */
function itemJson(item: LinkItem, owner: VerifiableRecord["user"]) {
  const record = itemRecord(item, owner);
  return { type: record.kind, id: item.record.id, state: item.state, hash: item.shown, ...recordJson(record) };
}

/*
 * The forms of a link's page. The hash of each record that was shown is sent with them.
 */

const person = { supervisorName, ...certificationFields, ...statementFields };

/** A reason beside a verification contradicts it, and a verification is final. */
const noReason = (message: string) =>
  z
    .string()
    .optional()
    .refine((text) => text === undefined || isBlank(text), { message });

const shown = z.string().optional();

/** The form of a link for one record: verified … */
export const verifyForm = z.object({
  ...person,
  shown,
  reason: noReason("You wrote what is wrong. Press Decline, or clear this text"),
});

/** … or declined. */
export const declineForm = z.object({ ...person, shown, reason });

/** The list in the form of a link for several records. */
export const ITEMS: FormList = { name: "items", columns: ["shown", "answer", "later", "reason"], rowsMax: ITEMS_MAX };

/** A row whose box is not checked is verified, and one that is left for later is so whatever else is checked. */
function withAnswer(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  const { later, answer = "verify", ...others } = row as { later?: unknown; answer?: unknown }; // any object
  return { ...others, answer: later === undefined ? answer : "skip" };
}

/** The form of a link for several records. The reason of a record that is left for later is ignored. */
export const severalForm = z.object({
  ...person,
  reason: noReason("You wrote why all are declined. Press Decline all, or clear this text"),
  items: z
    .array(
      z.preprocess(
        withAnswer,
        z.discriminatedUnion(
          "answer",
          [
            z.object({
              answer: z.literal("verify"),
              shown: z.string(),
              reason: noReason("You wrote what is wrong. Check Not right, or clear this text"),
            }),
            z.object({ answer: z.literal("decline"), shown: z.string(), reason }),
            z.object({ answer: z.literal("skip"), shown: z.string(), reason: z.string().optional() }),
          ],
          { error: "Choose an answer" },
        ),
      ),
    )
    .max(ITEMS_MAX),
});

/** The answers of a submitted form for one record, which is `link`'s first item. */
export function answersForOne(
  { secret, url }: AppLoadContext,
  { request, items }: FoundLink,
  body: z.output<typeof verifyForm>,
  isDeclined: boolean,
): Answers {
  const keys = items.slice(0, 1).map(keyOf);
  return {
    ...supervisorOf(body),
    via: viaOf(secret, request, url),
    declined: new Map(isDeclined ? keys.map((key) => [key, body.reason ?? ""]) : []),
    shown: new Map(items.slice(0, 1).map((item) => [keys[0] ?? "", fullHash(item.shown, body.shown)])),
  };
}

/**
 * The answers of a submitted form for several records.
 * @throws {AppError} 400 for a form that none of our pages sends
 */
export function answersForSeveral(
  { secret, url }: AppLoadContext,
  { request, items }: FoundLink,
  body: z.output<typeof severalForm>,
): Answers {
  return { ...answersAbout(items, body), via: viaOf(secret, request, url) };
}

/**
 * The answers of a submitted form about these records, which may be of several requests.
 * @throws {AppError} as `answersForSeveral`
 */
export function answersAbout(items: readonly LinkItem[], body: z.output<typeof severalForm>): Omit<Answers, "via"> {
  const hashes = new Map(items.map((item) => [formHash(item), item.shown]));
  const list = body.items.map((item) => ({ ...item, key: /^\w+:\d+(?=:)/.exec(item.shown)?.[0] ?? "" }));
  const sent = new Set(list.map(({ key }) => key));
  if (sent.size < list.length) throw new AppError("invalid", "A record was answered twice");
  return {
    ...supervisorOf(body),
    declined: new Map(list.flatMap((item) => (item.answer === "decline" ? [[item.key, item.reason]] : []))),
    // Records that did not fit on the page wait for the next one (`fittingOnPage`).
    skipped: new Set([
      ...list.flatMap(({ key, answer }) => (answer === "skip" ? [key] : [])),
      ...items.map(keyOf).filter((key) => !sent.has(key)),
    ]),
    shown: new Map(list.map(({ key, shown }) => [key, hashes.get(shown) ?? ""])),
  };
}

function supervisorOf({ supervisorName, ...fields }: z.output<typeof verifyForm> | z.output<typeof severalForm>) {
  const { scheme, methods, level, number, validUntil } = fields;
  const certification = typedCertification({ scheme, methods, level, number, validUntil });
  return { supervisorName, ...(certification && { certification }), statements: madeStatements(fields) };
}

/** The item's hash if it is the one that was shown, else a text that is no hash. */
function fullHash(hash: string, sent: string | undefined): string {
  return sent === hash ? hash : "";
}
