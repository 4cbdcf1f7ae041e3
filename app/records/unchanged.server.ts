import { getTableName, type SQL, sql } from "drizzle-orm";
import { columnOf, type Kind, type RecordWithToken } from "./kind.ts";
import { KINDS } from "./kinds.ts";

/** For each kind the condition that its records are unverified and have the content that was read. */
export function areUnchanged(items: { kind: Kind; record: RecordWithToken }[]): SQL[] {
  return KINDS.flatMap((kind) => {
    const records = items.filter((item) => item.kind === kind).map(({ record }) => record);
    if (records.length === 0) return [];
    const table = sql.raw(`"${getTableName(kind.table)}"`);
    const content = [...kind.content, ...kind.marks].map(
      (field) => sql`${table}.${sql.raw(columnOf(kind, field))} = json_each.value ->> ${field}`,
    );
    return [
      sql`${records.length} = (SELECT count(*) FROM json_each(${JSON.stringify(records)}) JOIN ${table}
        ON ${table}.id = json_each.value ->> 'id' WHERE ${table}.verified = 0 AND ${sql.join(content, sql` AND `)})`,
    ];
  });
}
