import { Fragment } from "react";
import type { ItemState } from "#app/db/enumerations.ts";
import { State, type StateName } from "#app/ui/state.tsx";

/** The mark of an item's state. */
export const ITEM_MARKS: Record<ItemState, StateName> = {
  waiting: "requested",
  verified: "verified",
  declined: "declined",
  ended: "pending",
};

const ORDER: ItemState[] = ["verified", "declined", "waiting", "ended"];

/** The least records that a strip has room for, so that strips of small requests can be compared. */
const LEAST = 32;

/**
 * The records of a request, a graduation each, and how many are in each state. A unit across is one record, of which a
 * dash takes a part.
 */
export function Strip({ counts }: { counts: Record<ItemState, number> }) {
  const parts = ORDER.map((state, index) => ({
    state,
    n: counts[state],
    from: ORDER.slice(0, index).reduce((sum, one) => sum + counts[one], 0),
  })).filter(({ n }) => n > 0);
  const total = ORDER.reduce((sum, state) => sum + counts[state], 0);
  return (
    <>
      <svg
        className="strip"
        viewBox={`0 0 ${Math.max(LEAST, total)} 24`}
        height="25"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="base" d={`M0 23.5h${total}`} />
        {parts.map(({ state, n, from }) => (
          <path key={state} className={state} d={`M${from} 12h${n}`} />
        ))}
        {counts.waiting > 0 && (
          <path className="inside" d={`M${counts.verified + counts.declined} 12h${counts.waiting}`} />
        )}
      </svg>
      <p className="counts">
        {parts.map(({ state, n }) => (
          <Fragment key={state}>
            <State of={ITEM_MARKS[state]}>{`${n} ${state}`}</State>{" "}
          </Fragment>
        ))}
      </p>
    </>
  );
}
