import { pick } from "#demo/random.ts";
import type { LogWorld } from "./log-world.ts";
import { rewrittenChain } from "./rewritten-chain.ts";

/**
 * A way to alter the database past its triggers. `statements` alters a random place of a log; none if there is no such
 * place. A new way needs a line in `TAMPERINGS`.
 */
export interface Tampering {
  name: string;
  /** What finds it: the check of the log alone, or only its digest, compared with an earlier one. */
  foundBy: "check" | "digest";
  statements(world: LogWorld, next: () => number): string[];
}

/** More than any number or id: where rows stand that change places. */
const FAR = 1_000_000;

const HEX = "0123456789abcdef";

/** The text with one hexadecimal digit changed. */
function flipped(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  const others = [...HEX].filter((digit) => digit !== text[at]);
  return `${text.slice(0, at)}${pick(next, others)}${text.slice(at + 1)}`;
}

const logUpdate = (set: string, id: number) => `UPDATE verification_log SET ${set} WHERE id = ${id}`;

/** Alters one column of a verified record. */
function ofRecord(name: string, set: (table: string) => string): Tampering {
  return {
    name: `${name} of a verified record`,
    foundBy: "check",
    statements: ({ verified }, next) => {
      const { table, id } = pick(next, verified);
      return [`UPDATE ${table} SET ${set(table)} WHERE id = ${id}`];
    },
  };
}

/** Alters one column of an event. */
function ofEvent(
  name: string,
  set: (event: LogWorld["events"][number], next: () => number) => string | null,
): Tampering {
  return {
    name: `${name} of an event`,
    foundBy: "check",
    statements: ({ events }, next) => {
      const event = pick(next, events);
      const change = set(event, next);
      return change ? [logUpdate(change, event.id)] : [];
    },
  };
}

