import { MESSAGE_FAILURES } from "#app/db/enumerations.ts";
import type { Metric } from "./exposition.ts";
import { secondsSince } from "./sweeps.ts";

/**
 * The state of the outbox and the size of the database, in one round trip.
 * @throws {Error} if the database cannot be read
 */
export async function databaseMetrics(database: Pick<D1Database, "batch" | "prepare">): Promise<Metric[]> {
  const [waiting, failed] = await database.batch<{
    reason?: string;
    count: number;
    oldest?: number | null;
    keyed?: number;
  }>([
    database.prepare(
      `SELECT count(*) AS count, min(created_at) AS oldest, count(key_refused_at) > 0 AS keyed FROM outbox
        WHERE due_at IS NOT NULL`,
    ),
    database.prepare(`SELECT coalesce(reason, 'unknown') AS reason, count(*) AS count FROM outbox
        WHERE state = 'failed' OR (state = 'unknown' AND attempts > 0) GROUP BY 1`),
  ]);
  const { count = 0, oldest, keyed = 0 } = waiting?.results[0] ?? {};
  const failures = new Map(failed?.results.map(({ reason, count }) => [reason, count]));
  return [
    {
      name: "hourstracker_outbox_waiting_messages",
      type: "gauge",
      help: "Emails that wait to be sent, or to be sent again.",
      samples: [{ value: count }],
    },
    {
      name: "hourstracker_outbox_oldest_waiting_age_seconds",
      type: "gauge",
      help: "Time since the oldest waiting email was written; 0 if none waits.",
      samples: [{ value: typeof oldest === "number" ? secondsSince(oldest) : 0 }],
    },
    {
      name: "hourstracker_outbox_key_refused",
      type: "gauge",
      help: "1 while emails wait because the mail service refuses the key.",
      samples: [{ value: keyed }],
    },
    {
      name: "hourstracker_outbox_failed_messages",
      type: "gauge",
      help: "Emails that will not be tried again and were not sent or, with the reason unknown, may not have arrived.",
      samples: [...MESSAGE_FAILURES, "unknown"].map((reason) => ({
        labels: { reason },
        value: failures.get(reason) ?? 0,
      })),
    },
    {
      name: "hourstracker_database_size_bytes",
      type: "gauge",
      help: "Size of the database.",
      samples: [{ value: waiting?.meta.size_after ?? 0 }],
    },
  ];
}
