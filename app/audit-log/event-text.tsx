import type { ReactNode } from "react";
import type { ShownEvent } from "./shown-event.ts";

const ENDED = {
  withdrawn: "Request withdrawn; its link ended",
  edited: "Record changed; its link ended",
  deleted: "Record deleted; its link ended",
};

/** What a line of the log tells, in plain words. A name that was typed turns none of the words around it. */
export function wordsOf({ event, supervisor, name, cause }: ShownEvent): ReactNode {
  const whom = <bdi>{supervisor?.name ?? "A supervisor"}</bdi>;
  switch (event) {
    case "requested":
      return <>{whom} was asked to verify</>;
    case "mailed":
      return supervisor ? <>Email to {whom} handed to the mail service</> : "Email handed to the mail service";
    case "opened":
      return "Link opened";
    case "verified":
      return (
        <>
          Verified; the name typed was <bdi>{name}</bdi>
        </>
      );
    case "withdrawn":
      return ENDED[cause ?? "withdrawn"];
  }
}
