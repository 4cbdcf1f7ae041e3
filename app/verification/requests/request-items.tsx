import type { ItemState, LinkEnd } from "#app/db/enumerations.ts";
import { formatHours } from "#app/records/hours.ts";
import { kindNamed, recordPath } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import { recordLine, TypedValues } from "#app/records/record-line.tsx";
import { State } from "#app/ui/state.tsx";
import type { ShownItem } from "./request-page.server.ts";
import { ITEM_MARKS } from "./strip.tsx";

const STATES: Record<Exclude<ItemState, "ended">, string> = {
  waiting: "Waiting",
  verified: "Verified",
  declined: "Declined",
};

const ENDED: Record<LinkEnd, string> = {
  withdrawn: "Withdrawn",
  edited: "Changed since",
  deleted: "Deleted",
  expired: "Expired",
  disowned: "Disowned",
  elsewhere: "Decided elsewhere",
  own_mailbox: "Your own mailbox",
  unknown_technician: "The supervisor does not know you",
};

/** The records of a request with what became of each: a table, or cards on a phone. */
export function RequestItems({ items }: { items: ShownItem[] }) {
  return (
    <table className="list items">
      <thead>
        <tr>
          <th>Date</th>
          <th>Work</th>
          <th className="number">Hours</th>
          <th className="state-column">State</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </tbody>
    </table>
  );
}

function Item({ item: { kind: name, id, state, cause, reason, record } }: { item: ShownItem }) {
  const kind = kindNamed(name);
  const text = state === "ended" ? ENDED[cause ?? "withdrawn"] : STATES[state];
  const line = record && recordLine(kind, record);
  return (
    <tr className={ITEM_MARKS[state]}>
      {line ? (
        <>
          <td>
            <a href={recordPath(kind, id)}>
              <Value of={line.when} />
            </a>
          </td>
          <td className="full work">
            <div>
              <b>{line.label ? <Value of={line.label} /> : kind.texts.title}</b>
              <TypedValues of={line.typed.slice(0, 1)} />
            </div>
          </td>
          <td className="number">{formatHours(line.hundredths)}</td>
        </>
      ) : (
        <>
          <td />
          <td className="full hint">A record that you deleted</td>
          <td className="number" />
        </>
      )}
      <td className="full">
        <State of={ITEM_MARKS[state]}>{text}</State>
        {reason && (
          <p className="text" dir="auto">
            {reason}
          </p>
        )}
      </td>
    </tr>
  );
}
