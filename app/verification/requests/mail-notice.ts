import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import type { RequestMail } from "#app/verification/queue-email.server.ts";
import type { ReachedLimit } from "./email-limits.server.ts";

/** What the dialog says of the message to the supervisor. */
export interface MailNotice {
  tone: "done" | "waiting" | "wrong";
  text: string;
  /** Whether *Done* may say that an e-mail has been sent: not where it failed or nobody knows. */
  isUnderWay: boolean;
}

const ELSE = "Send them this link yourself.";

const FAILURES = {
  not_set_up: "No email was sent: this installation has no mail service.",
  refused: "could not be sent: the mail service refused it.",
  gave_up: "could not be sent: the mail service did not take it for a day.",
};

/** Why no email went to a supervisor, when one can again, and what to do, in words for the technician. */
export function emailLimitMessage(
  { limit, until }: ReachedLimit,
  { name, email }: Supervisor,
  timeZone: string,
): string {
  const whom = `${name} (${email})`;
  const moment = formatInstant(timeZone, until);
  switch (limit) {
    case "record":
      return `No new email was sent: ${whom} gets one email about a record in 24 hours, unless you change the record. You can ask for another from ${moment}. ${ELSE}`;
    case "address":
      return `No email was sent: ${whom} has had as many emails as we send to one address in 24 hours. You can ask again from ${moment}. ${ELSE}`;
    case "newAddresses":
      return `No email was sent to ${whom}: you have written to as many new addresses as we allow in 24 hours. You can ask again from ${moment}. ${ELSE}`;
  }
}

/**
 * What is true of the message, in words for the technician, or null where none was stored. The supervisor is among
 * the technician's, unless they were deleted.
 */
export function mailNotice(mail: RequestMail | undefined, supervisors: Supervisor[]): MailNotice | null {
  if (!mail) return null;
  const found = supervisors.find(({ id }) => id === mail.supervisorId);
  const whom = found ? `${found.name} (${found.email})` : "your supervisor";
  switch (mail.state) {
    case "sent":
      return { tone: "done", text: `The email to ${whom} has been sent.`, isUnderWay: true };
    case "waiting":
    case "claimed":
    case "sending":
      return mail.attempts > (mail.state === "sending" ? 1 : 0)
        ? {
            tone: "waiting",
            text: `The email to ${whom} did not get through yet. We keep trying; you can also send them this link.`,
            isUnderWay: true,
          }
        : { tone: "waiting", text: `The email to ${whom} is on its way.`, isUnderWay: true };
    case "failed": {
      const why = FAILURES[mail.reason ?? "refused"];
      const text = mail.reason === "not_set_up" ? why : `The email to ${whom} ${why}`;
      return { tone: "wrong", text: `${text} ${ELSE}`, isUnderWay: false };
    }
    case "unknown":
      return {
        tone: "wrong",
        text: `The email to ${whom} may not have arrived: the mail service gave no clear answer. ${ELSE}`,
        isUnderWay: false,
      };
    case "moot":
      if (!found) {
        const text = `The email was not sent: that supervisor is not in your list any more. ${ELSE}`;
        return { tone: "wrong", text, isUnderWay: false };
      }
      return { tone: "wrong", text: `The email to ${whom} was not sent. ${ELSE}`, isUnderWay: false };
  }
}
