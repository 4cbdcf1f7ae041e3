const STEPS = [
  ["Log", "Enter the hours of your last shift."],
  ["Ask", "Send your supervisor a link. They need no account."],
  ["Export", "Verified hours become a form that an auditor can check."],
] as const;

/** What a new technician does first, before there is a log. */
export function FirstSteps() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">Start here</h2>
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
                <p className="row">
                  <a className="second" href="#new">
                    Add New OJT Hours
                  </a>
                  <a href="/import">Import them</a>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
