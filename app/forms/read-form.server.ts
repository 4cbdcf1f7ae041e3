import { z } from "zod";
import { AppError } from "#app/errors.ts";

/** The most fields that a form of ours may have, beside those of its list. The longest has nine. */
const FIELDS_MAX = 1_000;

/** The list of rows that a form has: its fields are called `entries[3].date`. */
export interface FormList {
  name: string;
  columns: string[];
  /** The most rows that are read: more than can be saved, so that a form with too many comes back with its message. */
  rowsMax: number;
}

/** Conform's name for the button that was pressed, where it asks for something else than to send the form. */
const INTENT = "__intent__";

/**
 * Reads the form of a request, as far as it is one of ours. Names that no form of ours has are ignored, as extra keys of
 * a JSON body are, but they count. Conform's time grows with the square of how often a name is repeated, it makes a list
 * as long as the highest place that a name claims, and a button's JSON may be written by hand: all of it is judged here.
 * @throws {AppError} 400 for a form that no page of ours sends
 */
export async function readForm(request: Pick<Request, "formData">, list?: FormList): Promise<FormData> {
  const sent = await request.formData().catch(() => {
    throw new AppError(400, "The form did not arrive whole. Please send it again.");
  });
  const form = new FormData();
  const seen = new Set<string>();
  let outsideOfList = 0;
  for (const [name, value] of sent) {
    if (seen.has(name)) throw new AppError(400, "The form has a field twice. Load the page again, and send it again.");
    seen.add(name);
    const row = rowOf(name, list);
    if (list && row !== null && row >= list.rowsMax) {
      throw new AppError(400, `The form is too long: at most ${list.rowsMax.toLocaleString("en")} rows.`);
    }
    if (row === null) outsideOfList += 1;
    if (outsideOfList > FIELDS_MAX) {
      throw new AppError(400, `The form is too long: at most ${FIELDS_MAX.toLocaleString("en")} fields.`);
    }
    if (name === INTENT && !isIntent(value, list)) {
      throw new AppError(400, "That button is not one of this form's.");
    }
    const isOurs = row !== null || name === INTENT || (/^[A-Za-z]+$/.test(name) && name !== list?.name);
    if (isOurs) form.append(name, value);
  }
  return form;
}

/** Which row of the list a field belongs to, from 0; null where it belongs to none. */
function rowOf(name: string, list: FormList | undefined): number | null {
  // Without zeros in front: `entries[0]` and `entries[00]` are one field to Conform.
  const [, listName, row, column = ""] = /^([A-Za-z]+)\[(0|[1-9]\d*)\]\.([A-Za-z]+)$/.exec(name) ?? [];
  return list && listName === list.name && list.columns.includes(column) ? Number(row) : null;
}

/** Whether a button asks for what ours can ask for: a row more, a row less, or the form as it is. */
function isIntent(value: FormDataEntryValue, list: FormList | undefined): value is string {
  if (typeof value !== "string") return false;
  try {
    return intentSchema(list).safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}

function intentSchema(list: FormList | undefined) {
  const validate = z.object({
    type: z.literal("validate"),
    payload: z.object({ name: z.string().regex(/^[A-Za-z]*$/) }),
  });
  if (!list) return validate;
  const name = z.literal(list.name);
  const index = z.int().min(0).max(list.rowsMax);
  const defaultValue = z.partialRecord(z.enum(list.columns), z.string());
  return z.discriminatedUnion("type", [
    z.object({
      type: z.literal("insert"),
      payload: z.object({ name, index: index.optional(), defaultValue: defaultValue.optional() }),
    }),
    z.object({ type: z.literal("remove"), payload: z.object({ name, index }) }),
    validate,
  ]);
}
