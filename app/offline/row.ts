/**
 * The state of hours that only this browser has:
 *
 * - `typed`: in a form, not saved. Never sent.
 * - `saved`: saved without a signal, and never sent.
 * - `sent`: sent, without an answer so far. The server may have them, so they are only ever sent again as they are.
 * - `rejected`: the server refused them; `errors` says why. They are sent no more until the user opens them in a form.
 */
export type RowState = "typed" | "saved" | "sent" | "rejected";

/** The values of one record as they were typed, by the names of the API's fields. */
export type TypedRecord = Record<string, string>;

export interface FieldError {
  /** As in the API's answer: `0.hours` for a field of the first entry, or the field's name; empty for all. */
  path: string;
  message: string;
}

/** The calls of the kinds whose hours are saved without a signal. The service worker needs nothing else of them. */
export const OFFLINE_CALLS = { entry: "/api/entries", rope_hour: "/api/rope-hours" };

export type OfflineKind = keyof typeof OFFLINE_CALLS;

/** For their pages: the addresses of their form and log, the name of the form's list, if it has one, and the name of a file. */
export const OFFLINE_KINDS: Record<OfflineKind, { form: string; log: string; list: string; file: string }> = {
  entry: { form: "/profile/entries/", log: "/profile", list: "entries", file: "entries" },
  rope_hour: { form: "/rope-hours/new/", log: "/rope-hours", list: "", file: "rope-hours" },
};

/** Hours that only this browser has: a row of the store (store.client.ts). */
export interface Row {
  /** Identifies one sending: the key of the form's address, and the Idempotency-Key of the call. */
  key: string;
  userId: string;
  kind: OfflineKind;
  /** One for rope hours, one or several for entries. */
  body: TypedRecord[];
  /** The time of the last change, in milliseconds since 1970, by this device's clock. It is only shown, never compared. */
  at: number;
  state: RowState;
  /** Why they were refused; or, of hours that were sent, how the server failed to save them. */
  errors?: FieldError[];
  /**
   * Whether they were sent before without an answer. The server may have saved them then, whatever it answers now, so they
   * keep their key: sent again as they are, they are saved once.
   */
  isUnsure?: boolean;
}

/** A row as the inline script stores it, which must be small: with the names and values of a form's fields. */
export interface FormRow extends Omit<Row, "body"> {
  body: [name: string, value: string][];
}

/** Who was signed in when this browser last opened a page from the server, and when that was. Its key is "". */
export interface Visit {
  key: "";
  userId: string;
  at: number;
}

/** Parses the fields of a form: `entries[1].date` is a field of the second record, `hours` or `details.note` of the only one. */
export function recordsOf(fields: [name: string, value: string][]): TypedRecord[] {
  const records: TypedRecord[] = [];
  for (const [name, value] of fields) {
    const [, index, field = ""] = /(\d*)\W*([.\w]+)$/.exec(name) ?? [];
    records[Number(index)] = { ...records[Number(index)], [field]: value };
  }
  return records;
}
