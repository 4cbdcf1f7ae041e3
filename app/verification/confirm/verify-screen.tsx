import { type SubmissionResult, useForm } from "@conform-to/react";
import { Field } from "#app/forms/field.tsx";
import { TEXT_MAX } from "#app/forms/fields.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { Instant, RecordFacts } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { Failure } from "#app/ui/failure.tsx";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import { LINK_ENDED, LINK_FAILURE, type LinkView, verificationOf } from "#app/verification/record.ts";

interface VerifyScreenProps {
  token: string;
  link: LinkView;
  /** The hash of what is shown, sent with the form; null without a form. */
  shown?: string | null;
  /** The error if the record has changed since the page was opened. */
  changedMessage?: string | null;
  /** For the time of the verification. */
  timeZone: string;
  /** The result of the last submission. */
  reply?: SubmissionResult<string[]> | null | undefined;
  toast?: Toast | null | undefined;
}

/** The page of a verification link: the record, its owner, one field and one button; or why the link cannot be used. */
export function VerifyScreen({ token, link, shown, changedMessage, timeZone, reply, toast }: VerifyScreenProps) {
  const { state, record, isOwn, ended } = link;
  const [form, fields] = useForm<{ supervisorName: string }>({ id: "verify", lastResult: reply });
  if (state !== "open") {
    const verification = record && verificationOf(record.record);
    return (
      <PublicLayout>
        <h1>Verification Failed</h1>
        <p>{LINK_FAILURE}</p>
        {ended && <p>{LINK_ENDED[ended]}</p>}
        {verification && (
          <>
            <p>
              <State of="verified">
                Verified by <b dir="auto">{verification.by}</b> on <Instant at={verification.at} timeZone={timeZone} />.
              </State>
            </p>
            <p>
              <a href={`/success?token=${token}`}>See the verification</a>
            </p>
          </>
        )}
      </PublicLayout>
    );
  }
  // The server always sends the record; without it there is nothing to confirm (spec section 8).
  if (!record) return <Failure title="Invalid Data Format" text="This link's record could not be read." />;
  const technician = record.user.name || "A technician";
  const kind = kindNamed(record.kind);
  return (
    <PublicLayout toast={toast}>
      <h1>Verify {kind.texts.hours} hours</h1>
      <p className="lead">
        <bdi>{technician}</bdi> asks you to confirm that they worked these hours under your supervision.
      </p>
      {changedMessage && (
        <p className="alert" role="alert">
          {changedMessage}
        </p>
      )}
      <RecordFacts kind={kind} record={record.record} owner={record.user} />
      {isOwn ? (
        <p className="alert">
          These are your own hours, so you can't verify them. Send this page's link to your supervisor.
        </p>
      ) : (
        <form method="post" action={`/verify/${token}`} id={form.id} noValidate>
          <input type="hidden" name="shown" value={shown ?? ""} />
          <Field
            field={fields.supervisorName}
            label="Your name"
            autoComplete="name"
            maxLength={TEXT_MAX}
            autoFocus={Boolean(fields.supervisorName.errors)}
          />
          <p className="hint">Your name will appear on this record as the verifier.</p>
          <button type="submit" className="tall">
            Verify Hours
          </button>
        </form>
      )}
    </PublicLayout>
  );
}
