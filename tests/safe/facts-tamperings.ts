import { factsHashOf } from "#app/audit-log/event-hash.server.ts";
import type { Side } from "#app/db/enumerations.ts";
import { pick } from "#demo/random.ts";
import type { LogWorld } from "./log-world.ts";
import type { Tampering } from "./tampering.ts";

/** The condition of the facts of an event about one side. */
const factsOf = (event: LogWorld["events"][number], about: Side) => `hash = unhex('${factsHashOf(event, about)}')`;

const withFacts = (events: LogWorld["events"], about: Side) => events.filter(({ facts }) => facts[about]);

/** The ways to change the facts of events, which are in a table of their own. */
export const FACTS_TAMPERINGS: Tampering[] = [
  ...["name", "mailbox", "address", "browser", "accountId", "supervisor", "reason", "technician"].map(
    (fact): Tampering => ({
      name: `the fact ${fact} is changed`,
      foundBy: "check",
      statements: ({ events }, next) => {
        const about = fact === "technician" ? "technician" : "supervisor";
        return [
          `UPDATE event_facts SET facts = json_set(facts, '$.${fact}', 'somebody else ${next()}')
            WHERE ${factsOf(pick(next, withFacts(events, about)), about)}`,
        ];
      },
    }),
  ),
  {
    name: "the facts about a supervisor who was asked are deleted, and not the name and address in the request",
    foundBy: "check",
    statements: ({ events }, next) => {
      const asked = withFacts(events, "supervisor").filter(
        ({ event, isOfRecord }) => event === "requested" && isOfRecord,
      );
      return [`DELETE FROM event_facts WHERE ${factsOf(pick(next, asked), "supervisor")}`];
    },
  },
  {
    name: "the facts about a supervisor who verified are deleted, and not the name in the answer",
    foundBy: "check",
    statements: ({ events, verified }, next) => {
      const last = verified.map(({ id }) =>
        events.findLast(({ recordId, event }) => recordId === id && event === "verified"),
      );
      const event = pick(next, last);
      return event ? [`DELETE FROM event_facts WHERE ${factsOf(event, "supervisor")}`] : [];
    },
  },
  {
    name: "the facts of an event get another salt",
    foundBy: "check",
    statements: ({ events }, next) => [
      `UPDATE event_facts SET salt = zeroblob(16) WHERE ${factsOf(pick(next, withFacts(events, "supervisor")), "supervisor")}`,
    ],
  },
  {
    name: "the facts of an event are those of another",
    foundBy: "check",
    statements: ({ events }, next) => {
      const own = withFacts(events, "supervisor");
      const [one, other] = [pick(next, own), pick(next, own)];
      if (one.supervisorHash === other.supervisorHash) return [];
      const from = (column: string) =>
        `${column} = (SELECT ${column} FROM event_facts WHERE ${factsOf(other, "supervisor")})`;
      return [`UPDATE event_facts SET ${from("facts")}, ${from("salt")} WHERE ${factsOf(one, "supervisor")}`];
    },
  },
  {
    name: "the facts about one side are moved to the other",
    foundBy: "check",
    statements: ({ events }, next) => {
      const one = pick(
        next,
        withFacts(events, "supervisor").filter(({ facts }) => !facts.technician),
      );
      return one ? [`UPDATE event_facts SET about = 'technician' WHERE ${factsOf(one, "supervisor")}`] : [];
    },
  },
  {
    name: "the facts of an event are given to another account",
    foundBy: "check",
    statements: ({ events, otherUser }, next) => [
      `UPDATE event_facts SET user_id = ${otherUser} WHERE ${factsOf(
        pick(
          next,
          withFacts(events, "supervisor").filter(({ isOfRecord }) => isOfRecord),
        ),
        "supervisor",
      )}`,
    ],
  },
];
