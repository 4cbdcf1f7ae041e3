import type { ReactNode } from "react";

interface StateCellProps {
  verified: boolean;
  verifiedBy: string | null;
  /** Actions for a pending record. */
  children?: ReactNode;
}

export function StateCell({ verified, verifiedBy, children }: StateCellProps) {
  if (verified) return <td className="ok">Verified by {verifiedBy}</td>;
  return (
    <td className="wait">
      Pending{"\u2002"}
      {children}
    </td>
  );
}
