import { newFormKey } from "#app/forms/form-key.ts";
import type { Row } from "./row.ts";
import { readStore, replace } from "./rows.client.ts";

/** The rows of the signed-in user that are saved here and not sent, or refused. */
export async function notSent(): Promise<Row[]> {
  const { visit, rows } = await readStore();
  return rows.filter(({ userId, state }) => userId === visit?.userId && state !== "typed");
}

/** The other records of a row, as a row of their own that waits to be sent. */
function othersOf(row: Row, index: number): Row[] {
  const body = row.body.filter((_, other) => other !== index);
  const { errors: _, ...rest } = row;
  return body.length > 0 ? [{ ...rest, body, state: "saved", key: newFormKey(row.userId) }] : [];
}

/**
 * Takes one record out of the queue to be edited: it becomes a typed row of its own, which is not sent. A row that was
 * sent without an answer stays as it is: changed and sent again, it could be saved twice.
 * @returns the typed row with its errors, or null if it has been sent since
 */
export async function takeOut(key: string, index: number): Promise<Row | null> {
  const stored = await replace(key, (row) => {
    const record = row.body[index];
    if (row.state === "sent" || !record) return null;
    const errors = row.errors?.filter(({ path }) => !/^\d/.test(path) || path.startsWith(`${index}.`));
    const typed: Row = {
      ...row,
      body: [record],
      state: "typed",
      key: newFormKey(row.userId),
      ...(errors && { errors }),
    };
    return [typed, ...othersOf(row, index)];
  });
  return stored?.[0] ?? null;
}

/** Deletes one record of a row, or with `index` null the whole row, unless it has been sent since. */
export async function removeRecord(key: string, index: number | null): Promise<void> {
  await replace(key, (row) => {
    if (index === null) return [];
    return row.state === "sent" ? null : othersOf(row, index);
  });
}
