import type { ReactNode } from "react";
import { browserName } from "#app/accounts/browser-name.ts";
import { eventText } from "#app/audit-log/event-text.tsx";
import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { formatDate } from "#app/calendar-date.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { asTyped, printedStatement, STATEMENT_NAMES, STATEMENTS, sharedText } from "#app/records/evidence.ts";
import { isAskable, isExperience, type Kind, recordPath } from "#app/records/kind.ts";
import { Fact, Instant, RecordFacts, RecordTitle } from "#app/records/record-facts.tsx";
import { ViaText } from "#app/records/via.tsx";
import { State, type StateName } from "#app/ui/page.tsx";
import type { Decision } from "#app/verification/decision.server.ts";
import { verificationOf } from "#app/verification/record.ts";
import type { History, LastRequest } from "./history.server.ts";

interface CorrectionsProps {
  kind: Kind;
  id: number;
  isVerified: boolean;
  canBeRevoked?: boolean;
  /** Whether the dialog of *Delete* is in front of the page, or was just closed (app/ui/dialog.tsx). */
  dialog?: "open" | "closed" | null;
  /** Other acts. */
  children?: ReactNode;
}

/** Shows the acts of the owner on a record: all of them while it is unverified. */
export function Corrections({ kind, id, isVerified, canBeRevoked = false, dialog, children }: CorrectionsProps) {
  const path = recordPath(kind, id);
  return (
    <>
      {isVerified && (
        <p className="hint">
          A verified record cannot be changed. If it is wrong, log a new one, and ask the supervisor to withdraw the
          verification.
        </p>
      )}
      <p className="row">
        {isVerified && canBeRevoked && (
          <a className="second" href={`${path}/edit`}>
            Revoked…
          </a>
        )}
        {!isVerified && (
          <a className="second" href={`${path}/edit`}>
            Edit
          </a>
        )}
        {isExperience(kind) && (
          <a className="second" href={`${kind.path}?again=${id}`}>
            Log again
          </a>
        )}
        {children}
        {!isVerified && (
          <a href={`${path}/delete`} data-at={dialog ? "" : undefined} autoFocus={dialog === "closed"}>
            Delete
          </a>
        )}
      </p>
    </>
  );
}

interface TimelineProps {
  history: History;
  timeZone: string;
  /** The link to an account, for admins. Without it an account is shown as its number alone. */
  accountHref?: ((accountId: number) => string) | undefined;
}

