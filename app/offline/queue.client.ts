import { newFormKey } from "#app/forms/form-key.ts";
import type { Row } from "./row.ts";
import { replace } from "./rows.client.ts";

/** Whether the server may have a row, so that it is edited, sent and deleted as a whole. */
export function isWhole({ state, isUnsure }: Row): boolean {
  return state === "sent" || isUnsure === true;
}

/** The other records of a row, as a row of their own that waits to be sent. */
function othersOf(row: Row, index: number): Row[] {
  const body = row.body.filter((_, other) => other !== index);
  const { errors: _, ...rest } = row;
  return body.length > 0 ? [{ ...rest, body, state: "saved", key: newFormKey(row.userId) }] : [];
}

/**
 * Takes one record out of the queue to be edited: it becomes a typed row of its own, which is not sent. A row that was
 * sent without an answer stays as it is: changed and sent again, it could be saved twice. If it has been refused since, all
 * of it is taken, and its form has the same key.
 * @returns the typed row with its errors, or null if it has been sent since
 */
export async function takeOut(key: string, index: number | null): Promise<Row | null> {
  const stored = await replace(key, (row) => {
    const record = row.body[index ?? 0];
    if (row.state === "sent" || !record) return null;
    // A key of an older page names no user, so that its form could be saved in another user's log.
    const isNamed = row.key.startsWith("u");
    if (isNamed && (row.isUnsure || row.body.length === 1)) return [{ ...row, state: "typed" }];
    const at = index ?? 0;
    const errors = row.errors?.filter(({ path }) => !/^\d/.test(path) || path.startsWith(`${at}.`));
    const typed: Row = {
      ...row,
      body: [record],
      state: "typed",
      key: newFormKey(row.userId),
      ...(errors && { errors }),
    };
    return [typed, ...othersOf(row, at)];
  });
  return stored?.[0] ?? null;
}

/** Deletes one record of a row, or with `index` null the whole row, unless it has been sent since. */
export async function removeRecord(key: string, index: number | null): Promise<void> {
  await replace(key, (row) => {
    if (index === null) return [];
    return isWhole(row) ? null : othersOf(row, index);
  });
}
