import type { ReactNode } from "react";
import type { ShownEvent } from "./shown-event.ts";

const ENDED = {
  withdrawn: "Request withdrawn; its link ended",
  edited: "Record changed; its link ended",
  deleted: "Record deleted; its link ended",
  expired: "Request expired",
  disowned: "Verification disowned",
  elsewhere: "Decided through another request",
};

/** The text of an event. Typed names are isolated, so that they cannot change the direction of the text around them. */
export function eventText({ event, supervisor, name, cause }: ShownEvent): ReactNode {
  const recipient = <bdi>{supervisor?.name ?? "A supervisor"}</bdi>;
  switch (event) {
    case "requested":
      return <>{recipient} was asked to verify</>;
    case "mailed":
      return supervisor ? <>Email sent to {recipient}</> : "Email sent";
    case "opened":
      return "Link opened";
    case "verified":
      return (
        <>
          Verified; the name typed was <bdi>{name}</bdi>
        </>
      );
    case "declined":
      return (
        <>
          Declined; the name typed was <bdi>{name}</bdi>
        </>
      );
    case "disowned":
      return "Disowned by the supervisor in whose name it was verified";
    case "withdrawn":
      return ENDED[cause ?? "withdrawn"];
  }
}
