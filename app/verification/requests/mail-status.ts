import { formatInstant } from "#app/calendar-date.ts";
import type { ItemState } from "#app/db/enumerations.ts";
import { countRecords } from "#app/records/kind.ts";
import type { Flash } from "#app/server/flash.ts";
import type { LastEmail, Wait } from "#app/supervisor-mail/request.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { isNewSupervisor } from "#app/verification/verification.schema.ts";
import type { NoEmails, RecordRequest } from "./own-requests.server.ts";

/** The state of the email to the supervisor, as a technician sees it. */
export interface MailStatus {
  tone: "done" | "waiting" | "wrong";
  text: string;
  /** Whether the email was or will be sent. Not after an unknown outcome. */
  mayArrive: boolean;
  /**
   * The text of the dialog in place of `text` after the spec's confirmation, which says already that the email has been
   * sent.
   */
  afterConfirmation?: string;
}

const PASS_ON_LINK = "Send them this link yourself.";
const ALSO_PASS_ON = "You can also send them this link yourself.";

const FAILURES = {
  not_set_up: "No email was sent: this installation has no mail service.",
  refused: "could not be sent: the mail service refused it.",
  gave_up: "could not be sent: the mail service did not take it for a day.",
};

/** The message for the technician about an email that waits: why, from when it goes out, and what to do. */
function waitMessage(
  { limit, until }: Wait,
  { name, email }: Pick<Supervisor, "name" | "email">,
  timeZone: string,
): string {
  const recipient = `${name} (${email})`;
  const moment = formatInstant(timeZone, until);
  switch (limit) {
    case "joined":
      return `The email to ${recipient} goes out at ${moment}, together with other requests to them: they had one within the last hour. ${ALSO_PASS_ON}`;
    case "record":
      return `The next email to ${recipient} waits: they get one email about a record in 24 hours, unless you change the record. It goes out by itself, from ${moment}. ${ALSO_PASS_ON}`;
    case "address":
      return `The email to ${recipient} waits: they have had as many emails as we send to one address in 24 hours. It goes out by itself, from ${moment}. ${ALSO_PASS_ON}`;
    case "newAddresses":
      return `The email to ${recipient} waits: you have written to as many new addresses as we allow in 24 hours. It goes out by itself, from ${moment}. ${ALSO_PASS_ON}`;
  }
}

interface Outcome {
  supervisor: Pick<Supervisor, "name" | "email"> | null;
  emailed: boolean;
  limit: Wait | null;
  /** The records of the request; of one that is sent again, those that wait. */
  items: readonly { state: ItemState }[];
}

/** The title of the toast after a request (spec section 8). */
export const REQUEST_SENT = "Verification request sent";

/**
 * The message on the page of a request that was made or renewed: for how many records an email was sent and to whom, or why
 * none was sent. Undefined if there is nothing to say.
 */
export function requestFlash({ supervisor, emailed, limit, items }: Outcome, timeZone: string): Flash | undefined {
  if (limit && supervisor) return { heldBack: waitMessage(limit, supervisor, timeZone) };
  if (!emailed) return undefined;
  const asked = countRecords(items.filter(({ state }) => state === "waiting").length);
  const text = supervisor ? `${asked} to ${supervisor.name} (${supervisor.email})` : asked;
  return { toast: { kind: "success", title: REQUEST_SENT, text } };
}

/** Returns the message of a form that requests a verification after an unknown error. */
export function requestFailure(_error: unknown, form: Pick<FormData, "get">): string {
  return isNewSupervisor(form)
    ? "Failed to create supervisor. Please try again."
    : "Failed to send verification request. Please try again.";
}

/** How a technician hears of an answer: only in the app without mail, or as long as their own address is not confirmed. */
export type NotifiedBy = "email" | "unconfirmed" | "off";

export function notifiedBy(mail: { isConfigured: boolean }, emailConfirmedAt: Date | null | undefined): NotifiedBy {
  if (!mail.isConfigured) return "off";
  return emailConfirmedAt ? "email" : "unconfirmed";
}

/**
 * Returns the state of the last email of a request, as the technician sees it, or the reason why there is none.
 * `noEmails`: why no emails go to its supervisor.
 */
export function mailStatus(
  mail: LastEmail | undefined,
  request: Omit<RecordRequest, "token"> | undefined,
  noEmails: NoEmails | null = null,
): MailStatus | null {
  const recipient = request?.requestedName
    ? `${request.requestedName} (${request.supervisorEmail})`
    : "your supervisor";
  const onItsWay: MailStatus = {
    tone: "waiting",
    text: `The email to ${recipient} is on its way.`,
    mayArrive: true,
    afterConfirmation: `It goes to ${recipient}.`,
  };
  switch (noEmails ?? request?.emailWithheld) {
    case "unconfirmed":
      return {
        tone: "waiting",
        text: `The email to ${recipient} waits until you have confirmed your own email address: open the link in our email. Until then pass this link on yourself.`,
        mayArrive: false,
      };
    case "released":
      return onItsWay;
    case "joined":
      return {
        tone: "waiting",
        text: `The email to ${recipient} goes out within the hour, together with other requests to them. ${ALSO_PASS_ON}`,
        mayArrive: true,
      };
    case "limit":
      return {
        tone: "waiting",
        text: `An email to ${recipient} waits for a limit of a day, and goes out by itself. ${ALSO_PASS_ON}`,
        mayArrive: false,
      };
    case "suppressed":
      return {
        tone: "wrong",
        text: `No email was sent: ${recipient} wants no emails from us. ${PASS_ON_LINK}`,
        mayArrive: false,
      };
    case "unknown_technician":
      return {
        tone: "wrong",
        text: `No email goes out: ${recipient} said that they do not know you, so they get no emails from your account. Ask a supervisor who knows your work, or send them this link yourself.`,
        mayArrive: false,
      };
  }
  if (!mail) return null;
  switch (mail.state) {
    case "sent":
      return {
        tone: "done",
        text: `The email to ${recipient} has been sent.`,
        mayArrive: true,
        afterConfirmation: `It went to ${recipient}.`,
      };
    case "waiting":
    case "claimed":
    case "sending":
      return mail.attempts > (mail.state === "sending" ? 1 : 0)
        ? {
            tone: "waiting",
            text: `The email to ${recipient} did not get through yet. We keep trying; you can also send them this link.`,
            mayArrive: true,
          }
        : onItsWay;
    case "failed": {
      const reason = FAILURES[mail.reason ?? "refused"];
      const text = mail.reason === "not_set_up" ? reason : `The email to ${recipient} ${reason}`;
      return { tone: "wrong", text: `${text} ${PASS_ON_LINK}`, mayArrive: false };
    }
    case "unknown":
      return {
        tone: "wrong",
        text: `The email to ${recipient} may not have arrived: the mail service gave no clear answer. ${PASS_ON_LINK}`,
        mayArrive: false,
      };
    case "cancelled":
      return { tone: "wrong", text: `The email to ${recipient} was not sent. ${PASS_ON_LINK}`, mayArrive: false };
  }
}
