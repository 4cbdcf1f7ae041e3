import type { LogCause, LogEvent, Side } from "#app/db/enumerations.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";

/** A supervisor as they were saved when they were asked. */
export type AskedSupervisor = Omit<Supervisor, "id">;

/**
 * The personal facts of an event. They are stored apart from the event, which contains only salted hashes of them, so that
 * they can be erased (docs/decisions/0018-the-audit-log.md). Every field is optional; a new one needs a line here, and one
 * in `ABOUT`, which says who can have it erased.
 */
export interface EventFacts {
  /** The client's address and browser, as far as the request told; none for what the timer did. */
  address?: string | null;
  browser?: string | null;
  /** The supervisor who was asked. */
  supervisor?: AskedSupervisor | null;
  /** The technician as the supervisor who verified saw them, and the id of their account. */
  technician?: { id: number; name: string | null; employeeNumber: string | null } | null;
  /** The name that the supervisor typed. */
  name?: string | null;
  /** The name of the supervisor whom the technician had asked, where the one who verified typed another. */
  asked?: string | null;
  /** Whether there is such a name. It names nobody, so it stays when the name is erased. */
  otherAsked?: boolean | null;
  /** The address through whose mailbox a decision came; none by link. */
  mailbox?: string | null;
  /** The account that was signed in when a supervisor decided. */
  accountId?: number | null;
  /** What the supervisor stated about their certificate. */
  certification?: { scheme?: string; level?: string; number?: string } | null;
  /** Whether a decision came from the network or the browser of one of the technician's sessions. */
  sameNetwork?: boolean | null;
  sameBrowser?: boolean | null;
  /** Why a supervisor declined or disowned a record. */
  reason?: string | null;
  /** What an edit changed: the value before and after it, by the name of the field. */
  changes?: Changes | null;
}

type ChangedValue = string | number | boolean | null;
export type Changes = Record<string, [before: ChangedValue, after: ChangedValue]>;

/** The side that a fact is about; `actor` is the side that caused the event. */
const ABOUT: Record<keyof EventFacts, Side | "actor"> = {
  address: "actor",
  browser: "actor",
  supervisor: "supervisor",
  technician: "technician",
  name: "supervisor",
  asked: "supervisor",
  otherAsked: "technician",
  mailbox: "supervisor",
  accountId: "supervisor",
  certification: "supervisor",
  sameNetwork: "supervisor",
  sameBrowser: "supervisor",
  reason: "supervisor",
  changes: "technician",
};

const ACTORS: Record<LogEvent, Side> = {
  requested: "technician",
  withdrawn: "technician",
  edited: "technician",
  verified: "supervisor",
  confirmed: "supervisor",
  declined: "supervisor",
  disowned: "supervisor",
};

/** The facts about one side, as the text that is hashed and stored; null if an event has none. */
export function factsAbout(
  side: Side,
  { event, cause }: { event: LogEvent; cause?: LogCause | undefined },
  facts: EventFacts,
): string | null {
  const actor = cause === "unknown_technician" ? "supervisor" : ACTORS[event];
  const own = Object.entries(facts).filter(([fact, value]) => {
    const about = ABOUT[fact as keyof EventFacts]; // its keys are those of EventFacts
    return value !== undefined && (about === "actor" ? actor : about) === side;
  });
  return own.length === 0 ? null : JSON.stringify(Object.fromEntries(own));
}

/** The facts in a stored text. Text that is no JSON object, which only a change past the app can store, has none. */
export function parseFacts(text: string | null): EventFacts {
  try {
    const facts: unknown = JSON.parse(text ?? "{}");
    return typeof facts === "object" && facts !== null && !Array.isArray(facts) ? facts : {};
  } catch {
    return {};
  }
}
