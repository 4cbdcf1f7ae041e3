import type { AppLoadContext } from "@remix-run/cloudflare";
import { AppError } from "#app/errors.ts";
import type { Toast } from "#app/server/flash.ts";
import type { FoundLink, Link, LinkItem } from "#app/verification/link.server.ts";
import { itemRecord } from "#app/verification/link-view.server.ts";
import { viaOf } from "#app/verification/mailbox-secret.server.ts";
import {
  answeredMessage,
  itemKey,
  linkFailureMessage,
  recordJson,
  thanksMessage,
  type VerifiableRecord,
} from "#app/verification/record.ts";
import { type AnswersBody, certificationOf } from "#app/verification/verification.schema.ts";
import type { Answers } from "./answers.ts";
import { type Answered, answerRequest, findLink, refuseOwnMailbox } from "./confirm.server.ts";

const SHOWN_LIST = "shown must be a list of objects with type, id and hash: this link asks for several records";

/**
 * A supervisor's answers as they were sent to a link, for `answerRequest`.
 * @throws {AppError} 400 for one hash if the link asks for several records
 */
export function answersOf({ secret }: AppLoadContext, link: Link, url: URL, body: AnswersBody): Answers {
  const { supervisorName, certification, declined = [], skipped = [], shown } = body;
  const keyOf = ({ type, id }: { type: string; id: number }) => itemKey(type, id);
  const [only, ...more] = link.items;
  if (typeof shown === "string" && more.length > 0) {
    throw new AppError(400, SHOWN_LIST, [{ path: "shown", message: SHOWN_LIST }]);
  }
  const stated = certificationOf(certification);
  const shownHashes =
    typeof shown === "string"
      ? new Map(only ? [[itemKey(only.kind.name, only.record.id), shown] as const] : [])
      : shown && new Map(shown.map((item) => [keyOf(item), item.hash]));
  return {
    supervisorName,
    via: link.state === "unknown" ? "link" : viaOf(secret, link.request, url),
    ...(stated && { certification: stated }),
    declined: new Map(declined.map((item) => [keyOf(item), item.reason])),
    skipped: new Set(skipped.map(keyOf)),
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
  url: URL,
  { supervisorName, reason }: { supervisorName: string; reason: string },
): Promise<Answered> {
  const link = await findLink(context, token);
  const keys = link.items
    .filter(({ state }) => state === "waiting")
    .map(({ kind, record }) => itemKey(kind.name, record.id));
  const answers = answersOf(context, link, url, { supervisorName });
  return answerRequest(context, token, { ...answers, declined: new Map(keys.map((key) => [key, reason])) });
}

/**
 * The link with this token, for somebody else than the technician who asks.
 * @throws {AppError} 403 for the technician, and as `refuseOwnMailbox`; 404 for an unknown link, 429 as `findLink`
 */
export async function requireForeignLink(context: AppLoadContext, token: string): Promise<FoundLink> {
  const link = await findLink(context, token);
  if (link.isOwn) throw new AppError(403, "You can't verify your own hours. Send the link to your supervisor.");
  if (link.state === "unknown") throw new AppError(404, linkFailureMessage(link));
  await refuseOwnMailbox(context, link);
  return link;
}

/** A request for several records in JSON, as its supervisor sees it. */
export function requestJson({ request, owner, items }: FoundLink) {
  return {
    type: "request",
    user: { name: owner.name, employeeNumber: owner.employeeNumber },
    supervisor: { name: request.supervisorName },
    expiresAt: request.expiresAt,
    items: items.map((item) => itemJson(item, owner)),
  };
}

/** What became of the answers to a request for several records, in JSON. */
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
