import type { ReactNode } from "react";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { asTyped } from "#app/records/evidence.ts";
import { formatHours } from "#app/records/hours.ts";
import { countRecords, hundredthsOf, type ShownRecord, shownValues } from "#app/records/kind.ts";
import { Days, Value } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { PublicLayout, State } from "#app/ui/page.tsx";
import type { ItemView, LinkView, MailboxActs } from "#app/verification/link-view.server.ts";
import { datesOf, itemKey } from "#app/verification/record.ts";
import { addHundredths } from "#app/verification/sums.tsx";
import { groupItems } from "./by-day.ts";
import { EndedItems } from "./ended-screen.tsx";
import { UnknownForm, UnknownTechnician } from "./verify-one.tsx";

/** A request of any technician that waits for the same mailbox. */
export interface Waiting {
  id: number;
  technician: string | null;
  records: number;
  /** The names of the groups of its records, such as their NDT methods. */
  groups: string[];
  /** Null without hours. */
  hundredths: number | null;
  requestedAt: Date;
}

/** The facts that the page of an answered link has besides the link. */
export interface AnsweredFacts {
  /** The other open requests to the mailbox of the mailed link; empty for the bare link. */
  waiting: Waiting[];
  /** The visitor's day. */
  today: string;
}

/**
 * Whether the page of a link says what was answered through it: that of the mailed link, and of any link for several records. The
 * bare link of one record, once it is used, has failed (spec section 8).
 */
export function isAnswered({ state, isSeveral, items }: LinkView, { isMailed }: MailboxActs): boolean {
  const isMine = (item: ItemView) => isDecision(item) || item.cause === "disowned";
  return state === "decided" && (isMailed || isSeveral) && items.some(isMine);
}

function isDecision({ state }: ItemView): boolean {
  return state === "verified" || state === "declined";
}

interface AnsweredScreenProps {
  token: string;
  /** The address of the link, with the secret of the mailed one if it was opened by that. */
  action: string;
  link: LinkView;
  acts: MailboxActs;
  answered: AnsweredFacts;
  timeZone: string;
  toast?: Toast | null | undefined;
}

/** The page of an answered link: what was answered, what else waits for the mailbox, and how to take an answer back. */
export function AnsweredScreen({ token, action, link, acts, answered, timeZone, toast }: AnsweredScreenProps) {
  const { isSeveral, isOwn, items, user } = link;
  const verified = items.filter(({ state }) => state === "verified");
  const declined = items.filter(({ state }) => state === "declined");
  const withdrawn = items.filter(({ cause }) => cause === "disowned");
  const decided = [...verified, ...declined];
  const own = [...decided, ...withdrawn];
  const day = dayText(timeZone, answered.today);
  // A withdrawn item has the time of its withdrawal.
  const times = (decided.length > 0 ? decided : withdrawn).flatMap(({ decidedAt }) => decidedAt ?? []);
  const last = times.reduce((one, other) => (one > other ? one : other));
  const names = [...new Set(own.flatMap(({ decidedBy }) => decidedBy ?? []))];
  const byLink = own.filter(({ decidedVia }) => decidedVia === "link").length;
  const isTheirs = acts.isMailed && own.every(({ decidedVia }) => decidedVia === "mailbox");
  const counts = Object.entries({ verified, declined, withdrawn }).filter(([, some]) => some.length > 0);
  return (
    <PublicLayout toast={toast}>
      <section className="answer">
        <h1>
          {/* Anyone can have answered by the bare link. */}
          {isTheirs ? "You answered on " : "Answered on "}
          {`${day(last)}: `}
          <span>{isSeveral ? counts.map(([word, some]) => `${some.length} ${word}`).join(", ") : counts[0]?.[0]}</span>
        </h1>
        <p className="hint">
          For <bdi>{user.name || "a technician"}</bdi>
          {names.map((name, index) => (
            <span key={name}>
              {index === 0 ? ", as " : " and "}
              <bdi>{asTyped(name)}</bdi>
            </span>
          ))}
          {byLink > 0 && (byLink < own.length ? ", partly by link" : ", by link")}.
          {!isOwn && " Nothing more to do here."}
        </p>
        <ul>
          {verified.length > 0 && <Answers items={verified} state="verified" reason={null} />}
          {byReason(declined).map(([reason, some]) => (
            <Answers key={reason} items={some} state="declined" reason={reason} />
          ))}
          <EndedItems items={items} />
        </ul>
        {decided.length > 0 && (
          <p>
            <a href={`/success?token=${token}`}>
              {verified.length > 0 ? "See the verification and its ID" : "See the answers"}
            </a>
          </p>
        )}
      </section>
      <Elsewhere waiting={answered.waiting} day={day} />
      {!isOwn && (!acts.isMailed || answered.waiting.length > 0) && (
        <p>
          {answered.waiting.length === 0 && "Are records waiting for you? "}
          <a href="/inbox">Send yourself a link to all of them</a>
        </p>
      )}
      {acts.disownHref && <Mistake href={acts.disownHref} verified={verified} name={user.name || "the technician"} />}
      {acts.canRefuse && (
        <>
          <UnknownTechnician name={user.name || "the technician"} hasEnded />
          <UnknownForm action={action} />
        </>
      )}
    </PublicLayout>
  );
}

