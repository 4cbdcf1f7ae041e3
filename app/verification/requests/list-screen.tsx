import { Fragment } from "react";
import { formatDate, formatDaysAgo, toCalendarDate } from "#app/calendar-date.ts";
import type { ItemState } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import { State, type StateName } from "#app/ui/page.tsx";
import { endText } from "#app/verification/link-ends.ts";
import type { Askable, ListedRequest, PartName, RequestPart } from "./list-page.server.ts";
import type { NoEmails } from "./own-requests.server.ts";

const TITLES: Record<PartName, string> = { waiting: "Waiting", finished: "Finished" };

interface RequestListProps {
  parts: RequestPart[];
  /** How many records no supervisor is asked to verify. */
  askable: Askable;
  /** Whether the technician has logged anything. */
  hasLogged: boolean;
  isFirstPage: boolean;
  now: Date;
  timeZone: string;
}

/** The technician's requests: those that wait for a supervisor, and those that are finished. */
export function RequestList({ parts, askable, hasLogged, isFirstPage, now, timeZone }: RequestListProps) {
  const shown = parts.filter(({ requests }) => requests.length > 0);
  return (
    <>
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
    </>
  );
}

/** `3 records are not with a supervisor`, and how many of them were declined. `more`: besides those of a request. */
export function askableText({ n, declined }: Askable, more = ""): string {
  if (n === 0) return "No record is left to send to a supervisor.";
  const are = `${n} ${more}${n === 1 ? "record is" : "records are"} not with a supervisor`;
  if (declined === 0) return `${are}.`;
  if (declined === n) return `${are}: declined, and not corrected since.`;
  return `${are}, of which ${declined} ${declined === 1 ? "was" : "were"} declined and not corrected since.`;
}

type RequestProps = { request: ListedRequest } & Pick<RequestListProps, "now" | "timeZone">;

function Request({ request, now, timeZone }: RequestProps) {
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

/** Of which request a link is, for those who hear the links alone. */
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

const EMAIL_WAITS = "The email waits for a limit of a day, and goes out by itself.";

/** When a request was made and opened, and what happens next; or how it ended. */
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
  const next = noEmails ? ` ${NO_EMAILS[noEmails]}` : emailWaits ? ` ${EMAIL_WAITS}` : reminder;
  return `Requested ${ago(requestedAt)}, ${opened}.${next} ${isExpired ? "Expired" : "Expires"} on ${on(expiresAt)}.`;
}

/** The mark of an item's state. */
export const ITEM_MARKS: Record<ItemState, StateName> = {
  waiting: "requested",
  verified: "verified",
  declined: "declined",
  ended: "pending",
};

const ORDER: ItemState[] = ["verified", "declined", "waiting", "ended"];

/** The least records that a strip has room for, so that strips of small requests can be compared. */
const LEAST = 32;

/**
 * The records of a request, a graduation each, and how many are in each state. A unit across is one record, of which a
 * dash takes a part.
 */
export function Strip({ counts }: { counts: Record<ItemState, number> }) {
  const parts = ORDER.map((state, index) => ({
    state,
    n: counts[state],
    from: ORDER.slice(0, index).reduce((sum, one) => sum + counts[one], 0),
  })).filter(({ n }) => n > 0);
  const total = ORDER.reduce((sum, state) => sum + counts[state], 0);
  return (
    <>
      <svg
        className="strip"
        viewBox={`0 0 ${Math.max(LEAST, total)} 24`}
        height="25"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="base" d={`M0 23.5h${total}`} />
        {parts.map(({ state, n, from }) => (
          <path key={state} className={state} d={`M${from} 12h${n}`} />
        ))}
        {counts.waiting > 0 && (
          <path className="inside" d={`M${counts.verified + counts.declined} 12h${counts.waiting}`} />
        )}
      </svg>
      <p className="counts">
        {parts.map(({ state, n }) => (
          <Fragment key={state}>
            <State of={ITEM_MARKS[state]}>{`${n} ${state}`}</State>{" "}
          </Fragment>
        ))}
      </p>
    </>
  );
}
