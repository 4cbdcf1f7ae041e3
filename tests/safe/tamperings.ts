import { keyId } from "#app/proof/signing-key.ts";
import { pick } from "#demo/random.ts";
import { EVENT_TAMPERINGS } from "./event-tamperings.ts";
import { FACTS_TAMPERINGS } from "./facts-tamperings.ts";
import { RECORD_TAMPERINGS } from "./record-tamperings.ts";
import { rewrittenChain } from "./rewritten-chain.ts";
import type { Tampering } from "./tampering.ts";

/** The ways that leave correct hashes: only the digest, compared with an earlier one, differs. */
const DIGEST_TAMPERINGS: Tampering[] = [
  {
    name: "a verified record is changed, and its whole log is written again",
    foundBy: "digest",
    statements: (world, next) => rewrittenChain(world, pick(next, world.verified)),
  },
  {
    name: "the verifier is changed after all facts about supervisors were erased",
    foundBy: "digest",
    statements: ({ verified }, next) => {
      const { id } = pick(next, verified);
      return [
        "DELETE FROM event_facts WHERE about = 'supervisor'",
        `UPDATE records SET verified_by = 'somebody else' WHERE id = ${id}`,
      ];
    },
  },
];

/** An index that disagrees with its table cannot be made by statements: app/audit-log/check-tables.worker.test.ts makes one. */
const ID_TAMPERINGS: Tampering[] = [
  {
    name: "the events of a record get ids below 1, with their facts",
    foundBy: "checkpoint",
    statements: ({ events }, next) => {
      const of = `record_id = ${pick(next, events).recordId}`;
      const moved = `SELECT technician_hash FROM verification_log WHERE ${of}
        UNION SELECT supervisor_hash FROM verification_log WHERE ${of}`;
      return pastChecks(
        `UPDATE event_facts SET first_event = first_event - 1000, last_event = last_event - 1000 WHERE hash IN (${moved})`,
        `UPDATE verification_log SET id = id - 1000 WHERE ${of}`,
      );
    },
  },
  {
    name: "the count of all events is higher than the last one",
    foundBy: "tables",
    statements: () => ["UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'verification_log'"],
  },
  ...["records", "verification_requests", "verification_log"].flatMap((table) =>
    ["0", "-1", "9007199254740993"].map(
      (id): Tampering => ({
        name: `a row of ${table} gets the id ${id}`,
        foundBy: "tables",
        statements: () => [
          "PRAGMA defer_foreign_keys = ON",
          ...pastChecks(
            `UPDATE ${table} SET id = ${id} WHERE id = (SELECT max(id) FROM ${table})`,
            ...(table === "records"
              ? [`UPDATE verification_items SET record_id = ${id} WHERE record_id NOT IN (SELECT id FROM records)`]
              : []),
            ...(table === "verification_requests"
              ? ["verification_items", "verification_answers", "request_events"].map(
                  (child) => `UPDATE ${child} SET request_id = ${id} WHERE request_id NOT IN (SELECT id FROM ${table})`,
                )
              : []),
          ),
        ],
      }),
    ),
  ),
];

function pastChecks(...statements: string[]): string[] {
  return ["PRAGMA ignore_check_constraints = ON", ...statements, "PRAGMA ignore_check_constraints = OFF"];
}

/** Returns a random public key; no one has its private part. */
const randomKey = (next: () => number) =>
  Buffer.from(Array.from({ length: 32 }, () => Math.floor(next() * 256))).toString("base64url");

const KEY_TAMPERINGS: Tampering[] = [
  {
    name: "a key is added that is dated before the others",
    foundBy: "checkpoint",
    statements: (_world, next) => {
      const x = randomKey(next);
      return [
        `INSERT INTO signing_keys SELECT '${keyId(x)}', '${x}', min(added_at) - 100 * 86400000, NULL FROM signing_keys`,
      ];
    },
  },
  {
    name: "a key is added by the name of another",
    foundBy: "checkpoint",
    statements: (_world, next) => [
      `INSERT INTO signing_keys VALUES ('${keyId(randomKey(next))}', '${randomKey(next)}', ${Date.now()}, NULL)`,
    ],
  },
  {
    name: "a key is exchanged, under its name",
    foundBy: "checkpoint",
    statements: (_world, next) => [`UPDATE signing_keys SET x = '${randomKey(next)}'`],
  },
  {
    name: "a key gets another date",
    foundBy: "checkpoint",
    statements: (_world, next) => [`UPDATE signing_keys SET added_at = added_at - ${1 + Math.floor(next() * 1e10)}`],
  },
];

/** All ways, of each subject. */
export const TAMPERINGS: Tampering[] = [
  ...RECORD_TAMPERINGS,
  ...EVENT_TAMPERINGS,
  ...FACTS_TAMPERINGS,
  ...ID_TAMPERINGS,
  ...KEY_TAMPERINGS,
  ...DIGEST_TAMPERINGS,
];
