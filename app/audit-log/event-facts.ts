import type { Supervisor } from "#app/supervisors/supervisors.server.ts";

/** A supervisor as they were saved when they were asked. */
export type AskedSupervisor = Omit<Supervisor, "id">;

/**
 * The personal facts of an event. They are stored apart from the event, which contains only a salted hash of them, so that
 * they can be erased (docs/decisions/0049-erasable-facts.md). Every field is optional; a new one needs a line here.
 */
export interface EventFacts {
  /** The client's address and browser, as far as the request told; none for what the timer did. */
  address?: string | null;
  browser?: string | null;
  /** The supervisor who was asked. */
  supervisor?: AskedSupervisor | null;
  /** The technician as the supervisor who verified saw them. */
  technician?: { name: string | null; employeeNumber: string | null } | null;
  /** The name that the supervisor typed. */
  name?: string | null;
  /** The account that was signed in when a supervisor decided. */
  accountId?: number | null;
  /** What the supervisor stated about their certificate. */
  certification?: { scheme?: string; level?: string; number?: string } | null;
  /** Whether a decision came from the network or the browser of one of the technician's sessions. */
  sameNetwork?: boolean | null;
  sameBrowser?: boolean | null;
  /** Why a supervisor declined or disowned a record. */
  reason?: string | null;
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
