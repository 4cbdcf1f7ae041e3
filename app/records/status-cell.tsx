import type { ReactNode } from "react";

interface StateCellProps {
  verified: boolean;
  verifiedBy: string | null;
  /** What can be done about a pending record. */
  children?: ReactNode;
}

/** The cell that says the state of its row's record, in its class and in words: no row is verified by what it lacks. */
export function StateCell({ verified, verifiedBy, children }: StateCellProps) {
  if (verified) return <td className="ok">Verified by {verifiedBy}</td>;
  return (
    <td className="wait">
      Pending{"\u2002"}
      {children}
    </td>
  );
}
