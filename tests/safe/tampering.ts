import type { LogWorld } from "./log-world.ts";

/**
 * A way to alter the database past its triggers. `statements` alters a random place of a log; none if there is no such
 * place. A new way needs a line in the list of its subject.
 */
export interface Tampering {
  name: string;
  /**
   * The check that finds it: the check of the log alone; the check of the tables; the check of the checkpoints with one
   * that was kept; or only the digest, compared with an earlier one.
   */
  foundBy: "check" | "tables" | "checkpoint" | "digest";
  statements(world: LogWorld, next: () => number): string[];
}
