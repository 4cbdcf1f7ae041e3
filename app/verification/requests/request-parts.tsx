import { eq, sql } from "drizzle-orm";
import { Fragment } from "react";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { ItemState } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { IS_LIVE, isOwn, mayBeAsked } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { State, type StateName } from "#app/ui/page.tsx";

/* The parts that the list of requests and the page of one request share. */

/** How many records a supervisor can be asked about and is not, and how many of these were declined and not corrected. */
export interface Askable {
  n: number;
  declined: number;
}

export const NOTHING: Askable = { n: 0, declined: 0 };

/**
 * The query for the number of a user's records that a supervisor can be asked to verify and is not. Indexes cover it, but for
 * the records of the kinds of which some are never asked about.
 */
export function countAskable(db: Db, owner: Owner) {
  const keptForOwner = KINDS.filter(({ unasked }) => unasked).map(
    (kind) => sql`${isOwn(owner, kind)} AND verified = 0 AND NOT (${mayBeAsked(kind)})`,
  );
  return db
    .select({
      n: sql<number>`(SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND verified = 0 AND ${IS_LIVE})
        - (SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND requested_at IS NOT NULL)
        ${sql.join(keptForOwner.map((kept) => sql`- (SELECT count(*) FROM ${records} WHERE ${kept})`))}`.as("n"),
      declined: sql<number>`(SELECT count(*) FROM ${records} WHERE user_id = ${owner} AND verified = 0 AND ${IS_LIVE}
        AND declined_at IS NOT NULL)`.as("declined"),
    })
    .from(users)
    .where(eq(users.id, owner));
}

/** `3 records are not with a supervisor`, and how many of them were declined. `more`: besides those of a request. */
export function askableText({ n, declined }: Askable, more = ""): string {
  if (n === 0) return "No record is left to send to a supervisor.";
  const are = `${n} ${more}${n === 1 ? "record is" : "records are"} not with a supervisor`;
  if (declined === 0) return `${are}.`;
  if (declined === n) return `${are}: declined, and not corrected since.`;
  return `${are}, of which ${declined} ${declined === 1 ? "was" : "were"} declined and not corrected since.`;
}

/** Counts the items in each state. */
export function countByState(items: readonly { state: ItemState; n: number }[]): Record<ItemState, number> {
  const counts = { waiting: 0, verified: 0, declined: 0, ended: 0 };
  for (const { state, n } of items) counts[state] += n;
  return counts;
}

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
