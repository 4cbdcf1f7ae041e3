import type { ItemState } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { countRecords, recordPath } from "#app/records/kind.ts";
import { Instant, recordLine, TypedValues, Value } from "#app/records/record-facts.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { State } from "#app/ui/page.tsx";
import type { QrPath } from "#app/ui/qr-path.server.ts";
import { LINK_ENDS } from "#app/verification/link-ends.ts";
import { CopyLinkButtons, LinkField, NotifiedHint } from "#app/verification/requests/request-dialog.tsx";
import { SumsTable, sumsByGroup } from "#app/verification/sums.tsx";
import { askableText, ITEM_MARKS, Strip } from "./list-screen.tsx";
import type { findRequestPage, ShownItem, Step } from "./request-page.server.ts";

const STATES: Record<Exclude<ItemState, "ended">, string> = {
  waiting: "Waiting",
  verified: "Verified",
  declined: "Declined",
};

/** The records of a request with what became of each: a table, or cards on a phone. */
function RequestItems({ items }: { items: ShownItem[] }) {
  return (
    <table className="list items">
      <thead>
        <tr>
          <th>Date</th>
          <th>Work</th>
          <th className="number">Hours</th>
          <th className="state-column">State</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </tbody>
    </table>
  );
}

function Item({ item: { kind: name, id, state, cause, reason, record } }: { item: ShownItem }) {
  const kind = kindNamed(name);
  const text = state === "ended" ? LINK_ENDS[cause ?? "withdrawn"].technician : STATES[state];
  const line = record && recordLine(kind, record);
  return (
    <tr className={ITEM_MARKS[state]}>
      {line ? (
        <>
          <td>
            <a href={recordPath(kind, id)}>
              <Value of={line.when} />
            </a>
          </td>
          <td className="full work">
            <div>
              <b>{line.label ? <Value of={line.label} /> : kind.texts.title}</b>
              <TypedValues of={line.typed.slice(0, 1)} />
            </div>
          </td>
          <td className="number">{line.hundredths !== null && formatHours(line.hundredths)}</td>
        </>
      ) : (
        <>
          <td />
          <td className="full hint">A record that you deleted</td>
          <td className="number" />
        </>
      )}
      <td className="full">
        <State of={ITEM_MARKS[state]}>{text}</State>
        {reason && (
          <p className="text" dir="auto">
            {reason}
          </p>
        )}
      </td>
    </tr>
  );
}

type RequestFacts = Omit<Awaited<ReturnType<typeof findRequestPage>>, "user">;

type RequestScreenProps = RequestFacts & {
  timeZone: string;
  /** The attributes of *Withdraw* while its dialog is open, and after it (app/ui/dialog.tsx). */
  withdrawLink?: { "data-at": string; autoFocus: boolean } | undefined;
};

/** A request: to whom it went, its link, each record with its state, and what happened. */
export function RequestScreen(props: RequestScreenProps) {
  const { request, items, counts, mailStatus, link, steps, timeZone, askable, notifiedBy } = props;
  const { requestedName, supervisorEmail } = request;
  const sums = sumsByGroup(items.flatMap(({ kind, record }) => (record ? [{ kind, record }] : [])));
  return (
    <div className="split">
      <div className="results">
        <section>
          <div>
            <h1>
              <bdi>{requestedName ?? "A supervisor"}</bdi>
            </h1>
            <p className="hint">{supervisorEmail}</p>
          </div>
          <Strip counts={counts} />
          <Validity {...props} />
          {mailStatus && link && <p className={`notice ${mailStatus.tone}`}>{mailStatus.text}</p>}
          <NewAddress {...props} />
          {link && (
            <>
              <LinkField url={link.url} />
              <div className="row">
                <CopyLinkButtons />
                <a className="second to-link" href="#link-title">
                  QR code
                </a>
                <a href={`/requests/${request.id}?withdraw=1`} {...props.withdrawLink}>
                  Withdraw
                </a>
              </div>
            </>
          )}
          {link && <NotifiedHint notifiedBy={notifiedBy} />}
          {link && askable.n > 0 && (
            <p className="hint">
              {askableText(askable, "more ")}{" "}
              <a href="/requests/new?all=1">{askable.n === 1 ? "Request it next" : "Request them next"}</a>
            </p>
          )}
        </section>
        <section aria-labelledby="records">
          <header className="head">
            <h2 id="records">Records</h2>
            <span className="hint">{countRecords(items.length)}</span>
          </header>
          {sums.length > 0 && <SumsTable sums={sums} />}
          <RequestItems items={items} />
        </section>
      </div>
      <div className="results">
        {link && <LinkSection {...props} {...link} />}
        <section aria-labelledby="history">
          <h2 id="history">History</h2>
          <ol className="trail">
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a request have an order and nothing else
              <StepLine key={index} step={step} timeZone={timeZone} />
            ))}
          </ol>
        </section>
      </div>
    </div>
  );
}

