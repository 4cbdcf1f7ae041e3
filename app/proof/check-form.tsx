import { Alert, PublicLayout } from "#app/ui/page.tsx";

interface CheckFormScreenProps {
  /** The code that was typed, or is in the address. */
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
      <h2>Check it without us</h2>
      <p>
        The large QR code on the last page is a statement, signed with Ed25519 (a JWS). Scan it with an app that shows
        its text, and verify it with <a href="/.well-known/jwks.json">our public keys</a>. The source of this app has a
        program of ten lines for that, in docs/proof.md. Then compare the name, number, totals and count with the paper.
      </p>
    </PublicLayout>
  );
}
