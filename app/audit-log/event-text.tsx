import { Fragment, type ReactNode } from "react";
import { formatDay, isCalendarDate } from "#app/calendar-date.ts";
import { type LogCause, METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { choiceLabel } from "#app/records/kind.ts";
import { headingOf } from "#app/server/csv.ts";
import type { Changes } from "./event-facts.ts";
import type { ShownEvent } from "./shown-event.ts";

const ENDED: Record<LogCause, string> = {
  withdrawn: "Request withdrawn; its link no longer works",
  edited: "Record changed; its link no longer works",
  deleted: "Record deleted; its link no longer works",
  deleted_by_admin: "Record deleted by an admin; its link no longer works",
  expired: "Request expired; its link no longer works",
  elsewhere: "Request ended; the record was decided through another one",
  own_mailbox: "Request ended; it had gone to a mailbox of the technician",
  unknown_technician: "Request ended; the supervisor said that they do not know the technician",
};

/** The text of an event. Typed text is isolated, so that it cannot change the direction of the text around it. */
export function eventText({ event, supervisor, name, cause, reason, revocation, changes }: ShownEvent): ReactNode {
  const recipient = <bdi>{supervisor?.name ?? "A supervisor"}</bdi>;
  const typedName = name !== null && (
    <>
      ; the name typed was <bdi>{name}</bdi>
    </>
  );
  const why = reason !== null && (
    <>
      . Reason: <bdi>{reason}</bdi>
    </>
  );
  switch (event) {
    case "requested":
      return <>{recipient} was asked to verify</>;
    case "verified":
      return <>Verified{typedName}</>;
    case "confirmed":
      return "Confirmed from the supervisor’s mailbox";
    case "declined":
      return (
        <>
          Declined{typedName}
          {why}
        </>
      );
    case "disowned":
      return (
        <>
          Verification withdrawn by the supervisor who was asked; no longer verified
          {why}
        </>
      );
    case "withdrawn":
      return (
        <>
          {ENDED[cause ?? "withdrawn"]}
          {changes && <ChangeList changes={changes} />}
        </>
      );
    case "revoked":
      return revocation ? (
        <>
          {`Revoked from ${formatDay(revocation.on)}. Reason: `}
          <bdi>{revocation.reason}</bdi>
        </>
      ) : (
        "Revocation withdrawn"
      );
    case "edited":
      return <>Edited{changes && <ChangeList changes={changes} />}</>;
  }
}

/** Shows the changes of an edit: `. Hours: 7.5 → 8.0`. */
function ChangeList({ changes }: { changes: Changes }) {
  return Object.entries(changes).map(([field, [before, after]]) => (
    <Fragment key={field}>
      {`. ${headingOf(field)}: `}
      <bdi>{valueText(field, before)}</bdi>
      {" → "}
      <bdi>{valueText(field, after)}</bdi>
    </Fragment>
  ));
}

function valueText(field: string, value: Changes[string][0]): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return field === "hours" ? formatHours(toHundredths(value)) : String(value);
  if (field === "category" || field === "part" || field === "basis" || field === "corrected") return choiceLabel(value);
  const method = field === "method" && METHODS.find((one) => one === value);
  if (method) return methodLabel(method);
  return isCalendarDate(value) ? formatDay(value) : value;
}
