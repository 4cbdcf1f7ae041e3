import type { ReactNode } from "react";
import { type Kind, kindNamed, recordPath } from "#app/records/kinds.ts";
import { Fact, Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { RecordTitle } from "#app/records/record-line.tsx";
import { ViaText } from "#app/records/via.tsx";
import { State } from "#app/ui/state.tsx";
import { verificationOf } from "#app/verification/record.ts";
import type { History, LastRequest } from "./history.server.ts";
import { StatedFacts } from "./stated-facts.tsx";
import { Timeline } from "./timeline.tsx";

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
  const { record, request, isOpen } = history;
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
        <StatedFacts log={history.log} />
        {(request || (isOwn && !verification)) && (
          <section aria-labelledby="request">
            <h2 id="request">Request</h2>
            {request && <RequestFacts at={request.at} supervisor={request.supervisor} timeZone={timeZone} />}
            {isOpen && request?.notice && <p className={`notice ${request.notice.tone}`}>{request.notice.text}</p>}
            {isOwn && !verification && <RequestActions kind={kind} id={id} isOpen={isOpen} />}
          </section>
        )}
      </div>
      <Timeline history={history} timeZone={timeZone} accountHref={accountHref} />
    </div>
  );
}

const NOT_TOLD =
  "The supervisor’s address asked for no more emails, so it is not told of this verification in its name.";

/** The record's state: who verified or declined it, when, how it came, and why. */
function Status({ history, timeZone }: Pick<RecordScreenProps, "history" | "timeZone">) {
  const { record, decision, isOpen, notTold } = history;
  const verification = verificationOf(record.record);
  if (verification) {
    return (
      <p className="notice done">
        <State of="verified">
          Verified by <b dir="auto">{verification.by}</b> on <Instant at={verification.at} timeZone={timeZone} />,{" "}
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
  if (record.record.status === "declined") {
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
  return (
    <p className="notice waiting">
      <State of={isOpen ? "requested" : "pending"}>
        Pending{isOpen ? ": a supervisor has been asked." : ": no supervisor has been asked."}
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
          <Fact term="Phone">{supervisor.phone}</Fact>
          <Fact term="Level">{supervisor.certificationLevel}</Fact>
          <Fact term="Company">{supervisor.company}</Fact>
        </>
      )}
      <Fact term="Requested on">
        <Instant at={at} timeZone={timeZone} />
      </Fact>
    </dl>
  );
}

function RequestActions({ kind, id, isOpen }: { kind: Kind; id: number; isOpen: boolean }) {
  return (
    <>
      <form action={kind.path} className="row">
        <button name="request" value={id} type="submit">
          {isOpen ? "Ask Again" : "Request Verification"}
        </button>
        {isOpen && <a href={`${kind.path}?request=${id}&link=1`}>Show the link</a>}
      </form>
      {isOpen && (
        <form method="post" action={`${recordPath(kind, id)}/withdraw`} className="row">
          <button type="submit" className="second">
            Withdraw request
          </button>
        </form>
      )}
      {isOpen && <p className="hint">Withdrawing ends the link. Asking again makes a new one.</p>}
    </>
  );
}