/** A page of the audit log of a record, with the emails and openings of its requests among its events, oldest first. */
function Timeline({ history, timeZone, accountHref }: TimelineProps) {
  const { log, part, requestEvents, hasMore, intact, record } = history;
  const isVerified = verificationOf(record.record) !== null;
  const { createdAt } = record.record;
  const events = [
    ...log.map((event) => ({ key: `${event.number}`, at: event.at, event, request: null })),
    ...requestEvents.map((request, index) => ({ key: `request ${index}`, at: request.at, event: null, request })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <section aria-labelledby="history">
      <header className="head">
        <h2 id="history">{isVerified ? "How this was verified" : "History"}</h2>
        {events.length > 0 && <span className="hint">{countText(history)}</span>}
      </header>
      {!intact && (
        <p className="alert">This record was altered: it no longer matches its audit log. Tell your administrator.</p>
      )}
      {hasMore && (
        <p className="hint">Only the last {requestEvents.length} emails and openings of this time are shown.</p>
      )}
      <ol className="trail">
        {part.first <= 1 && (
          <li>
            <p className="hint">
              <Instant at={createdAt} timeZone={timeZone} />
            </p>
            <p>Logged</p>
          </li>
        )}
        {events.map(({ key, event, request }) =>
          event ? (
            <LogEvent key={key} shown={event} timeZone={timeZone} accountHref={accountHref} />
          ) : (
            <RequestEvent key={key} shown={request} timeZone={timeZone} />
          ),
        )}
      </ol>
      {!isWhole(history) && <HistoryLinks {...history} />}
      {intact && log.length > 0 && (
        <p className="hint">
          {isWhole(history) ? "This history is complete: nothing in it" : "Nothing on this page of the history"} was
          changed, removed or added later
          {log.some(({ erased }) => erased) && ", except that personal data was erased where it says so"}.
        </p>
      )}
    </section>
  );
}

/** Whether a page has all events of its record. */
function isWhole({ part }: History): boolean {
  return part.first <= 1 && part.last === part.of;
}

function countText(history: History): string {
  const { log, part, requestEvents } = history;
  if (isWhole(history)) return `${log.length + requestEvents.length + 1} events`;
  const [first, last, of] = [part.first, part.last, part.of].map((number) => number.toLocaleString("en"));
  return `Events ${first} to ${last} of ${of}`;
}

/** The links to the pages of a history before and after this one. */
function HistoryLinks({ part: { first, last, of }, newer: before }: History) {
  const newer = before === null ? "?" : `?before=${before}`;
  return (
    <p className="row">
      {last < of && <a href={`${newer}#history`}>Newer events</a>}
      {first > 1 && <a href={`?before=${first}#history`}>Older events</a>}
    </p>
  );
}

const REQUEST_EVENTS = {
  asked: "Supervisor asked",
  mailed: "Email sent",
  opened: "Link opened",
  reminded: "Reminder sent",
};

/** An event of a request that contains the record. It is not part of the chain. */
function RequestEvent({ shown, timeZone }: { shown: History["requestEvents"][number]; timeZone: string }) {
  return (
    <li className="requested">
      <When shown={shown} timeZone={timeZone} />
      <p>{REQUEST_EVENTS[shown.event]}</p>
    </li>
  );
}

/** The graduation of an event has the colour of the state that it leads to. */
const CLASSES: Partial<Record<ShownEvent["event"], StateName>> = {
  requested: "requested",
  verified: "verified",
  confirmed: "verified",
  declined: "declined",
  disowned: "declined",
};

type LogEventProps = { shown: ShownEvent } & Pick<TimelineProps, "timeZone" | "accountHref">;

function LogEvent({ shown, timeZone, accountHref }: LogEventProps) {
  const {
    event,
    browser,
    supervisor,
    accountId,
    erased,
    via,
    recordHash,
    technicianHash,
    supervisorHash,
    previous,
    hash,
  } = shown;
  const state = CLASSES[event] === "verified" ? "verified" : CLASSES[event] === "declined" ? "declined" : null;
  return (
    <li className={CLASSES[event]}>
      <When shown={shown} timeZone={timeZone} />
      <p>
        {state ? <State of={state}>{eventText(shown)}</State> : eventText(shown)}
        {supervisor && ` (${aboutSupervisor(supervisor)})`}
        {accountId !== null && (
          <>
            {" Signed in as "}
            {accountHref ? <a href={accountHref(accountId)}>account {accountId}</a> : `account ${accountId}`}
          </>
        )}
        {erased && " (personal data erased)"}
      </p>
      {sharedText(shown) && <p>{sharedText(shown)}</p>}
      <details>
        <summary>{hash.slice(0, 12)}</summary>
        <dl className="facts">
          {browser && <Fact term="Browser">{browser}</Fact>}
          {via && <Fact term="Verified by">{via}</Fact>}
          <Fact term="This event">{hash}</Fact>
          <Fact term="Previous event">{previous}</Fact>
          <Fact term="Record">{recordHash}</Fact>
          {technicianHash && <Fact term="About the technician">{technicianHash}</Fact>}
          {supervisorHash && <Fact term="About the supervisor">{supervisorHash}</Fact>}
        </dl>
      </details>
    </li>
  );
}

function aboutSupervisor({ email, role, certificationLevel, company }: NonNullable<ShownEvent["supervisor"]>): string {
  return [email, role, certificationLevel, company].filter(Boolean).join(", ");
}

interface WhenProps {
  shown: { at: Date; address: string | null; browser: string | null };
  timeZone: string;
}

function When({ shown: { at, address, browser }, timeZone }: WhenProps) {
  const from = [address, browserName(browser)].filter(Boolean).join(", ");
  return (
    <p className="hint">
      <Instant at={at} timeZone={timeZone} />
      {from && `, ${from}`}
    </p>
  );
}

/** Whether two texts name one level: `3`, `III`, `Level 3` and `Level III`. Other texts are the same if they are equal. */
function isSameLevel(one: string, other: string): boolean {
  const plain = (text: string) => {
    const [, number] = /^\s*(?:level\s*)?(i{1,3}|[123])\s*$/i.exec(text) ?? [];
    return number === undefined ? text : /\d/.test(number) ? number : String(number.length);
  };
  return plain(one) === plain(other);
}

/**
 * Shows the supervisor's statement of the verification, beside the technician's entries about them where these differ.
 */
function StatedFacts({ history: { verified, isDisowned, ...history } }: { history: History }) {
  if (!verified || isDisowned) return null;
  const asked = history.asked?.supervisor;
  const { name, certification } = verified;
  const rows = [
    ["Name", name, asked?.name],
    ["Scheme", certification?.scheme, undefined],
    ["Level", certification?.level, asked?.certificationLevel],
    ["Methods", certification?.methods?.join(", "), undefined],
    ["Certificate number", certification?.number, undefined],
    ["Valid until", certification?.validUntil && formatDate(certification.validUntil), undefined],
    ...STATEMENT_NAMES.map(
      (fact) => [STATEMENTS[fact].label, printedStatement(fact, verified[fact]), undefined] as const,
    ),
  ] as const;
  if (!certification && !STATEMENT_NAMES.some((fact) => verified[fact]) && (!asked || asked.name === name)) return null;
  return (
    <section aria-labelledby="stated">
      <h2 id="stated">What the supervisor stated</h2>
      <dl className="facts">
        {rows.map(
          ([term, stated, typed]) =>
            stated && (
              <Fact key={term} term={term}>
                <bdi>{stated}</bdi>
                {typed && !isSameLevel(typed, stated) && (
                  <span className="hint">
                    {" (the technician typed "}
                    <bdi>{typed}</bdi>)
                  </span>
                )}
              </Fact>
            ),
        )}
        {certification && asked?.company && (
          <Fact term="Company">
            <span className="hint">
              not stated (the technician typed <bdi>{asked.company}</bdi>)
            </span>
          </Fact>
        )}
      </dl>
    </section>
  );
}

