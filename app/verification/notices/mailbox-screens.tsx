import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Field } from "#app/forms/field.tsx";
import { asTyped, STATEMENT_NAMES, statedText } from "#app/records/evidence.ts";
import { countRecords } from "#app/records/kind.ts";
import type { Toast } from "#app/server/flash.ts";
import { PublicLayout, State } from "#app/ui/page.tsx";
import { itemKey, ownNotice } from "#app/verification/record.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import { checkedKeys, REASON_MAX } from "#app/verification/verification.schema.ts";
import type { Notice } from "./notice-answers.server.ts";

/** The pages for supervisors of disowning, confirming and stopping emails. None has a script. */

type Reply = SubmissionResult<string[]> | null | undefined;

interface NoticeScreenProps {
  /** The path of the link. */
  path: string;
  notice: Notice | null;
  /** Why the link does not work. */
  failure: string | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

/** Names the records that were verified in a supervisor's name, and asks before it disowns those that are chosen. */
export function DisownScreen({ path, notice, failure, reply, toast }: NoticeScreenProps) {
  const [form, fields] = useForm<{ reason: string; records: string }>({ id: "disown", lastResult: reply });
  if (!notice) return <NoticeFailure title="Disown records" failure={failure} />;
  const { count, notified, answered, supervisor } = notice;
  const done =
    answered > 0
      ? `${countRecords(answered)} ${answered === 1 ? "is" : "are"} no longer verified. We have told the technician.`
      : "These records no longer exist.";
  return (
    <PublicLayout toast={toast}>
      <h1>{count === 0 ? "Disown records" : "Did you verify these?"}</h1>
      {(count === 0 || answered > 0) && <Done text={done} />}
      {count > 0 && (
        <>
          <p>
            {`${countRecords(count)} ${count === 1 ? "was" : "were"} verified in the name of `}
            <b dir="auto">{supervisor.name ?? "this address"}</b>. If it was not you, or you verified by mistake, say so
            here: they are unverified again at once, and we tell the technician.
          </p>
          <NoticeForm path={path} id={form.id} {...{ notice, reply }} errors={fields.records.errors}>
            <Field field={fields.reason} label="What happened (Optional)" maxLength={REASON_MAX} />
            <button type="submit" className="danger tall">
              {`I did not verify ${count === 1 ? "this" : "the chosen records"}`}
            </button>
            <button type="submit" name="mistake" value="1" className="danger tall">
              {`I verified ${count === 1 ? "this" : "the chosen records"} by mistake`}
            </button>
            {isLong(notice) && notified > 0 && (
              <button type="submit" name="whole" value="1" className="danger tall">
                {`I did not verify any of the ${countRecords(notified)}${notified < count ? " that the email told of" : ""}`}
              </button>
            )}
          </NoticeForm>
        </>
      )}
    </PublicLayout>
  );
}

/** Names the records that were verified by a link in a supervisor's name, and asks before it confirms those that are chosen. */
export function ConfirmScreen({ path, notice, failure, reply, toast }: NoticeScreenProps) {
  const [form, fields] = useForm<{ records: string }>({ id: "confirm", lastResult: reply });
  if (!notice) return <NoticeFailure title="Confirm records" failure={failure} />;
  const { supervisor, domain, count, answered } = notice;
  const done =
    answered > 0
      ? `${countRecords(answered)} ${answered === 1 ? "is" : "are"} confirmed. Thank you.`
      : "No record that was verified by a link is left to confirm.";
  return (
    <PublicLayout toast={toast}>
      <h1>{count === 0 ? "Confirm records" : "Did you verify these?"}</h1>
      {(count === 0 || answered > 0) && <Done text={done} />}
      {count > 0 && (
        <>
          <p>
            {`${countRecords(count)} ${count === 1 ? "was" : "were"} verified in the name of `}
            <b dir="auto">{supervisor.name ?? "this address"}</b>, by a link that anyone could have used. If it was you,
            confirm them: each record then says that it was confirmed from {domain ?? "your mailbox"}.
          </p>
          <NoticeForm path={path} id={form.id} {...{ notice, reply }} errors={fields.records.errors}>
            <button type="submit" className="tall">
              {`Yes, I verified ${count === 1 ? "this" : "these"}`}
            </button>
            {isLong(notice) && (
              <button type="submit" name="whole" value="1" className="tall">
                {`Yes, I verified all ${countRecords(count)}`}
              </button>
            )}
            <p className="hint">
              If you did not verify some of them, clear their boxes, and open <i>This was not me</i> in the same email.
            </p>
          </NoticeForm>
        </>
      )}
    </PublicLayout>
  );
}

/** Whether a notice has more records than a page shows. */
function isLong({ records, count }: Notice): boolean {
  return count > records.length;
}

interface NoticeFormProps extends RecordBoxesProps {
  path: string;
  id: string;
  /** The fields and buttons below the records. */
  children: ReactNode;
}

/** A page of the records with their boxes, and what answers them. The technician whose records they are only reads them. */
function NoticeForm({ path, id, children, ...boxes }: NoticeFormProps) {
  const { isOwn, next, records, count } = boxes.notice;
  const pages = isLong(boxes.notice) && (
    <p className="hint">
      {`These are ${records.length} of ${countRecords(count)}, the newest first. `}
      {next === null ? <a href={path}>Show the newest</a> : <a href={`${path}?before=${next}`}>Show older ones</a>}
    </p>
  );
  if (isOwn) {
    return (
      <>
        <p className="alert">{ownNotice(records)}</p>
        <RecordBoxes {...boxes} />
        {pages}
      </>
    );
  }
  return (
    <form method="post" action={path} id={id} noValidate>
      <RecordBoxes {...boxes} />
      {pages}
      {children}
    </form>
  );
}

function NoticeFailure({ title, failure }: { title: string; failure: string | null }) {
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p className="alert">{failure}</p>
    </PublicLayout>
  );
}

