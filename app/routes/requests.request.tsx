import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asc, desc, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { browserName } from "#app/accounts/browser-name.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import recordStyles from "#app/corrections/record-screen.css?inline";
import type { ItemState, LinkEnd, RequestEvent, Via } from "#app/db/enumerations.ts";
import { outbox, supervisors } from "#app/db/schema.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { kindNamed } from "#app/records/all-kinds.ts";
import { recordsById } from "#app/records/any-record.server.ts";
import { formatHours } from "#app/records/hours.ts";
import { type AnyRecord, countRecords, recordPath } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { Instant, recordLine, TypedValues, Value } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { Dialog } from "#app/ui/dialog.tsx";
import { State, type StateName } from "#app/ui/page.tsx";
import { type QrPath, qrPath } from "#app/ui/qr-path.server.ts";
import { requestQueries } from "#app/verification/link.server.ts";
import { endText, LINK_ENDS } from "#app/verification/link-ends.ts";
import recordsStyles from "#app/verification/records.css?inline";
import { listRequestEvents } from "#app/verification/request-events.server.ts";
import { type MailStatus, mailStatus, notifiedBy, REQUEST_SENT } from "#app/verification/requests/mail-status.ts";
import { noEmailsTo, requireRequest, verificationUrl } from "#app/verification/requests/own-requests.server.ts";
import { hasFailedEmail, nextReminder } from "#app/verification/requests/remind.server.ts";
import { CopyLinkButtons, LinkField, NotifiedHint } from "#app/verification/requests/request-dialog.tsx";
import {
  askableText,
  countAskable,
  countByState,
  ITEM_MARKS,
  NOTHING,
  Strip,
} from "#app/verification/requests/request-parts.tsx";
import requestStyles from "#app/verification/requests/request-screen.css?inline";
import {
  type ItemRow,
  type RequestEventRow,
  type RequestRow,
  verificationAnswers,
  verificationRequests,
} from "#app/verification/requests.table.ts";
import { SumsTable, sumsByGroup } from "#app/verification/sums.tsx";
import { closedMailboxes } from "#app/verification/unknown-technicians.server.ts";

