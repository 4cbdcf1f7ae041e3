import type { Via } from "#app/db/enumerations.ts";
import type { Certification } from "#app/verification/verification.schema.ts";

/** A supervisor's answers: every waiting record that is neither declined nor skipped is verified. */
export interface Answers {
  supervisorName: string;
  via: Via;
  certification?: Certification;
  /** The reason for each declined record, by `itemKey`. */
  declined?: Map<string, string>;
  /** The records that are left for later. */
  skipped?: Set<string>;
  /** The hash of each record that the supervisor was shown; without it the current record is answered. */
  shown?: Map<string, string>;
}