/** Formats a time as its day, without the year if it is the visitor's. */
function dayText(timeZone: string, today: string) {
  return (at: Date) => {
    const date = toCalendarDate(timeZone, at);
    return date.slice(0, 4) === today.slice(0, 4) ? formatDate(date).slice(0, -5) : formatDate(date);
  };
}

function byReason(declined: ItemView[]): [string, ItemView[]][] {
  const reasons = [...new Set(declined.map(({ reason }) => reason ?? ""))];
  return reasons.map((reason) => [reason, declined.filter((item) => (item.reason ?? "") === reason)]);
}

interface AnswersProps {
  items: ItemView[];
  state: "verified" | "declined";
  /** Why they were declined. */
  reason: string | null;
}

/** Shows how many records have one answer, with their hours; if it is a single record, which one. */
function Answers({ items, state, reason }: AnswersProps) {
  const [first, last] = datesOf(items.map(({ record }) => record));
  const [item] = items;
  return (
    <li>
      <span>
        <State of={state}>
          {`${countRecords(items.length)} ${state}`}
          {reason && (
            <>
              {": "}
              <bdi>{reason}</bdi>
            </>
          )}
        </State>
      </span>
      <Hours of={addHundredths(items.map(({ record }) => hundredthsOf(record.record)))} />
      <span className="hint">
        <Days first={first} last={last} />
        {items.length === 1 && item && <Which item={item} />}
      </span>
    </li>
  );
}

/** Shows the values by which a record differs from others of its day. */
function Which({ item: { record } }: { item: ItemView }): ReactNode {
  const kind = kindNamed(record.kind);
  const typed = typedFirst(record);
  return (
    <>
      {`, ${kind.groupOf(record.record)}`}
      {typed && (
        <>
          , <bdi>{typed}</bdi>
        </>
      )}
    </>
  );
}

/** The first of the values that the technician typed: the place of work, a title. */
function typedFirst({ kind, record }: { kind: string; record: ShownRecord }): string | null {
  const [first] = shownValues(kindNamed(kind), record).flatMap(({ value }) => ("typed" in value ? [value.typed] : []));
  return first ?? null;
}

function Hours({ of: hundredths }: { of: number | null }) {
  return hundredths !== null && <b>{formatHours(hundredths)} h</b>;
}

/**
 * Shows the other open requests to the mailbox, without their links: an email can be forwarded, and its reader must not get the
 * mailbox's links to other requests.
 */
function Elsewhere({ waiting, day }: { waiting: Waiting[]; day: (at: Date) => string }) {
  if (waiting.length === 0) return null;
  const sum = addHundredths(waiting.map(({ hundredths }) => hundredths));
  return (
    <section className="answer">
      <header className="head">
        <h2>Waiting for your answer</h2>
        {sum !== null && <span className="hint">{formatHours(sum)} h</span>}
      </header>
      <ul>
        {waiting.map(({ id, technician, records, groups, hundredths, requestedAt }) => (
          <li key={id}>
            <bdi>{technician || "A technician"}</bdi>
            <Hours of={hundredths} />
            <span className="hint">{`${countRecords(records)}: ${groups.join(", ")}. Asked ${day(requestedAt)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface MistakeProps {
  /** The address that takes back what was verified through the link. */
  href: string;
  verified: ItemView[];
  name: string;
}

/** The ways back for the owner of the mailbox. All of them post to the page that takes verifications back. */
function Mistake({ href, verified, name }: MistakeProps) {
  const isOne = verified.length === 1;
  const sorted = groupItems(verified).flatMap(({ items }) => items);
  return (
    <section className="ways">
      <h2>Was it a mistake?</h2>
      <details>
        <summary>{isOne ? "I verified this by mistake" : "I verified some of these by mistake"}</summary>
        <form method="post" action={href}>
          <div>
            {sorted.map(({ record: { kind: kindName, record } }, index) => (
              <Box key={itemKey(kindName, record.id)} kind={kindName} record={record} index={index} isOne={isOne} />
            ))}
          </div>
          <div className="field">
            <label htmlFor="reason">What's wrong? (Optional)</label>
            <textarea id="reason" name="reason" />
          </div>
          <button type="submit" name="mistake" value="1">
            {isOne ? "Withdraw it" : "Withdraw what is marked"}
          </button>
        </form>
      </details>
      <details className="decline">
        <summary>It was not me who answered</summary>
        <form method="post" action={href}>
          <p>
            {isOne ? "The verification is withdrawn" : `All ${verified.length} verifications are withdrawn`}, and we'll
            let <bdi>{name}</bdi> know.
          </p>
          <button type="submit" name="whole" value="1">
            {isOne ? "Withdraw it" : `Withdraw all ${verified.length}`}
          </button>
        </form>
      </details>
    </section>
  );
}

/** A verified record with its box; of one alone no choice is needed. */
function Box({
  kind: name,
  record,
  index,
  isOne,
}: {
  kind: string;
  record: ShownRecord;
  index: number;
  isOne: boolean;
}) {
  const kind = kindNamed(name);
  const [when] = shownValues(kind, record);
  const hundredths = hundredthsOf(record);
  const key = { name: `records[${index}].key`, value: itemKey(name, record.id) };
  if (isOne) return <input type="hidden" {...key} />;
  return (
    <label className="box">
      <input type="checkbox" {...key} />
      <span className="when">{when && <Value of={when.value} weekdays />}</span>
      <span className="plate">{kind.groupOf(record)}</span>
      {hundredths !== null && <b>{formatHours(hundredths)}</b>}
    </label>
  );
}
