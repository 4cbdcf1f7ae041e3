import type { LinkEnd } from "#app/db/enumerations.ts";
import { countRecords } from "#app/records/kind.ts";

/** The words for the end of a link, or of a record's place in it, by its cause. */
interface EndWords {
  /** To the supervisor, about one record: what happened, and what to do. */
  supervisor: string;
  /** To the supervisor, after a number of records. */
  supervisorCount: string;
  /** To the technician, as the state of a record. */
  technician: string;
  /** To the technician, after a number of records. */
  technicianCount: string;
}

/** The audit log of a record has words of its own (`eventText`): it says who acted, to readers who are neither of the two. */
export const LINK_ENDS: Record<LinkEnd, EndWords> = {
  withdrawn: {
    supervisor: "The technician has withdrawn this request. There is nothing for you to do.",
    supervisorCount: "withdrawn by the technician",
    technician: "Withdrawn",
    technicianCount: "withdrawn",
  },
  edited: {
    supervisor: "The technician has changed this record, which ended this link. There is nothing for you to do.",
    supervisorCount: "changed by the technician",
    technician: "Changed since",
    technicianCount: "changed by you",
  },
  deleted: {
    supervisor: "The technician has deleted this record. There is nothing for you to do.",
    supervisorCount: "deleted by the technician",
    technician: "Deleted",
    technicianCount: "deleted by you",
  },
  deleted_by_admin: {
    supervisor: "An admin has deleted this record. There is nothing for you to do.",
    supervisorCount: "deleted by an admin",
    technician: "Deleted by an admin",
    technicianCount: "deleted by an admin",
  },
  expired: {
    supervisor: "This link has expired. If you still want to verify this record, ask the technician for a new link.",
    supervisorCount: "expired",
    technician: "Link expired",
    technicianCount: "expired",
  },
  disowned: {
    supervisor: "The verification that was made through this link was withdrawn by the supervisor.",
    supervisorCount: "verified here, and later withdrawn by the supervisor",
    technician: "Verification withdrawn by the supervisor",
    technicianCount: "no longer verified: verification withdrawn by the supervisor",
  },
  elsewhere: {
    supervisor: "This record was decided through another link. There is nothing for you to do.",
    supervisorCount: "decided through another link",
    technician: "Decided elsewhere",
    technicianCount: "decided through another request",
  },
  own_mailbox: {
    supervisor: "This link was mailed to a mailbox of the technician, who cannot verify their own hours.",
    supervisorCount: "asked of the technician's own mailbox",
    technician: "Your own mailbox",
    technicianCount: "asked of your own mailbox",
  },
  unknown_technician: {
    supervisor:
      "The person who was asked said that they do not know this technician, so the request has ended. There is nothing for you to do.",
    supervisorCount: "ended: the supervisor does not know the technician, and we have told the technician",
    technician: "The supervisor does not know you",
    technicianCount: "ended: the supervisor said that they do not know you",
  },
};

/**
 * Returns how many records of a request ended, and why, for its supervisor or its technician: `2 records withdrawn`.
 */
export function endText(cause: LinkEnd, n: number, reader: "supervisor" | "technician"): string {
  return `${countRecords(n)} ${LINK_ENDS[cause][`${reader}Count`]}`;
}

/** Returns why a link has ended, for its supervisor, if it asked for one record or for several. */
export function linkEndedText(ended: LinkEnd, isSeveral: boolean): string {
  const text = LINK_ENDS[ended].supervisor;
  return isSeveral ? text.replace("this record", "these records") : text;
}

/** The message for a link that cannot be used (spec section 8). */
export const LINK_FAILURE = "This entry may have already been verified or the link is invalid.";

/** The message of an API call whose link cannot be used. */
export function linkFailureMessage({ ended, isSeveral }: { ended: LinkEnd | null; isSeveral: boolean }): string {
  return ended ? `${LINK_FAILURE} ${linkEndedText(ended, isSeveral)}` : LINK_FAILURE;
}
