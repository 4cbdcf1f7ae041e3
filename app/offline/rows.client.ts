import { type FormRow, type Row, recordsOf, type Visit } from "./row.ts";
import { inStore } from "./store.client.ts";

interface Stored {
  /** Undefined if nobody is signed in, as far as this browser knows. */
  visit: Visit | undefined;
  /** The rows of all users of this browser, in the order in which they were typed. */
  rows: Row[];
}

function parsed(row: Row | FormRow): Row {
  const { body } = row;
  return { ...row, body: Array.isArray(body[0]) ? recordsOf(body as FormRow["body"]) : (body as Row["body"]) };
}

export async function readStore(): Promise<Stored> {
  const all: (Row | FormRow | Visit)[] = await inStore((rows) => rows.getAll());
  const rows = all.flatMap((row) => ("body" in row ? [parsed(row)] : []));
  const visit = all.find((row): row is Visit => !row.key);
  return { visit, rows: rows.sort((one, other) => one.at - other.at) };
}

/**
 * Replaces a row by others in one transaction: none deletes it. `change` gets the row as it is now, which another tab may
 * have changed; if it returns null, or the row is gone, nothing happens.
 * @returns the rows that were stored, or null
 */
export async function replace(key: string, change: (row: Row) => Row[] | null): Promise<Row[] | null> {
  let stored: Row[] | null = null;
  await inStore((rows) => {
    const request: IDBRequest<Row | FormRow | undefined> = rows.get(key);
    request.onsuccess = () => {
      stored = request.result ? change(parsed(request.result)) : null;
      if (!stored) return;
      rows.delete(key);
      for (const row of stored) rows.put(row);
    };
    return request;
  });
  return stored;
}

/** Deletes a row, also if the page is left at once. */
export function remove(key: string): Promise<unknown> {
  return inStore((rows) => {
    const request = rows.delete(key);
    request.transaction?.commit();
    return request;
  });
}

/** Whether anything is typed. A date alone does not count: new forms have one. */
export function isTyped({ body }: Pick<Row, "body">): boolean {
  return body.some((record) => Object.entries(record).some(([name, value]) => value && !/date$/i.test(name)));
}
