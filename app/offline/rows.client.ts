import type { Row, Visit } from "./row.ts";
import { inStore } from "./store.client.ts";

export interface Stored {
  /** Null if nobody is signed in, as far as this browser knows. */
  visit: Visit | null;
  /** The rows of all users of this browser, in the order in which they were typed. */
  rows: Row[];
}

export async function readStore(): Promise<Stored> {
  const all: (Row | Visit)[] = await inStore((rows) => rows.getAll());
  const rows = all.filter((row): row is Row => row.key !== "").sort((one, other) => one.at - other.at);
  return { visit: all.find((row): row is Visit => row.key === "") ?? null, rows };
}

/**
 * Replaces a row by others in one transaction: none deletes it. `change` gets the row as it is now, which another tab may
 * have changed; if it returns null, or the row is gone, nothing happens.
 * @returns the rows that were stored, or null
 */
export async function replace(key: string, change: (row: Row) => Row[] | null): Promise<Row[] | null> {
  let stored: Row[] | null = null;
  await inStore<Row | undefined>((rows) => {
    const request: IDBRequest<Row | undefined> = rows.get(key);
    request.onsuccess = () => {
      stored = request.result ? change(request.result) : null;
      if (!stored) return;
      if (!stored.some((row) => row.key === key)) rows.delete(key);
      for (const row of stored) rows.put(row);
    };
    return request;
  });
  return stored;
}

export function remove(key: string): Promise<unknown> {
  return replace(key, () => []);
}
