import { browserName } from "#app/accounts/browser-name.ts";
import { eventText } from "#app/audit-log/event-text.tsx";
import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { Fact, Instant } from "#app/records/record-facts.tsx";
import { State, type StateName } from "#app/ui/state.tsx";
import { verificationOf } from "#app/verification/record.ts";
import type { History } from "./history.server.ts";

interface TimelineProps {
  history: History;
  timeZone: string;
  /** The link to an account, for admins. Without it an account is shown as its number alone. */
  accountHref?: ((accountId: number) => string) | undefined;
}

/** The audit log of a record, with the emails and openings of its requests among its events, oldest first. */
export function Timeline({ history: { log, requestEvents, intact, record }, timeZone, accountHref }: TimelineProps) {
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
        {events.length > 0 && <span className="hint">{`${events.length + 1} events`}</span>}
      </header>
      {!intact && (
        <p className="alert">This record was altered: it no longer matches its audit log. Tell your administrator.</p>
      )}
      <ol className="trail">
        <li>
          <p className="hint">
            <Instant at={createdAt} timeZone={timeZone} />
          </p>
          <p>Logged</p>
        </li>
        {events.map(({ key, event, request }) =>
          event ? (
            <LogEvent key={key} shown={event} timeZone={timeZone} accountHref={accountHref} />
          ) : (
            <RequestEvent key={key} shown={request} timeZone={timeZone} />
          ),
        )}
      </ol>
      {intact && log.length > 0 && (
        <p className="hint">
          Each event contains the hash of the one before. All hashes are correct: nothing was changed, removed or added
          {log.some(({ erased }) => erased) && ", except that personal data was erased where it says so"}.
        </p>
      )}
    </section>
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
  mailed: "requested",
  opened: "requested",
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
        {supervisor && ` (${supervisor.email}, ${supervisor.certificationLevel}, ${supervisor.company})`}
        {accountId !== null && (
          <>
            {" Signed in as "}
            {accountHref ? <a href={accountHref(accountId)}>account {accountId}</a> : `account ${accountId}`}
          </>
        )}
        {erased && " (personal data erased)"}
      </p>
      {(shown.sameNetwork || shown.sameBrowser) && <p>{sharedText(shown)}</p>}
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

/** A fact and no verdict: a rig shares one line. */
function sharedText({ sameNetwork, sameBrowser }: ShownEvent): string {
  const both = [sameNetwork && "network", sameBrowser && "browser"].filter(Boolean).join(" and ");
  return `The same ${both} as one of the technician's sessions.`;
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