/** Offers to send the request to the address that its supervisor has in the list by now. */
function NewAddress({ request: { id, requestedName, supervisorEmail }, newEmail }: RequestScreenProps) {
  if (!newEmail) return null;
  return (
    <form method="post" action={`/requests/${id}/remind`} className="notice waiting">
      <p>
        This request went to <b>{supervisorEmail}</b>. In your list <bdi>{requestedName ?? "this supervisor"}</bdi> now
        has <b>{newEmail}</b>. The link stays the same, but from the email to the old address it no longer proves the
        mailbox.
      </p>
      <button type="submit" name="to" value="new" className="second" data-busy="Sending...">
        Send it to the new address
      </button>
    </form>
  );
}

function Validity({ request: { expiresAt, endedAt }, timeZone, link }: RequestScreenProps) {
  if (endedAt) {
    return (
      <p className="hint">
        Finished on <Instant at={endedAt} timeZone={timeZone} />. Its link can no longer be used.
      </p>
    );
  }
  return (
    <p className="hint">
      {link ? "Expires on " : "Expired on "}
      <Instant at={expiresAt} timeZone={timeZone} />
      {link ? "." : ". Make a new request for what is still waiting."}
    </p>
  );
}

interface LinkSectionProps extends RequestScreenProps {
  qr: QrPath;
}

function LinkSection({ request, canRemind, noEmails, emailWaits, nextReminder, timeZone, qr }: LinkSectionProps) {
  const { id, reminders, supervisorEmail } = request;
  const path = `/requests/${id}`;
  return (
    <section aria-labelledby="link-title">
      <h2 id="link-title">Link</h2>
      <p>Anyone with this link can verify these records. They need no account.</p>
      <div className="row">
        {canRemind && (
          <form method="post" action={`${path}/remind`}>
            <button type="submit" className="second" data-busy="Sending...">
              Send again
            </button>
          </form>
        )}
      </div>
      {noEmails && <p className="hint">No email and no reminder goes to this supervisor. Pass the link on yourself.</p>}
      {!canRemind && !noEmails && !emailWaits && supervisorEmail && (
        <p className="hint">
          The email can be sent again from <Instant at={nextReminder} timeZone={timeZone} />.
        </p>
      )}
      {!noEmails && (
        <form method="post" action={`${path}/reminders`} className="apart">
          <span>{reminders ? "Reminders are on." : "Reminders are off."}</span>
          <button type="submit" name="reminders" value={reminders ? "off" : "on"} className="quiet">
            {reminders ? "Turn off" : "Turn on"}
          </button>
        </form>
      )}
      <figure>
        <svg className="qr" viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code of the link">
          <path d={qr.path} />
        </svg>
        <figcaption className="hint">For a supervisor who stands beside you.</figcaption>
      </figure>
    </section>
  );
}

function StepLine({ step: { at, state, name, text, from }, timeZone }: { step: Step; timeZone: string }) {
  return (
    <li className={state}>
      <p className="hint">
        <Instant at={at} timeZone={timeZone} />
        {from && `, ${from}`}
      </p>
      <p>
        {name && (
          <>
            <bdi>{name}</bdi>{" "}
          </>
        )}
        {text}
      </p>
    </li>
  );
}

/** Asks before a request is withdrawn. */
export function WithdrawDialog({ id, waiting }: { id: number; waiting: number }) {
  const path = `/requests/${id}`;
  const closeHref = `${path}?at=withdraw`;
  return (
    <Dialog title="Withdraw request" closeHref={closeHref}>
      <p>
        {waiting === 1 ? "The record that waits" : `The ${waiting} records that wait`} can be asked for again. The link
        ends at once. What was verified stays.
      </p>
      <form method="post" action={`${path}/withdraw`} className="row">
        <a href={closeHref}>Cancel</a>
        <button type="submit" className="danger" data-busy="Withdrawing...">
          Withdraw request
        </button>
      </form>
    </Dialog>
  );
}