export const handle = {
  script: true,
  css: styles + signedInStyles + dialogStyles + recordStyles + recordsStyles + requestStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Request · Hours Tracker" }];

/** `?withdraw=1` opens the dialog that asks before the request is withdrawn. */
export const loader = page(async ({ request, params, context }) => {
  const facts = await findRequestPage(context, parseId(params.id));
  const { searchParams } = new URL(request.url);
  const asksToWithdraw = searchParams.has("withdraw") && facts.request.endedAt === null;
  const wasClosed = searchParams.get("at") === "withdraw";
  return {
    ...facts,
    asksToWithdraw,
    /** The attributes of *Withdraw* while its dialog is open, and after it (app/ui/dialog.tsx). */
    withdrawLink: asksToWithdraw || wasClosed ? { "data-at": "", autoFocus: !asksToWithdraw } : {},
    timeZone: context.timeZone,
  };
});

/** A record of a request on its page; null if it was deleted. */
interface ShownItem {
  kind: string;
  id: number;
  state: ItemState;
  cause: LinkEnd | null;
  reason: string | null;
  record: AnyRecord | null;
}

/**
 * Finds one of the signed-in user's requests with its records and events.
 * @throws {AppError} 404 for an unknown request or another user's
 */
async function findRequestPage(context: AppLoadContext, id: number) {
  const { user, askable, ...rows } = await requireUser(context, (owner, db) => {
    const isMine = sql`id = ${id} AND user_id = ${owner}`;
    const mine = sql`SELECT id FROM ${verificationRequests} WHERE ${isMine}`;
    const { lastEvents: _, owner: _owner, longDays: _days, ...queries } = requestQueries(db, isMine);
    return {
      ...queries,
      askable: countAskable(db, owner),
      closed: closedMailboxes(db, owner),
      supervisors: db
        .select({ email: supervisors.email })
        .from(supervisors)
        .where(sql`user_id = ${owner} AND id = (SELECT supervisor_id FROM ${verificationRequests} WHERE ${isMine})`),
      events: listRequestEvents(db, mine),
      answers: db
        .select({
          id: verificationAnswers.id,
          name: verificationAnswers.name,
          via: verificationAnswers.via,
          at: verificationAnswers.at,
        })
        .from(verificationAnswers)
        .where(sql`request_id IN (${mine})`)
        .orderBy(asc(verificationAnswers.id)),
      mails: db
        .select({ state: outbox.state, reason: outbox.reason, attempts: outbox.attempts, createdAt: outbox.createdAt })
        .from(outbox)
        .where(sql`request_id = (SELECT coalesce(mailed_with, id) FROM ${verificationRequests} WHERE ${isMine})
          AND kind = 'verification_requested'`)
        .orderBy(desc(outbox.id))
        .limit(1),
      failed: db
        .select({ id: verificationRequests.id })
        .from(verificationRequests)
        .where(sql`${isMine} AND ${hasFailedEmail(context)}`),
    };
  });
  const request = requireRequest(rows.request);
  const { reminders, requestedName, supervisorEmail, requestedAt, expiresAt, endedAt, token } = request;
  const isOpen = !endedAt && expiresAt > context.now;
  const records = recordsById(rows.records);
  const noEmails = isOpen ? noEmailsTo(context, request, rows.closed) : null;
  const email = rows.supervisors[0]?.email;
  const url = isOpen ? verificationUrl(context, token) : null;
  return {
    user,
    /** The records that no open request has. */
    askable: askable[0] ?? NOTHING,
    request: { id, reminders, requestedName, supervisorEmail, requestedAt, expiresAt, endedAt },
    notifiedBy: notifiedBy(context.mail, user.emailConfirmedAt),
    link: url && { url, qr: qrPath(url) },
    counts: countByState(rows.items.map(({ state }) => ({ state, n: 1 }))),
    items: rows.items.map(({ kind, recordId, state, cause, reason }): ShownItem => {
      const record = records.get(recordId)?.record;
      return { kind, id: recordId, state, cause, reason, record: record ? withoutOwner(record) : null };
    }),
    mailStatus: shownStatus(context, mailStatus(rows.mails[0], request, noEmails)),
    /** The address that the supervisor got since the request was sent, if it waits. */
    newEmail: isOpen && supervisorEmail !== null && email && email !== supervisorEmail ? email : null,
    /** Why no email or reminder goes to the supervisor. */
    noEmails,
    /** Whether the email waits, so that it is not sent again. */
    emailWaits: request.emailWithheld === "limit" || request.emailWithheld === "joined",
    canRemind:
      isOpen &&
      !noEmails &&
      supervisorEmail !== null &&
      (rows.failed.length > 0 || nextReminder(request) <= context.now),
    nextReminder: nextReminder(request),
    steps: timelineOf(request, rows.items, rows.events, rows.answers),
  };
}

/**
 * Returns why the request that was just made or renewed sent no email; else the state of its last email, except the
 * part that the toast after a request says already.
 */
function shownStatus({ flash }: AppLoadContext, status: MailStatus | null): MailStatus | null {
  if (flash?.toast?.title === REQUEST_SENT && status?.mayArrive) return null;
  return flash?.heldBack ? { tone: "waiting", text: flash.heldBack, mayArrive: false } : status;
}

type AnswerRow = Pick<typeof verificationAnswers.$inferSelect, "id" | "name" | "via" | "at">;

/** Something that happened to a request. */
interface Step {
  at: Date;
  /** The state that it leads to. */
  state: StateName;
  /** The name of the person who did it, if the text goes on after a typed name. */
  name?: string;
  text: string;
  /** From where, for what an HTTP request caused. */
  from?: string;
}

const EVENTS: Record<RequestEvent, string> = {
  asked: "Sent again",
  mailed: "Email sent",
  opened: "Link opened",
  reminded: "Reminder sent",
};

const VIAS: Record<Via, string> = { mailbox: "by mailbox", link: "by link" };

/** Returns the steps of a request, the first one first. */
function timelineOf(request: RequestRow, items: ItemRow[], events: RequestEventRow[], answers: AnswerRow[]): Step[] {
  const { createdAt, requestedAt } = request;
  // The dialog of a record renews its request without an event here: the record's audit log has it.
  const isRenewed = requestedAt > createdAt && !events.some(({ event, at }) => event === "asked" && at >= requestedAt);
  const steps: Step[] = [
    { at: createdAt, state: "requested", text: `Requested for ${countRecords(items.length)}` },
    ...(isRenewed ? [{ at: requestedAt, state: "requested", text: "Requested again" } as const] : []),
    ...events.map(({ event, at, address, browser }): Step => {
      const from = [address, browserName(browser)].filter(Boolean).join(", ");
      return { at, state: "requested", text: EVENTS[event], ...(from && { from }) };
    }),
    ...answers.map((answer) => answerStep(answer, items)),
    ...endSteps(items),
  ];
  return steps.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function answerStep({ id, name, via, at }: AnswerRow, items: ItemRow[]): Step {
  const answered = items.filter(({ answerId }) => answerId === id);
  const of = (state: ItemRow["state"]) => answered.filter((item) => item.state === state).length;
  // Records that were disowned since count as verified here: the withdrawal has a step of its own.
  const verified = of("verified") + answered.filter(({ cause }) => cause === "disowned").length;
  const declined = of("declined");
  const done = [
    ...(verified > 0 ? [`verified ${countRecords(verified)}`] : []),
    ...(declined > 0 ? [`declined ${countRecords(declined)}`] : []),
  ];
  const state = verified > 0 ? "verified" : "declined";
  return { at, state, name: name ?? "A supervisor", text: `${done.join(" and ") || "answered"}, ${VIAS[via]}` };
}

/** A step for each time and cause at which items ended. */
function endSteps(items: ItemRow[]): Step[] {
  const ended = new Map<string, { at: Date; cause: LinkEnd; n: number }>();
  for (const { state, cause, decidedAt: at } of items) {
    if (state !== "ended" || !cause || !at) continue;
    const key = `${at.getTime()} ${cause}`;
    ended.set(key, { at, cause, n: (ended.get(key)?.n ?? 0) + 1 });
  }
  return [...ended.values()].map(({ at, cause, n }) => ({
    at,
    state: "pending",
    text: endText(cause, n, "technician"),
  }));
}

type Facts = ReturnType<typeof useLoaderData<typeof loader>>;

/** A request: to whom it went, its link, each record with its state, and what happened. */
export default function RequestPage() {
  const facts = useLoaderData<typeof loader>();
  const { request, items, counts, mailStatus, link, steps, timeZone, askable, notifiedBy, asksToWithdraw } = facts;
  const { requestedName, supervisorEmail } = request;
  const sums = sumsByGroup(items.flatMap(({ kind, record }) => (record ? [{ kind, record }] : [])));
  return (
    <SignedInLayout
      current="/requests"
      dialog={asksToWithdraw && <WithdrawDialog id={request.id} waiting={counts.waiting} />}
    >
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
            <Validity {...facts} />
            {mailStatus && link && <p className={`notice ${mailStatus.tone}`}>{mailStatus.text}</p>}
            <NewAddress {...facts} />
            {link && (
              <>
                <LinkField url={link.url} />
                <div className="row">
                  <CopyLinkButtons />
                  <a className="second to-link" href="#link-title">
                    QR code
                  </a>
                  <a href={`/requests/${request.id}?withdraw=1`} {...facts.withdrawLink}>
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
          {link && <LinkSection {...facts} {...link} />}
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
    </SignedInLayout>
  );
}

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

/** Offers to send the request to the address that its supervisor has in the list by now. */
function NewAddress({ request: { id, requestedName, supervisorEmail }, newEmail }: Facts) {
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

function Validity({ request: { expiresAt, endedAt }, timeZone, link }: Facts) {
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

type LinkSectionProps = Facts & { qr: QrPath };

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
        <figcaption className="hint">Your supervisor is here? Let them scan this.</figcaption>
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
function WithdrawDialog({ id, waiting }: { id: number; waiting: number }) {
  const path = `/requests/${id}`;
  const closeHref = `${path}?at=withdraw`;
  return (
    <Dialog title="Withdraw request" closeHref={closeHref}>
      <p>
        {waiting === 1 ? "The record that waits" : `The ${waiting} records that wait`} can be asked for again. The link
        ends at once. Verified records stay verified.
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
