import type { ReactNode } from "react";

/**
 * The states of a record, and of what else is done or not; `look` is a fact to look at, without a verdict. They are also the
 * classes of the mark and of its row.
 */
export type StateName = "pending" | "requested" | "declined" | "verified" | "deleted" | "done" | "ends" | "look";

/** A state in a mark and in words: never in colour alone. */
export function State({ of, children }: { of: StateName; children: ReactNode }) {
  return <span className={`${of} state`}>{children}</span>;
}
