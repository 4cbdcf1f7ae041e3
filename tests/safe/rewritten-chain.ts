import { eventHash, NO_PREVIOUS } from "#app/audit-log/event-hash.server.ts";
import { toHundredths } from "#app/records/hours.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import type { LogWorld } from "./log-world.ts";

/**
 * The statements that change the hours of a verified record and write its whole log again, with correct hashes: what
 * anyone can do who has the program and the database.
 */
export function rewrittenChain({ events }: Pick<LogWorld, "events">, { kind, record }: LogWorld["verified"][number]) {
  const changed = { ...record, hours: Number(record.hours) + 0.25 };
  const hashed = recordHash(kind, changed);
  let previous = NO_PREVIOUS;
  const own = events.filter(({ recordId }) => recordId === record.id);
  return [
    `UPDATE records SET hours = ${toHundredths(changed.hours)} WHERE id = ${record.id}`,
    ...own.map((event) => {
      const written = { ...event, recordHash: hashed, previous };
      const hash = eventHash(written);
      const statement = `UPDATE verification_log SET record_hash = unhex('${hashed}'), previous = unhex('${previous}'),
        hash = unhex('${hash}') WHERE id = ${event.id}`;
      previous = hash;
      return statement;
    }),
  ];
}