export const TAMPERINGS: Tampering[] = [
  ofRecord("the hours", () => "hours = hours + 0.25"),
  ofRecord("the place", () => "location = location || ' '"),
  ofRecord("the date", (table) =>
    table === "entries" ? "date = date(date, '-1 day')" : "start_date = date(start_date, '-1 day')",
  ),
  ofRecord("the work", (table) => (table === "entries" ? "method = iif(method = 'MT', 'PT', 'MT')" : "skills = 'X'")),
  ofRecord("the verifier", () => "verified_by = verified_by || 'a'"),
  ofRecord("the time of verification", () => "verified_at = verified_at + 1"),
  ofRecord("the way of verification", () => "verified_via = iif(verified_via = 'link', 'mailbox', 'link')"),
  ofRecord("the whole verification", () => "verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL"),
  ofRecord("the id", () => "id = id + 100000"),
  {
    name: "a record that is not verified is marked as verified",
    foundBy: "check",
    statements: ({ unverified }, next) => {
      const { table, id } = pick(next, unverified);
      const how = `verified_by = 'Ola', verified_at = ${1.9e12}, verified_via = 'mailbox', requested_at = NULL, declined_at = NULL`;
      return [`UPDATE ${table} SET verified = 1, ${how} WHERE id = ${id}`];
    },
  },
  ofEvent("the time", (_event, next) => `at = at + ${1 + Math.floor(next() * 1000)}`),
  ofEvent("the name", ({ event }) => `event = '${event === "opened" ? "requested" : "opened"}'`),
  ofEvent("the way", ({ via }) => `via = '${via === "mailbox" ? "link" : "mailbox"}'`),
  ofEvent("the cause", ({ cause }) => `cause = '${cause === "edited" ? "deleted" : "edited"}'`),
  ofEvent("the record's hash", ({ recordHash }, next) => `record_hash = '${flipped(recordHash, next)}'`),
  ofEvent("the hash of the facts", ({ factsHash }, next) => `facts_hash = '${flipped(factsHash ?? "", next)}'`),
  ofEvent("the hash of the previous event", ({ previous }, next) => `previous = '${flipped(previous, next)}'`),
  ofEvent("the hash", ({ hash }, next) => `hash = '${flipped(hash, next)}'`),
  ofEvent("the number", () => "number = number + 1000"),
  {
    name: "an event is removed",
    foundBy: "check",
    statements: ({ events }, next) => [`DELETE FROM verification_log WHERE id = ${pick(next, events).id}`],
  },
  {
    name: "an event is removed, and the later ones are numbered again",
    foundBy: "check",
    statements: ({ events }, next) => {
      const { id, recordKind, recordId, number } = pick(next, events);
      const later = `record_kind = '${recordKind}' AND record_id = ${recordId} AND number > ${number}`;
      return [
        `DELETE FROM verification_log WHERE id = ${id}`,
        `UPDATE verification_log SET number = number + ${FAR} WHERE ${later}`,
        `UPDATE verification_log SET number = number - ${FAR} - 1 WHERE number > ${FAR}`,
      ];
    },
  },
  {
    name: "the events of a record are removed",
    foundBy: "check",
    statements: ({ events }, next) => {
      const { recordKind, recordId } = pick(next, events);
      return [`DELETE FROM verification_log WHERE record_kind = '${recordKind}' AND record_id = ${recordId}`];
    },
  },
  {
    name: "two events change places",
    foundBy: "check",
    statements: ({ events }, next) => {
      const second = pick(
        next,
        events.filter(({ number }) => number > 1),
      );
      const of = `record_kind = '${second.recordKind}' AND record_id = ${second.recordId}`;
      const [one, other] = [second.number - 1, second.number];
      return [
        `UPDATE verification_log SET number = number + ${FAR} WHERE ${of} AND number IN (${one}, ${other})`,
        `UPDATE verification_log SET number = iif(number = ${FAR + one}, ${other}, ${one}) WHERE ${of} AND number > ${FAR}`,
      ];
    },
  },
  {
    name: "a record gets the log of another",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const own = pick(next, verified);
      const foreign = pick(
        next,
        verified.filter(({ table, id }) => table === own.table && id !== own.id),
      );
      const of = (id: number) => `record_kind = '${own.kind}' AND record_id = ${id}`;
      return [
        `DELETE FROM verification_log WHERE ${of(own.id)}`,
        `UPDATE verification_log SET record_id = ${own.id} WHERE ${of(foreign.id)}`,
      ];
    },
  },
  {
    name: "two records of a kind exchange their logs",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const one = pick(next, verified);
      const other = pick(
        next,
        verified.filter(({ table, id }) => table === one.table && id !== one.id),
      );
      const of = (id: number) => `record_kind = '${one.kind}' AND record_id = ${id}`;
      return [
        `UPDATE verification_log SET record_id = ${FAR + one.id} WHERE ${of(other.id)}`,
        `UPDATE verification_log SET record_id = ${other.id} WHERE ${of(one.id)}`,
        `UPDATE verification_log SET record_id = ${one.id} WHERE record_id = ${FAR + one.id}`,
      ];
    },
  },
  {
    name: "an event is repeated at the end",
    foundBy: "check",
    statements: ({ events }, next) => {
      const { id, recordKind, recordId } = pick(next, events);
      const last = `SELECT max(number) FROM verification_log WHERE record_kind = '${recordKind}' AND record_id = ${recordId}`;
      return [
        `INSERT INTO verification_log SELECT NULL, record_kind, record_id, (${last}) + 1, event, at, cause, via, record_hash,
          facts_hash, previous, hash FROM verification_log WHERE id = ${id}`,
      ];
    },
  },
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
  {
    name: "an event without its facts is made to look older than the hashes of facts",
    foundBy: "check",
    statements: ({ events }, next) => {
      const { id } = pick(next, events.slice(1)); // the first event of all may be older
      return [`DELETE FROM event_facts WHERE event_id = ${id}`, logUpdate("facts_hash = NULL", id)];
    },
  },
  {
    name: "a verified record is changed, and its whole log is written anew",
    foundBy: "digest",
    statements: (world, next) => rewrittenChain(world, pick(next, world.verified)),
  },
  {
    name: "the verifier is changed after all facts were erased",
    foundBy: "digest",
    statements: ({ verified }, next) => {
      const { table, id } = pick(next, verified);
      return ["DELETE FROM event_facts", `UPDATE ${table} SET verified_by = 'somebody else' WHERE id = ${id}`];
    },
  },
  {
    name: "a verified record is invented that looks older than the log",
    foundBy: "digest",
    statements: ({ otherUser }, next) => [
      `INSERT INTO entries (user_id, date, location, method, hours, search, created_at, verified, verified_by, verified_at)
        VALUES (${otherUser}, '2020-01-01', 'X', 'MT', ${1 + Math.floor(next() * 20)}, '', 0, 1, 'X', 1)`,
    ],
  },
];
