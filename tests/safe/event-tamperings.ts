import { type EventRow, eventHash, NO_PREVIOUS } from "#app/audit-log/event-hash.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { pick } from "#demo/random.ts";
import type { LogWorld } from "./log-world.ts";
import type { Tampering } from "./tampering.ts";

/** More than any number or id: the place of rows while they change places. */
const FAR = 1_000_000;

const HEX = "0123456789abcdef";

/** The text with one hexadecimal digit changed. */
function flipped(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  const others = [...HEX].filter((digit) => digit !== text[at]);
  return `${text.slice(0, at)}${pick(next, others)}${text.slice(at + 1)}`;
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
      return change ? [`UPDATE verification_log SET ${change} WHERE id = ${event.id}`] : [];
    },
  };
}

/** The ways to change, remove, move or repeat events. */
export const EVENT_TAMPERINGS: Tampering[] = [
  ofEvent("the time", (_event, next) => `at = at + ${1 + Math.floor(next() * 1000)}`),
  ofEvent("the name", ({ event }) => `event = '${event === "requested" ? "edited" : "requested"}'`),
  ofEvent("the way", ({ via }) => `via = '${via === "mailbox" ? "link" : "mailbox"}'`),
  ofEvent("the cause", ({ cause }) => `cause = '${cause === "edited" ? "deleted" : "edited"}'`),
  ofEvent("the record's hash", ({ recordHash }, next) => `record_hash = unhex('${flipped(recordHash, next)}')`),
  ofEvent("the hash of facts about the technician", ({ technicianHash }, next) =>
    technicianHash ? `technician_hash = unhex('${flipped(technicianHash, next)}')` : null,
  ),
  ofEvent("the hash of facts about the supervisor", ({ supervisorHash }, next) =>
    supervisorHash ? `supervisor_hash = unhex('${flipped(supervisorHash, next)}')` : null,
  ),
  ofEvent("the hash of the previous event", ({ previous }, next) => `previous = unhex('${flipped(previous, next)}')`),
  ofEvent("the hash", ({ hash }, next) => `hash = unhex('${flipped(hash, next)}')`),
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
      const { id, recordId, number } = pick(next, events);
      const later = `record_id = ${recordId} AND number > ${number}`;
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
    statements: ({ events }, next) => [`DELETE FROM verification_log WHERE record_id = ${pick(next, events).recordId}`],
  },
  {
    name: "two events change places",
    foundBy: "check",
    statements: ({ events }, next) => {
      const second = pick(
        next,
        events.filter(({ number }) => number > 1),
      );
      const of = `record_id = ${second.recordId}`;
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
        verified.filter(({ id }) => id !== own.id),
      );
      return [
        `DELETE FROM verification_log WHERE record_id = ${own.id}`,
        `UPDATE verification_log SET record_id = ${own.id} WHERE record_id = ${foreign.id}`,
      ];
    },
  },
  {
    name: "two records exchange their logs",
    foundBy: "check",
    statements: ({ verified }, next) => {
      const one = pick(next, verified);
      const other = pick(
        next,
        verified.filter(({ id }) => id !== one.id),
      );
      return [
        `UPDATE verification_log SET record_id = ${FAR + one.id} WHERE record_id = ${other.id}`,
        `UPDATE verification_log SET record_id = ${other.id} WHERE record_id = ${one.id}`,
        `UPDATE verification_log SET record_id = ${one.id} WHERE record_id = ${FAR + one.id}`,
      ];
    },
  },
  {
    name: "an event is repeated at the end",
    foundBy: "check",
    statements: ({ events }, next) => {
      const { id, recordId } = pick(next, events);
      const last = `SELECT max(number) FROM verification_log WHERE record_id = ${recordId}`;
      return [
        `INSERT INTO verification_log SELECT NULL, record_id, (${last}) + 1, event, at, cause, via, record_hash,
          technician_hash, supervisor_hash, previous, hash FROM verification_log WHERE id = ${id}`,
      ];
    },
  },
  {
    name: "a verification is written as the app would, without a request",
    foundBy: "check",
    statements: ({ events, unverified }, next) => {
      const { id, kind, record } = pick(next, unverified);
      const verified = written(events, id, { event: "verified", via: "link", recordHash: recordHash(kind, record) });
      return [
        verified.sql,
        `UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = ${verified.at}, verified_via = 'link',
          requested_at = NULL, declined_at = NULL, deleted_at = NULL WHERE id = ${id}`,
      ];
    },
  },
  {
    name: "events of two records exchange their ids",
    foundBy: "checkpoint",
    statements: ({ events }, next) => {
      const one = pick(next, events);
      const other = pick(
        next,
        events.filter(({ recordId }) => recordId !== one.recordId),
      );
      return [
        `UPDATE verification_log SET id = ${FAR} WHERE id = ${one.id}`,
        `UPDATE verification_log SET id = ${one.id} WHERE id = ${other.id}`,
        `UPDATE verification_log SET id = ${other.id} WHERE id = ${FAR}`,
      ];
    },
  },
  {
    name: "an event is written as the app would, and dated days before",
    foundBy: "checkpoint",
    statements: () => [written([], FAR, { at: new Date(Date.now() - 3 * 24 * 60 * 60 * 1000) }).sql],
  },
  {
    name: "the last event is removed with the count of all",
    foundBy: "checkpoint",
    statements: ({ events }) => [
      `DELETE FROM verification_log WHERE id = ${events.length}`,
      `UPDATE sqlite_sequence SET seq = ${events.length - 1} WHERE name = 'verification_log'`,
    ],
  },
];

/** The statement that appends an event to a record's log with correct hashes, and its time. */
function written(events: LogWorld["events"], recordId: number, over: Partial<EventRow>) {
  const last = events.filter((event) => event.recordId === recordId).at(-1);
  const row = {
    recordId,
    number: (last?.number ?? 0) + 1,
    event: "requested" as const,
    cause: null,
    via: null,
    at: new Date(),
    recordHash: NO_PREVIOUS,
    technicianHash: null,
    supervisorHash: null,
    previous: last?.hash ?? NO_PREVIOUS,
    ...over,
  };
  const via = row.via === null ? "NULL" : `'${row.via}'`;
  const at = row.at.getTime();
  return {
    at,
    sql: `INSERT INTO verification_log VALUES (NULL, ${recordId}, ${row.number}, '${row.event}', ${at}, NULL, ${via},
      unhex('${row.recordHash}'), NULL, NULL, unhex('${row.previous}'), unhex('${eventHash(row)}'))`,
  };
}
