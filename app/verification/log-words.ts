import type { LogLine } from "./history.server.ts";

const ENDED = {
  withdrawn: "Request withdrawn; its link ended",
  edited: "Record changed; its link ended",
  deleted: "Record deleted; its link ended",
};

/** What a line of the log tells, in plain words. */
export function wordsOf({ event, supervisor, name, cause }: LogLine): string {
  switch (event) {
    case "requested":
      return supervisor ? `${supervisor.name} was asked to verify` : "A supervisor was asked to verify";
    case "mailed":
      return supervisor ? `Email to ${supervisor.name} handed to the mail service` : "Email handed to the mail service";
    case "opened":
      return "Link opened";
    case "verified":
      return `Verified; the name typed was ${name}`;
    case "withdrawn":
      return ENDED[cause ?? "withdrawn"];
  }
}
