import { Fragment } from "react";
import { State } from "#app/ui/state.tsx";
import type { SetUpItem } from "./set-up-items.ts";

const STATES = {
  configured: { of: "done", words: "Configured" },
  missing: { of: "requested", words: "Not configured" },
  wrong: { of: "declined", words: "Not usable" },
} as const;

/** What is configured and what is not, and the exact settings. */
export function SetUpList({ items }: { items: SetUpItem[] }) {
  const open = items.filter(({ state }) => state !== "configured").length;
  return (
    <section>
      <h2>Configuration</h2>
      <p>
        {open === 0 ? (
          "Everything is configured."
        ) : (
          <>
            <b>{`${open} of ${items.length} ${open === 1 ? "is" : "are"}`} not configured.</b> Settings are environment
            variables: set them where the program is started, and start it again.
          </>
        )}
      </p>
      <ul className="checks">
        {items.map(({ name, state, text, lines, note }) => (
          <li key={name}>
            <div className="apart">
              <h3>{name}</h3>
              <State of={STATES[state].of}>{STATES[state].words}</State>
            </div>
            <p>{text}</p>
            {lines.length > 0 && (
              <pre>
                <code>{lines.map(lineOf)}</code>
              </pre>
            )}
            {note && <p className="hint">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On a narrow screen a line breaks before its value, not within a word. */
function lineOf(line: string, index: number) {
  const [name, ...values] = line.split("=");
  return (
    <Fragment key={line}>
      {index > 0 && "\n"}
      {name}
      {values.map((value) => (
        <Fragment key={value}>
          =<wbr />
          {value}
        </Fragment>
      ))}
    </Fragment>
  );
}
