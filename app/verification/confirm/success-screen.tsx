import { kindNamed } from "#app/records/kinds.ts";
import { Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import { type VerifiableRecord, verificationId, verificationOf } from "#app/verification/record.ts";

interface SuccessScreenProps {
  token: string;
  /** The verified record, or null if the token has none. */
  record: VerifiableRecord | null;
  timeZone: string;
}

/** The verification-complete page: what was verified, by whom, when, and the ID to quote. */
export function SuccessScreen({ token, record, timeZone }: SuccessScreenProps) {
  const verification = record && verificationOf(record.record);
  if (!verification) {
    return (
      <PublicLayout>
        <h1>Verification Error</h1>
        <p>No verification details available. This may be an invalid link or the verification has expired.</p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout>
      <h1>Verification Complete</h1>
      <p className="lead">
        <State of="verified">
          Verified by <b dir="auto">{verification.by}</b> on <Instant at={verification.at} timeZone={timeZone} />.
        </State>
      </p>
      <RecordFacts kind={kindNamed(record.kind)} record={record.record} owner={record.user} />
      <p>
        Verification ID <b className="code">{verificationId(token, verification.at)}</b>
      </p>
      <p className="hint">You can close this page.</p>
    </PublicLayout>
  );
}
