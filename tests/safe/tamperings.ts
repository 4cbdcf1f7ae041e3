import { pick } from "#demo/random.ts";
import { EVENT_TAMPERINGS } from "./event-tamperings.ts";
import { FACTS_TAMPERINGS } from "./facts-tamperings.ts";
import { RECORD_TAMPERINGS } from "./record-tamperings.ts";
import { rewrittenChain } from "./rewritten-chain.ts";
import type { Tampering } from "./tampering.ts";

/** What leaves correct hashes: only the digest, compared with an earlier one, differs. */
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

/** All ways, of each subject. */
export const TAMPERINGS: Tampering[] = [
  ...RECORD_TAMPERINGS,
  ...EVENT_TAMPERINGS,
  ...FACTS_TAMPERINGS,
  ...DIGEST_TAMPERINGS,
];