interface RecordScreenProps {
  id: number;
  history: History;
  timeZone: string;
  /** The list that the record is in. */
  back: { href: string; label: string };
  children?: ReactNode;
  /** Whether the viewer is the owner, who can ask and withdraw. */
  isOwn: boolean;
  /** The link to an account, for admins. Without it an account is shown as its number alone. */
  accountHref?: (accountId: number) => string;
}

/** A record's page: its values, its verification request and its audit log. */
export function RecordScreen({ id, history, timeZone, back, children, isOwn, accountHref }: RecordScreenProps) {
  const { record, request, isOpen, sharedRequestId } = history;
  const kind = kindNamed(record.kind);
  const verification = verificationOf(record.record);
  return (
    <div className="split">
      <div className="results">
        <section aria-labelledby="record">
          <p>
            <a href={back.href}>{back.label}</a>
          </p>
          <h1 id="record">
            <RecordTitle kind={kind} record={record.record} />
          </h1>
          <Status history={history} timeZone={timeZone} />
          <RecordFacts kind={kind} record={record.record} owner={record.user} weekdays />
          {children}
        </section>
        <StatedFacts history={history} />
        {isAskable(kind, record.record) && (request || (isOwn && !verification)) && (
          <section aria-labelledby="request">
            <h2 id="request">Request</h2>
            {request && <RequestFacts at={request.at} supervisor={request.supervisor} timeZone={timeZone} />}
            {isOpen && request?.mailStatus && (
              <p className={`notice ${request.mailStatus.tone}`}>{request.mailStatus.text}</p>
            )}
            {isOwn && !verification && (
              <RequestActions kind={kind} id={id} isOpen={isOpen} sharedRequestId={sharedRequestId} />
            )}
          </section>
        )}
      </div>
      <Timeline history={history} timeZone={timeZone} accountHref={accountHref} />
    </div>
  );
}

