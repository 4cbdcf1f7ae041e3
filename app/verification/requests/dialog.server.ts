import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { AnyRecord, Kind, RecordWithToken } from "#app/records/kinds.ts";
import { logHref } from "#app/records/log-filter.ts";
import { logQueryFrom } from "#app/records/log-page.server.ts";
import { withoutToken } from "#app/records/queries.server.ts";
import { parseId } from "#app/server/api.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import { type SupervisorRules, supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import type { RequestMail } from "#app/verification/queue-email.server.ts";
import { type MailNotice, mailNotice } from "./mail-notice.ts";
import { requestableQueries, verificationUrl } from "./request.server.ts";

/** What the dialog of a page shows. */
export interface DialogFacts {
  /** The name of the record's kind. */
  kind: string;
  record: AnyRecord;
  supervisors: Supervisor[];
  rules: SupervisorRules;
  /** The link, where `&link=1` asks for the second half of the dialog and there is one. */
  url: string | null;
  /** What became of the last message to a supervisor about it. */
  notice: MailNotice | null;
  /** The parameters of the page of the log behind the dialog. */
  params: Record<string, string>;
  /** The last word, `?mailed={id}`: that a message is under way. */
  isMailed: boolean;
}

/**
 * The statements that find what a page's dialog needs, where its address asks for one: `?request={id}` or `?mailed={id}`.
 * Without it there is nothing to find, and `dialogFromRows` looks at none of it.
 */
export function dialogQueries(db: Db, owner: Owner, kind: Kind, { searchParams }: URL) {
  const id = searchParams.get("request") ?? searchParams.get("mailed");
  return id === null ? ({} as ReturnType<typeof requestableQueries>) : requestableQueries(db, owner, kind, parseId(id));
}

/**
 * The dialog of a page that lists records of a kind, from the answers to `dialogQueries`; null where none is asked for.
 * @throws {Response} a redirect to the page alone, which says why nobody can be asked about that record
 */
export async function dialogFromRows(
  context: AppLoadContext,
  kind: Kind,
  requestUrl: URL,
  rows: { found: RecordWithToken[]; supervisors: Supervisor[]; mails: RequestMail[] },
): Promise<DialogFacts | null> {
  const { searchParams } = requestUrl;
  const isMailed = searchParams.has("mailed");
  const isAsked = isMailed || searchParams.has("link");
  if (!isMailed && !searchParams.has("request")) return null;
  const [record] = rows.found ?? [];
  const { params } = logQueryFrom(kind, requestUrl);
  const path = logHref(kind.path, params);
  // Who looks at a request that was verified meanwhile has nothing left to do here.
  if (record?.verified && isAsked) throw await redirectTo(context, path);
  if (!record || record.verified) {
    const text = record ? kind.texts.alreadyVerified : kind.texts.missing;
    throw await redirectTo(context, path, { toast: { kind: "error", title: "Error", text } });
  }
  const { verificationToken } = record;
  const url = isAsked && verificationToken ? verificationUrl(context, verificationToken) : null;
  const heldBack = context.flash?.heldBack;
  const notice: MailNotice | null = heldBack
    ? { tone: "wrong", text: heldBack, isUnderWay: false }
    : mailNotice(rows.mails[0], rows.supervisors);
  return {
    kind: kind.name,
    record: withoutToken(record),
    supervisors: rows.supervisors,
    rules: supervisorRules,
    url,
    params,
    notice,
    isMailed: isMailed && notice?.isUnderWay === true,
  };
}
