import { formatInstant } from "#app/calendar-date.ts";
import { Alert, PublicLayout } from "#app/ui/page.tsx";

interface CheckFormScreenProps {
  /** What was typed, or is in the address. */
  typed: string;
  /** Why it leads to nothing; null before. */
  message: string | null;
}

/** Asks for the code of a form. */
export function CheckFormScreen({ typed, message }: CheckFormScreenProps) {
  return (
    <PublicLayout>
      <h1>Check a form</h1>
      <p>
        Each form of verified hours has a code. Type it here to see which hours were exported, and whether they are
        still verified.
      </p>
      <form action="/check" noValidate>
        <div className="field">
          <label htmlFor="code">Code on the form</label>
          <input
            id="code"
            name="code"
            defaultValue={typed}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            autoFocus={message !== null}
            aria-invalid={message ? true : undefined}
            aria-describedby="code-hint"
          />
          <p className="hint" id="code-hint">
            Such as 7K3M-Q9TX-2HVP-8RDN-4. Small letters, dashes and spaces do not matter.
          </p>
        </div>
        <Alert message={message} />
        <button type="submit" className="tall">
          Check
        </button>
      </form>
    </PublicLayout>
  );
}

/** The page of a code whose export shows nothing any more. */
function NothingShown({ title, text }: { title: string; text: string }) {
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href="/check">Check another form</a>
      </p>
    </PublicLayout>
  );
}

export function ClosedScreen({ closedAt, disowned }: { closedAt: Date; disowned: number }) {
  const withdrawn = disowned === 1 ? "1 of its verifications was" : `${disowned} of its verifications were`;
  const by = disowned === 1 ? "the supervisor" : "their supervisors";
  return (
    <NothingShown
      title="This form was closed"
      text={`The technician closed it on ${inUtc(closedAt)}. It can no longer be checked: ask for a new one.${disowned > 0 ? ` ${withdrawn} withdrawn by ${by}.` : ""}`}
    />
  );
}

export function AccountDeletedScreen({ madeAt, accountDeletedAt }: { madeAt: Date; accountDeletedAt: Date }) {
  return (
    <NothingShown
      title="This account was deleted"
      text={`A form with this code was made here on ${inUtc(madeAt)}. The technician’s account was deleted on ${inUtc(accountDeletedAt)}, and the hours with it.`}
    />
  );
}

function inUtc(at: Date): string {
  return formatInstant("UTC", at);
}
