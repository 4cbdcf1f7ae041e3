import { z } from "zod";
import { CERTIFICATION_LEVELS, type LogCause, type LogEvent, type Side } from "#app/db/enumerations.ts";
import { type Evidence, ofStatements, type Statements } from "#app/records/evidence.ts";

/** A supervisor as they were saved at the time of the request. */
export const askedSupervisor = z
  .object({
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    certificationLevel: z.enum(CERTIFICATION_LEVELS).nullable(),
    company: z.string().nullable(),
    role: z.string().nullable(),
  })
  .meta({ id: "AskedSupervisor" });

export type AskedSupervisor = z.output<typeof askedSupervisor>;

const changedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The changes of an edit: the value before and after it, by the name of the field. */
const changes = z.record(z.string(), z.tuple([changedValue, changedValue]));

export type Changes = z.output<typeof changes>;

interface Fact {
  /** The side that it is about, and that can have it erased; `actor` is the side that caused the event. */
  about: Side | "actor";
  /** Its value, as it is stored and as the API shows it. */
  value: z.ZodType;
  /** Its meaning, for the documents of the API. */
  says?: string;
}

/**
 * The personal facts of events. They are stored apart from the event, which contains only salted hashes of them, so
 * that they can be erased (docs/decisions/0018-the-audit-log.md). Each is optional. The facts that are stored, erased,
 * shown and documented follow from this table.
 */
const FACTS = {
  address: {
    about: "actor",
    value: z.string(),
    says: "The client's address, as far as the request had one; null for what the timer did",
  },
  browser: { about: "actor", value: z.string() },
  supervisor: { about: "supervisor", value: askedSupervisor, says: "The supervisor who was asked" },
  technician: {
    about: "technician",
    value: z.object({ id: z.int().positive(), name: z.string().nullable(), employeeNumber: z.string().nullable() }),
    says: "The technician as the supervisor who verified saw them, and the id of their account",
  },
  name: { about: "supervisor", value: z.string(), says: "The name that the supervisor typed" },
  asked: { about: "supervisor", value: z.string(), says: "Who was asked, where who verified typed another name" },
  // It contains no name, so it stays when the name is erased.
  otherAsked: {
    about: "technician",
    value: z.boolean(),
    says: "Whether another was asked, also once that name is erased",
  },
  mailbox: {
    about: "supervisor",
    value: z.string(),
    says: "The address through whose mailbox a decision came; null by link",
  },
  accountId: {
    about: "supervisor",
    value: z.int().positive(),
    says: "The account that was signed in when a supervisor decided",
  },
  certification: {
    about: "supervisor",
    value: z.object({
      scheme: z.string().optional(),
      methods: z.array(z.string()).optional(),
      level: z.string().optional(),
      number: z.string().optional(),
      validUntil: z.string().optional(),
    }),
    says: "What the supervisor stated about their certificate",
  },
  ...ofStatements(({ says, choices }) => ({
    about: "supervisor" as const,
    value: z.enum(Object.keys(choices)),
    says,
  })),
  sameNetwork: {
    about: "supervisor",
    value: z.boolean(),
    says: "Whether a decision came from the network of one of the technician's sessions",
  },
  sameBrowser: { about: "supervisor", value: z.boolean(), says: "Likewise, from the browser" },
  reason: { about: "supervisor", value: z.string(), says: "Why a supervisor declined or disowned a record" },
  revocation: {
    about: "technician",
    value: z.object({ on: z.string(), reason: z.string() }),
    says: "The revocation that the certificate has from this event on; null if it has none, or if it was withdrawn",
  },
  changes: {
    about: "technician",
    value: changes,
    says: "What an edit changed: the value before and after it, by the name of the field",
  },
} satisfies Record<string, Fact>;

type Facts = typeof FACTS;

/** The name of a fact. */
type FactName = keyof Facts;

const NAMES = Object.keys(FACTS) as FactName[]; // its keys are these

/** The facts of an event. */
export type EventFacts = { [Name in FactName]?: z.output<Facts[Name]["value"]> | null };

/** All facts of an event; null those that it does not have, and all once they are erased. */
export type ShownFacts = { [Name in FactName]: z.output<Facts[Name]["value"]> | null };

/** The facts that a form prints (app/records/evidence.ts). */
export type StatedNotes = Pick<Evidence, "certification" | "asked"> & Statements;

/** `ShownFacts` as the API documents them. */
export const shownFactsSchema = z.object(
  Object.fromEntries(
    NAMES.map((name) => {
      const { value, says }: Fact = FACTS[name];
      return [name, says === undefined ? value.nullable() : value.nullable().meta({ description: says })];
    }),
  ) as { [Name in FactName]: z.ZodNullable<Facts[Name]["value"]> }, // of each name
);

/** The facts with those that are missing as null, so that a shown event always has all fields. */
export function withAllFacts(facts: EventFacts): ShownFacts {
  return Object.fromEntries(NAMES.map((name) => [name, facts[name] ?? null])) as ShownFacts; // of each name
}

const ACTORS: Record<LogEvent, Side> = {
  requested: "technician",
  withdrawn: "technician",
  edited: "technician",
  revoked: "technician",
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
    const { about } = FACTS[fact as FactName]; // its keys are those of EventFacts
    return value !== undefined && (about === "actor" ? actor : about) === side;
  });
  return own.length === 0 ? null : JSON.stringify(Object.fromEntries(own));
}

/**
 * Returns the statements of a verification about its supervisor, from the facts of its event about each side; these are
 * null if they are erased. A statement that is erased is undefined, one that was not made is null. The name of another
 * supervisor of the request is null once it is erased.
 */
export function statedNotes(supervisor: EventFacts | null, technician: EventFacts | null): StatedNotes {
  if (!supervisor) return technician?.otherAsked ? { asked: null } : {};
  const { certification = null, asked } = supervisor;
  return { certification, ...ofStatements((_, name) => supervisor[name] ?? null), ...(asked && { asked }) };
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
