import { pick } from "#demo/random.ts";
import type { Tampering } from "./tampering.ts";

/** What changes the facts of events, which stand in a table of their own. */
export const FACTS_TAMPERINGS: Tampering[] = [
  ...["name", "address", "browser", "accountId", "supervisor", "reason"].map(
    (fact): Tampering => ({
      name: `the fact ${fact} is changed`,
      foundBy: "check",
      statements: ({ events }, next) => [
        `UPDATE event_facts SET facts = json_set(facts, '$.${fact}', 'somebody else ${next()}')
          WHERE event_id = ${pick(next, events).id}`,
      ],
    }),
  ),
  {
    name: "the facts of an event get another salt",
    foundBy: "check",
    statements: ({ events }, next) => [
      `UPDATE event_facts SET salt = '${"s".repeat(22)}' WHERE event_id = ${pick(next, events).id}`,
    ],
  },
  {
    name: "the facts of an event are those of another",
    foundBy: "check",
    statements: ({ events }, next) => {
      const [one, other] = [pick(next, events), pick(next, events)];
      if (one.id === other.id) return [];
      const from = (column: string) => `${column} = (SELECT ${column} FROM event_facts WHERE event_id = ${other.id})`;
      return [`UPDATE event_facts SET ${from("facts")}, ${from("salt")} WHERE event_id = ${one.id}`];
    },
  },
  {
    name: "the facts of an event are given to another account",
    foundBy: "check",
    statements: ({ events, otherUser }, next) => [
      `UPDATE event_facts SET user_id = ${otherUser} WHERE event_id = ${
        pick(
          next,
          events.filter(({ isOfRecord }) => isOfRecord),
        ).id
      }`,
    ],
  },
];