function Done({ text }: { text: string }) {
  return (
    <p className="notice done" role="status">
      <State of="done">{text}</State>
    </p>
  );
}

interface RecordBoxesProps {
  notice: Notice;
  reply: Reply;
  errors: string[] | undefined;
}

/** The records of a notice, each with a box that is checked to begin with. One alone has none. */
function RecordBoxes({ notice: { records, count, isOwn }, reply, errors }: RecordBoxesProps) {
  const hasBoxes = count > 1 && !isOwn;
  const checked = reply?.initialValue ? checkedKeys(reply.initialValue) : null;
  return (
    <div className="records">
      {errors && (
        <p className="wrong" role="alert">
          {errors[0]}
        </p>
      )}
      <ol>
        {records.map((one, index) => {
          const key = itemKey(one.kind, one.record.id);
          return (
            <li key={key} className={hasBoxes ? "boxed" : undefined}>
              {/* By its name: another record may have come to this link since. */}
              {!hasBoxes && !isOwn && <input type="hidden" name={`records[${index}].key`} value={key} />}
              {hasBoxes && (
                <label>
                  <input
                    type="checkbox"
                    name={`records[${index}].key`}
                    value={key}
                    defaultChecked={checked?.has(key) ?? true}
                    aria-labelledby={`r${index}`}
                  />
                </label>
              )}
              <RecordCells id={`r${index}`} record={one} />
              <p className="hint">
                <bdi>{one.user.name ?? "A technician"}</bdi>, verified as{" "}
                <bdi>{asTyped(one.record.verifiedBy ?? "")}</bdi>
              </p>
              {isStated(one.stated) && (
                <p>
                  Stated: <bdi>{statedText(one.stated, one.kind)}</bdi>
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function isStated(stated: Notice["records"][number]["stated"]): boolean {
  return Boolean(stated.certification) || STATEMENT_NAMES.some((name) => stated[name]);
}

interface UnsubscribeScreenProps {
  /** Null for a link that was never made. */
  token: string | null;
  isStopped: boolean;
  /** Whether that was just done. */
  isDone: boolean;
}

/** Stops all emails to an address, after it was asked, and lets them go out again. */
export function UnsubscribeScreen({ token, isStopped, isDone }: UnsubscribeScreenProps) {
  const path = `/unsubscribe/${token}`;
  return (
    <PublicLayout>
      <h1>Stop all emails</h1>
      {token === null && <p className="alert">This link is not valid. Open it as it is in the email.</p>}
      {token !== null && isStopped && (
        <>
          <Done text="This address gets no more emails. Technicians can still send you a link themselves." />
          <form method="post" action={path}>
            <p>
              If hours are verified in the name of this address, we email it once more. You can let all emails go out
              again at any time, here.
            </p>
            <input type="hidden" name="emails" value="on" />
            <button type="submit" className="second tall">
              Let emails go out again
            </button>
          </form>
        </>
      )}
      {token !== null && !isStopped && (
        <>
          {isDone && <Done text="This address gets emails again." />}
          <form method="post" action={path}>
            <p>
              This address then gets no more requests, reminders or other emails from Hours Tracker, but for one notice
              if hours are verified in its name. Technicians can still send you a link themselves.
            </p>
            <button type="submit" className="tall">
              Stop all emails
            </button>
          </form>
        </>
      )}
    </PublicLayout>
  );
}
