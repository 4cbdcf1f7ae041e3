import type { ReactNode } from "react";
import { State } from "#app/ui/state.tsx";
import type { Status } from "./log-filter.ts";

/** The state of a record in a log. */
export function statusOf({ verified, isRequested }: { verified: boolean; isRequested: boolean }): Status {
  if (verified) return "verified";
  return isRequested ? "requested" : "pending";
}

interface StateCellProps {
  status: Status;
  verifiedBy: string | null;
  /** What can be done about a record that is not verified. */
  children?: ReactNode;
}

/** The cell that says the state of its row's record. The row has the state as its class (`statusOf`). */
export function StateCell({ status, verifiedBy, children }: StateCellProps) {
  return (
    <td className="sign">
      <div>
        <State of={status}>{textOf(status, verifiedBy)}</State>
        {status !== "verified" && children}
      </div>
    </td>
  );
}

function textOf(status: Status, verifiedBy: string | null): string {
  if (status === "verified") return `Verified by ${verifiedBy}`;
  return status === "requested" ? "Requested" : "Pending";
}
