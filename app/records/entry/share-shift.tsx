import type { ReactNode } from "react";
import type { Card } from "./shift-card.ts";

interface ShareShiftProps {
  job: Card["job"];
  children: ReactNode;
  className?: string;
}

/** A form that makes the card of a shift: it sends the job as the form of new hours does. */
export function ShareShift({ job: { jobNumber, ...entry }, children, className }: ShareShiftProps) {
  return (
    <form method="post" action="/shift" className={className}>
      {Object.entries(entry).map(([name, value]) => (
        <input key={name} type="hidden" name={`entries[0].${name}`} value={value} />
      ))}
      {jobNumber && <input type="hidden" name="details.jobNumber" value={jobNumber} />}
      {children}
    </form>
  );
}
