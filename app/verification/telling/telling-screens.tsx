import { type SubmissionResult, useForm } from "@conform-to/react";
import { Field } from "#app/forms/field.tsx";
import { CalendarDay } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import type { VerifiableRecord } from "#app/verification/record.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import { REASON_MAX } from "#app/verification/verification.schema.ts";

/** The pages for supervisors besides a request's: their inbox, disowning, and stopping emails. None has a script. */

type Reply = SubmissionResult<string[]> | null | undefined;

function countOf(n: number): string {
  return n === 1 ? "1 record" : `${n} records`;
}

interface InboxRequestScreenProps {
  /** The answer after asking; null before. */
  done: string | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

/** Asks for an address, to which a link to all that waits for it is sent. */
export function InboxRequestScreen({ done, reply, toast }: InboxRequestScreenProps) {
  const [form, fields] = useForm<{ email: string }>({ id: "inbox", lastResult: reply });
  return (
    <PublicLayout toast={toast}>
      <h1>Records that wait for you</h1>
      {done ? (
        <p className="notice done" role="status">
          <State of="done">{done}</State>
        </p>
      ) : (
        <form method="post" action="/inbox" id={form.id} noValidate>
          <p>
            If technicians asked you to verify their hours, we email you one link to all of it. You need no account.
          </p>
          <Field
            field={fields.email}
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            autoFocus={Boolean(fields.email.errors)}
          />
          <button type="submit" className="tall">
            Send the link
          </button>
        </form>
      )}
    </PublicLayout>
  );
}

export interface InboxItem {
  id: number;
  technician: string | null;
  records: number;
  askedOn: string;
  path: string;
}

/** All requests that wait for an address, or why the link does not work. */
export function InboxScreen({ requests, failure }: { requests: InboxItem[]; failure: string | null }) {
  return (
    <PublicLayout>
      <h1>Records that wait for you</h1>
      {failure && (
        <p className="alert">
          {failure} <a href="/inbox">Send a new link</a>
        </p>
      )}
      {!failure && requests.length === 0 && <p className="empty">Nothing waits for you. Thank you.</p>}
      <ul className="inbox">
        {requests.map(({ id, technician, records, askedOn, path }) => (
          <li key={id}>
            <div>
              <b dir="auto">{technician ?? "A technician"}</b>
              <p className="hint">
                asked on <CalendarDay date={askedOn} />
              </p>
            </div>
            <a className="second" href={path}>{`Check ${countOf(records)}`}</a>
          </li>
        ))}
      </ul>
    </PublicLayout>
  );
}

interface DisownScreenProps {
  token: string;
  notice: { supervisor: { name: string | null }; records: VerifiableRecord[]; disowned: number } | null;
  /** Why the link does not work. */
  failure: string | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

/** Names the records that were verified in somebody's name, and asks before it disowns them. */
export function DisownScreen({ token, notice, failure, reply, toast }: DisownScreenProps) {
  const [form, fields] = useForm<{ reason: string }>({ id: "disown", lastResult: reply });
  if (!notice) {
    return (
      <PublicLayout>
        <h1>Disown records</h1>
        <p className="alert">{failure}</p>
      </PublicLayout>
    );
  }
  const { records, disowned, supervisor } = notice;
  if (records.length === 0) {
    return (
      <PublicLayout toast={toast}>
        <h1>Disown records</h1>
        <p className="notice done" role="status">
          <State of="done">
            {disowned > 0
              ? `${countOf(disowned)} ${disowned === 1 ? "is" : "are"} not verified any more. The technician is told.`
              : "These records do not exist any more."}
          </State>
        </p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout toast={toast}>
      <h1>Did you verify these?</h1>
      <p>
        {`${countOf(records.length)} ${records.length === 1 ? "was" : "were"} verified in the name of `}
        <b dir="auto">{supervisor.name ?? "this address"}</b>. If it was not you, disown them: they are unverified again
        at once, and the technician is told.
      </p>
      <div className="records">
        <ol>
          {records.map((one) => (
            <li key={`${one.kind}:${one.record.id}`}>
              <RecordCells record={one} />
              <p className="hint">
                <bdi>{one.user.name ?? "A technician"}</bdi>, verified as <bdi>{one.record.verifiedBy}</bdi>
              </p>
            </li>
          ))}
        </ol>
      </div>
      <form method="post" action={`/disown/${token}`} id={form.id} noValidate>
        <Field field={fields.reason} label="What happened (optional)" maxLength={REASON_MAX} />
        <button type="submit" className="danger tall">
          {`I did not verify ${records.length === 1 ? "this" : "these"}`}
        </button>
      </form>
    </PublicLayout>
  );
}

interface UnsubscribeScreenProps {
  token: string;
  state: "open" | "done" | "unknown";
}

/** Stops all emails to an address, after it was asked. */
export function UnsubscribeScreen({ token, state }: UnsubscribeScreenProps) {
  return (
    <PublicLayout>
      <h1>Stop all emails</h1>
      {state === "unknown" && <p className="alert">This link is not valid. Open it as it is in the email.</p>}
      {state === "done" && (
        <p className="notice done" role="status">
          <State of="done">This address gets no more emails. Technicians can still send you a link themselves.</State>
        </p>
      )}
      {state === "open" && (
        <form method="post" action={`/unsubscribe/${token}`}>
          <p>
            This address then gets no more requests, reminders or notices from Hours Tracker. Technicians can still send
            you a link themselves.
          </p>
          <button type="submit" className="tall">
            Stop all emails
          </button>
        </form>
      )}
    </PublicLayout>
  );
}
