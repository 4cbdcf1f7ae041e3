import { browserName } from "#app/accounts/browser-name.ts";
import type { LinkEnd, RequestEvent, Via } from "#app/db/enumerations.ts";
import { countRecords } from "#app/records/kind.ts";
import type { StateName } from "#app/ui/page.tsx";
import type { ItemRow, RequestEventRow, RequestRow, verificationAnswers } from "#app/verification/requests.table.ts";

type AnswerRow = Pick<typeof verificationAnswers.$inferSelect, "id" | "name" | "via" | "at">;

/** Something that happened to a request. */
export interface Step {
  at: Date;
  /** The state that it leads to. */
  state: StateName;
  /** Who did it, if the text goes on after a name that somebody typed. */
  name?: string;
  text: string;
  /** From where, for what an HTTP request caused. */
  from?: string;
}

const EVENTS: Record<RequestEvent, string> = {
  asked: "Sent again",
  mailed: "Email sent",
  opened: "Link opened",
  reminded: "Reminder sent",
};

const ENDED: Record<LinkEnd, string> = {
  withdrawn: "withdrawn",
  edited: "changed by you",
  deleted: "deleted by you",
  expired: "expired",
  disowned: "not verified any more: verification withdrawn by the supervisor",
  elsewhere: "decided through another request",
  own_mailbox: "asked of your own mailbox",
  unknown_technician: "ended: the supervisor said that they do not know you",
};

const VIAS: Record<Via, string> = { mailbox: "by mailbox", link: "by link" };

/** How many records of a request ended, and why: `2 records withdrawn`. */
export function endText(cause: LinkEnd, n: number): string {
  return `${countRecords(n)} ${ENDED[cause]}`;
}

/** What happened to a request, the first thing first. */
export function timelineOf(
  request: RequestRow,
  items: ItemRow[],
  events: RequestEventRow[],
  answers: AnswerRow[],
): Step[] {
  const { createdAt, requestedAt } = request;
  // The dialog of a record renews its request without an event here: the record's audit log has it.
  const isRenewed = requestedAt > createdAt && !events.some(({ event, at }) => event === "asked" && at >= requestedAt);
  const steps: Step[] = [
    { at: createdAt, state: "requested", text: `Requested for ${countRecords(items.length)}` },
    ...(isRenewed ? [{ at: requestedAt, state: "requested", text: "Requested again" } as const] : []),
    ...events.map(({ event, at, address, browser }): Step => {
      const from = [address, browserName(browser)].filter(Boolean).join(", ");
      return { at, state: "requested", text: EVENTS[event], ...(from && { from }) };
    }),
    ...answers.map((answer) => answerStep(answer, items)),
    ...endSteps(items),
  ];
  return steps.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function answerStep({ id, name, via, at }: AnswerRow, items: ItemRow[]): Step {
  const answered = items.filter(({ answerId }) => answerId === id);
  const of = (state: ItemRow["state"]) => answered.filter((item) => item.state === state).length;
  // What was verified and is disowned since has a step of its own for that.
  const verified = of("verified") + answered.filter(({ cause }) => cause === "disowned").length;
  const declined = of("declined");
  const done = [
    ...(verified > 0 ? [`verified ${countRecords(verified)}`] : []),
    ...(declined > 0 ? [`declined ${countRecords(declined)}`] : []),
  ];
  const state = verified > 0 ? "verified" : "declined";
  return { at, state, name: name ?? "A supervisor", text: `${done.join(" and ") || "answered"}, ${VIAS[via]}` };
}

/** A step for each time and cause at which items ended. */
function endSteps(items: ItemRow[]): Step[] {
  const ended = new Map<string, { at: Date; cause: LinkEnd; n: number }>();
  for (const { state, cause, decidedAt: at } of items) {
    if (state !== "ended" || !cause || !at) continue;
    const key = `${at.getTime()} ${cause}`;
    ended.set(key, { at, cause, n: (ended.get(key)?.n ?? 0) + 1 });
  }
  return [...ended.values()].map(({ at, cause, n }) => ({
    at,
    state: "pending",
    text: endText(cause, n),
  }));
}
