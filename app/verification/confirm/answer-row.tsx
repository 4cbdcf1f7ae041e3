import type { ItemView } from "#app/verification/link-view.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import type { TypedAnswer } from "./typed-answers.ts";

interface AnswerRowProps {
  index: number;
  item: ItemView;
  /** The answer of a form that came back. */
  typed: TypedAnswer | undefined;
  /** Whether the record has changed since it was answered. */
  isChanged: boolean;
  /** Whether it is the first with an error. */
  hasFocus: boolean;
}

const ANSWERS = [
  ["verify", "Verify"],
  ["decline", "Not right"],
  ["skip", "Leave for later"],
] as const;

/**
 * A record of a request with its answer. The style sheet shows the field for the reason while *Not right* is chosen;
 * a browser without `:has()` always shows it.
 */
export function AnswerRow({ index, item, typed, isChanged, hasFocus }: AnswerRowProps) {
  const { error, reason } = typed ?? {};
  const answers = ANSWERS.filter(([value]) => value !== "verify" || item.hasBegun);
  const answer = answers.find(([value]) => value === typed?.answer)?.[0] ?? (item.hasBegun ? "verify" : "skip");
  const name = `items[${index}]`;
  return (
    <li className={isChanged ? "changed" : undefined}>
      <RecordCells id={`r${index}`} record={item.record} notes={item.notes} />
      <input type="hidden" name={`${name}.shown`} value={item.shown} />
      <div className="answers" role="radiogroup" aria-labelledby={`r${index}`}>
        {answers.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={`${name}.answer`}
              value={value}
              defaultChecked={value === answer}
              autoFocus={hasFocus && !error && value === answer}
            />
            {label}
          </label>
        ))}
      </div>
      <label className="reason">
        What is not right?
        <textarea
          name={`${name}.reason`}
          defaultValue={reason}
          autoFocus={hasFocus && Boolean(error)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `e${index}`}
        />
      </label>
      {error && (
        <p className="wrong" id={`e${index}`}>
          {error}
        </p>
      )}
      {isChanged && <p className="wrong">This record was changed since you opened the page. Look at it again.</p>}
    </li>
  );
}
