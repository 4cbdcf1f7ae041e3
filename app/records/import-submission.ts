import { type SQL, sql } from "drizzle-orm";

/*
 * The records that an import created are known by their submission. It is no hash, as those of forms and calls are, so no
 * Idempotency-Key can make one (app/db/submission.server.ts).
 */

/** The submission of a part of an import: the parameters of D1 have a limited length. */
export function importSubmission(id: number, part: number): string {
  return `import-${id}.${part}`;
}

/** SQL condition: the import created the record. With the owner before it an index answers it. */
export function isOfImport(id: number): SQL {
  // `/` is the character after `.`.
  return sql`submission >= ${`import-${id}.`} AND submission < ${`import-${id}/`}`;
}
