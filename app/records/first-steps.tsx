const STEPS = [
  ["Log", "Enter the hours of your last shift in the form above."],
  ["Ask", "Send your supervisor a link. They need no account."],
  ["Export", "Verified hours become a form that an auditor can check."],
] as const;

/** What a new technician does, before there is a log. It stands below the form, which is the first step and is first on a phone. */
export function FirstSteps() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">How it works</h2>
      <ol className="steps">
        {STEPS.map(([name, text], index) => (
          <li key={name}>
            <span className="hours" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{name}</b>
              <p className="hint">{text}</p>
              {index === 0 && (
                <a className="second" href="/import">
                  Import earlier hours
                </a>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
