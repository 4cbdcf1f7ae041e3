import type { ReactNode } from "react";
import type { Status, Via } from "#app/db/enumerations.ts";
import { State } from "#app/ui/state.tsx";
import { ViaMark } from "./via.tsx";

const LABELS = { pending: "Pending", requested: "Requested", declined: "Declined", deleted: "Deleted" };

interface StateCellProps {
  status: Status;
  verifiedBy: string | null;
  verifiedVia: Via | null;
  /** More than the name of the state, where it is known. */
  text?: ReactNode;
  /** What can be done about a record that is not verified. */
  children?: ReactNode;
}

/** The cell that says the state of its row's record. The row has the state as its class. */
export function StateCell({ status, verifiedBy, verifiedVia, text, children }: StateCellProps) {
  return (
    <td className="sign">
      <div>
        <State of={status}>
          {text ?? textOf(status, verifiedBy)}
          <ViaMark via={verifiedVia} />
        </State>
        {status !== "verified" && children}
      </div>
    </td>
  );
}

function textOf(status: Status, verifiedBy: string | null): string {
  if (status === "verified") return `Verified by ${verifiedBy}`;
  return LABELS[status];
}
