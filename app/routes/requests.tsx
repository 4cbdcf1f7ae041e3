import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { desc, eq, max, type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formatDate, formatDaysAgo, toCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { ItemState, LinkEnd, Via } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import { anyRecord, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { reminderSentAt } from "#app/supervisor-mail/reminder.server.ts";
import { endText } from "#app/verification/link-ends.ts";
import listStyles from "#app/verification/requests/list-screen.css?inline";
import { type NoEmails, noEmailsTo } from "#app/verification/requests/own-requests.server.ts";
import { hasFailedEmail, nextReminder } from "#app/verification/requests/remind.server.ts";
import { askableText, countAskable, countByState, NOTHING, Strip } from "#app/verification/requests/request-parts.tsx";
import {
  type RequestRow,
  verificationAnswers,
  verificationItems,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { type ClosedMailbox, closedMailboxes } from "#app/verification/unknown-technicians.server.ts";

export const handle = { css: styles + listStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Requests · Hours Tracker" }];

/** How many requests a part of the list shows, and how many if the page shows that part alone. */
const PART_SIZE = 25;
const PAGE_SIZE = 50;

/** The parts of the list, by the URL parameter that continues them. */
const PARTS = {
  waiting: sql`ended_at IS NULL`,
  finished: sql`ended_at IS NOT NULL`,
};
type PartName = keyof typeof PARTS;

/** The signed-in user's requests, newest first: those that wait, and those that are finished. */
export const loader = page(async ({ request, context }) => {
  const { searchParams } = new URL(request.url);
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
    now: context.now,
    timeZone: context.timeZone,
    askable: askable[0] ?? NOTHING,
    hasLogged: logged.length > 0,
    isFirstPage: !only,
    parts: parts.flatMap(({ name }) => {
      const rows = sections[name];
      return rows ? [partFromRows(context, name, { ...rows, closed }, size)] : [];
    }),
  };
});

/** A request in the list. */
interface ListedRequest
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
  emailWaits: keyof typeof EMAIL_WAITS | null;
  /** When the next reminder goes out by itself, if one does. */
  nextReminder: Date | null;
  /** The last answer. */
  answer: { at: Date; via: Via } | null;
}

interface RequestPart {
  name: PartName;
  requests: ListedRequest[];
  olderHref: string | null;
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
      const { reminders, remindAt, emailWithheld } = request;
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
        emailWaits:
          !endedAt && !isExpired && (emailWithheld === "joined" || emailWithheld === "limit") ? emailWithheld : null,
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

const TITLES: Record<PartName, string> = { waiting: "Waiting", finished: "Finished" };

export default function Requests() {
  const { parts, askable, hasLogged, isFirstPage, now, timeZone } = useLoaderData<typeof loader>();
  const shown = parts.filter(({ requests }) => requests.length > 0);
  return (
    <SignedInLayout current="/requests">
      <section>
        <div className="apart">
          <h1>Requests</h1>
          <a className="second act" href="/requests/new">
            New request
          </a>
        </div>
        {shown.length === 0 && (
          <p className="empty">
            {isFirstPage
              ? "Nothing here yet. A request sends one link to a supervisor, who can then verify all the records that you choose. They need no account."
              : "No more requests here."}
          </p>
        )}
        <p className="hint">
          {hasLogged ? askableText(askable) : "You have logged no hours yet."}
          {askable.n > 0 && (
            <>
              {" "}
              <a href="/requests/new?all=1">{askable.n === 1 ? "Request it" : "Request them"}</a>
            </>
          )}
        </p>
      </section>
      {shown.map(({ name, requests, olderHref }) => (
        <section key={name} aria-labelledby={name}>
          <header className="head">
            <h2 id={name}>{TITLES[name]}</h2>
            {!olderHref && (
              <span className="hint">{requests.length === 1 ? "1 request" : `${requests.length} requests`}</span>
            )}
          </header>
          <ul className="results">
            {requests.map((request) => (
              <Request key={request.id} request={request} now={now} timeZone={timeZone} />
            ))}
          </ul>
          {olderHref && (
            <p className="row">
              <a href={olderHref}>Older requests</a>
            </p>
          )}
        </section>
      ))}
      {!isFirstPage && (
        <p>
          <a href="/requests">All requests</a>
        </p>
      )}
    </SignedInLayout>
  );
}

function Request({ request, now, timeZone }: { request: ListedRequest; now: Date; timeZone: string }) {
  const { id, requestedName, supervisorEmail, counts, canRemind, endedAt } = request;
  const count = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const path = `/requests/${id}`;
  return (
    <li className="asked">
      <div>
        <h3>
          <a href={path}>{requestedName ?? "A supervisor"}</a>
        </h3>
        <p className="hint">{supervisorEmail}</p>
      </div>
      <p className="reading">
        <b>{count}</b> <span className="hint">{`${count === 1 ? "record" : "records"}${hoursOf(request)}`}</span>
      </p>
      <div className="middle">
        <Strip counts={counts} />
        <p className="hint">{textOf(request, now, timeZone)}</p>
      </div>
      {!endedAt && (
        <div className="row">
          {canRemind && (
            <form method="post" action={`${path}/remind`}>
              <button type="submit" className="second">
                Remind
                <Whose name={requestedName} />
              </button>
            </form>
          )}
          <a href={`${path}#link-title`}>
            Show link
            <Whose name={requestedName} />
          </a>{" "}
          <a href={`${path}?withdraw=1`} className="wrong">
            Withdraw
            <Whose name={requestedName} />
          </a>
        </div>
      )}
    </li>
  );
}

/** Shows the request that a link belongs to, for people who hear the links alone. */
function Whose({ name }: { name: string | null }) {
  return <span className="unseen">{`: request to ${name ?? "a supervisor"}`}</span>;
}

/** The hours of a request, if it has some, and which of its records they are of where that is not all. */
function hoursOf({ counts, hundredths, endedAt }: ListedRequest): string {
  const hours = hundredths > 0 ? `, ${formatHours(hundredths)} h` : "";
  if (endedAt && counts.verified === 0) return ", none verified";
  if (endedAt) return `${hours || `, ${counts.verified}`} verified`;
  return hours && counts.declined + counts.ended > 0 ? `${hours} verified or waiting` : hours;
}

const NO_EMAILS: Record<NoEmails, string> = {
  unknown_technician: "No email goes to them: they said that they do not know you.",
  suppressed: "No email goes to them: they want none from us.",
};

const EMAIL_WAITS = {
  joined: "The email goes out within the hour, together with other requests to this supervisor.",
  limit: "The email waits for a limit of a day, and goes out by itself.",
};

/** Returns when a request was made and opened, and what happens next; or how it ended. */
function textOf(request: ListedRequest, now: Date, timeZone: string) {
  const { requestedAt, openedAt, expiresAt, endedAt, isExpired, noEmails, emailWaits, nextReminder, answer, ends } =
    request;
  const on = (at: Date) => formatDate(toCalendarDate(timeZone, at));
  if (endedAt) {
    const first = answer ? `Answered on ${on(answer.at)}, by ${answer.via}.` : `Finished on ${on(endedAt)}.`;
    return [first, ...ends.map(({ cause, n }) => `${endText(cause, n, "technician")}.`)].join(" ");
  }
  const ago = (at: Date) => formatDaysAgo(timeZone, now, at);
  const opened = openedAt ? `opened ${ago(openedAt)}` : "not opened yet";
  const reminder = nextReminder ? ` Next reminder on ${on(nextReminder)}.` : "";
  const next = noEmails ? ` ${NO_EMAILS[noEmails]}` : emailWaits ? ` ${EMAIL_WAITS[emailWaits]}` : reminder;
  return `Requested ${ago(requestedAt)}, ${opened}.${next} ${isExpired ? "Expired" : "Expires"} on ${on(expiresAt)}.`;
}