const NOT_TOLD =
  "The supervisor’s address asked for no more emails, so it gets none about this verification in its name.";

/** Shows which supervisor declined a record, when and why. */
export function DeclinedNotice({ decision, timeZone }: { decision: Decision | null; timeZone: string }) {
  return (
    <p className="alert">
      <State of="declined">
        Declined by <b dir="auto">{decision?.by ?? "a supervisor"}</b>
        {decision && (
          <>
            {" on "}
            <Instant at={decision.at} timeZone={timeZone} />
          </>
        )}
        .
        {decision?.reason && (
          <>
            {" Reason: "}
            <bdi>{decision.reason}</bdi>
          </>
        )}
      </State>
    </p>
  );
}

/** The record's state: who verified or declined it, when, how it came, and why. */
function Status({ history, timeZone }: Pick<RecordScreenProps, "history" | "timeZone">) {
  const { record, decision, isOpen, notTold } = history;
  const verification = verificationOf(record.record);
  if (verification) {
    return (
      <p className="notice done">
        <State of="verified">
          Verified by <b dir="auto">{asTyped(verification.by)}</b> on{" "}
          <Instant at={verification.at} timeZone={timeZone} />,{" "}
          <ViaText
            via={record.record.verifiedVia}
            domain={decision?.domain ?? null}
            confirmedAt={record.record.confirmedAt}
          />
        </State>
        {notTold && (
          <>
            <br />
            {NOT_TOLD}
          </>
        )}
      </p>
    );
  }
  if (record.record.status === "declined") return <DeclinedNotice decision={decision} timeZone={timeZone} />;
  if (!isOpen && history.isDisowned) {
    return (
      <p className="alert">
        <State of="declined">Verification withdrawn by the supervisor. These hours are no longer verified.</State>
      </p>
    );
  }
  const { unasked } = kindNamed(record.kind);
  if (unasked && !isAskable(kindNamed(record.kind), record.record)) return <p className="notice">{unasked.message}</p>;
  return (
    <p className="notice waiting">
      <State of={isOpen ? "requested" : "pending"}>
        Pending{isOpen ? ": a supervisor has been asked." : ": no supervisor is asked now."}
      </State>
    </p>
  );
}

function RequestFacts({ at, supervisor, timeZone }: Pick<LastRequest, "supervisor"> & { at: Date; timeZone: string }) {
  return (
    <dl className="facts">
      {supervisor && (
        <>
          <Fact term="Supervisor">{supervisor.name}</Fact>
          <Fact term="Email">{supervisor.email}</Fact>
          {supervisor.role && <Fact term="Role">{supervisor.role}</Fact>}
          {supervisor.phone && <Fact term="Phone">{supervisor.phone}</Fact>}
          {supervisor.certificationLevel && <Fact term="Level">{supervisor.certificationLevel}</Fact>}
          {supervisor.company && <Fact term="Company">{supervisor.company}</Fact>}
        </>
      )}
      <Fact term="Requested on">
        <Instant at={at} timeZone={timeZone} />
      </Fact>
    </dl>
  );
}

type RequestActionsProps = { kind: Kind; id: number } & Pick<History, "isOpen" | "sharedRequestId">;

/** A request of several records is shown and withdrawn on its own page: its link is not of this record alone. */
function RequestActions({ kind, id, isOpen, sharedRequestId }: RequestActionsProps) {
  const isOwnOpen = isOpen && sharedRequestId === null;
  return (
    <>
      <form action={kind.path} className="row">
        <button name="request" value={id} type="submit">
          {isOpen ? "Ask Again" : "Request Verification"}
        </button>
        {isOwnOpen && <a href={`${kind.path}?request=${id}&link=1`}>Show the link</a>}
        {sharedRequestId !== null && <a href={`/requests/${sharedRequestId}`}>Show the request</a>}
      </form>
      {isOwnOpen && (
        <form method="post" action={`${recordPath(kind, id)}/withdraw`} className="row">
          <button type="submit" className="second">
            Withdraw request
          </button>
        </form>
      )}
      {isOwnOpen && <p className="hint">Withdrawing ends the link. A request after that gets a new one.</p>}
    </>
  );
}
