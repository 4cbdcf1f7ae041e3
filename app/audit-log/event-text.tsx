import type { ReactNode } from "react";
import type { LogCause } from "#app/db/enumerations.ts";
import type { ShownEvent } from "./shown-event.ts";

const ENDED: Record<LogCause, string> = {
  withdrawn: "Request withdrawn; its link ended",
  edited: "Record changed; its link ended",
  deleted: "Record deleted; its link ended",
  expired: "Request expired; its link ended",
  elsewhere: "Request ended; the record was decided through another one",
  own_mailbox: "Request ended; it had gone to a mailbox of the technician",
  unknown_technician: "Request ended; the supervisor said that they do not know the technician",
};

/** The text of an event. Typed text is isolated, so that it cannot change the direction of the text around it. */
export function eventText({ event, supervisor, name, cause, reason }: ShownEvent): ReactNode {
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
    case "mailed":
      return supervisor ? <>Email sent to {recipient}</> : "Email sent";
    case "opened":
      return "Link opened";
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
          Disowned by the supervisor who was asked; not verified any more
          {why}
        </>
      );
    case "withdrawn":
      return ENDED[cause ?? "withdrawn"];
  }
}
