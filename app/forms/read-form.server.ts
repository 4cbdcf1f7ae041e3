import { z } from "zod";
import { AppError } from "#app/errors.ts";

/** The most fields of a form beside those of its list. Our longest form has fourteen. */
const FIELDS_MAX = 1_000;

/** A form's list of rows, with field names such as `entries[3].date`. */
export interface FormList {
  name: string;
  columns: string[];
  /** The most rows that are read: more than can be saved, so that a form with too many is shown with a message. */
  rowsMax: number;
}

/** Conform's field for a button that does not submit the form but changes it. */
export const INTENT = "__intent__";

/**
 * Reads the form of a request and keeps the field names that our forms use; other names are ignored but counted. A form
 * for Conform must be checked first: its time is quadratic in the repetitions of a name, it allocates a list as long as
 * the highest index in a name, and the JSON of a button can be anything.
 * @throws {AppError} 400 for a form that none of our pages sends
 */
export async function readForm(request: Pick<Request, "formData">, list?: FormList): Promise<FormData> {
  const sent = await request.formData().catch(() => {
    throw new AppError("incomplete", "The form did not arrive completely. Please send it again.");
  });
  const form = new FormData();
  const seen = new Set<string>();
  let otherFields = 0;
  for (const [name, value] of sent) {
    if (seen.has(name))
      throw new AppError("invalid", "The form has the same field twice. Reload the page and try again.");
    seen.add(name);
    const row = parseRow(name, list);
    if (list && row !== null && row >= list.rowsMax) {
      throw new AppError("invalid", `The form is too long: at most ${list.rowsMax.toLocaleString("en")} rows.`);
    }
    if (row === null) otherFields += 1;
    if (otherFields > FIELDS_MAX) {
      throw new AppError("invalid", `The form is too long: at most ${FIELDS_MAX.toLocaleString("en")} fields.`);
    }
    if (name === INTENT && !isIntent(value, list)) {
      throw new AppError("invalid", "This form has no such button.");
    }
    const isKnown =
      row !== null ||
      name === INTENT ||
      (/^(?:details\.)?[A-Za-z]+$/.test(name) && name !== list?.name && name !== "details");
    if (isKnown) form.append(name, value);
  }
  return form;
}

/** The row of the list that a field belongs to, from 0; null for other fields. */
function parseRow(name: string, list: FormList | undefined): number | null {
  // No leading zeros: `entries[0]` and `entries[00]` are the same field to Conform.
  const [, listName, row, column = ""] = /^([A-Za-z]+)\[(0|[1-9]\d*)\]\.([A-Za-z_.]+)$/.exec(name) ?? [];
  return list && listName === list.name && list.columns.includes(column) ? Number(row) : null;
}

/** Whether a button's JSON is one that our buttons send: add a row, remove a row, fill in a field, or validate. */
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
  const isField = (field: string) => (parseRow(field, list) ?? list.rowsMax) < list.rowsMax;
  const defaultValue = z.partialRecord(z.enum(list.columns), z.string());
  return z.discriminatedUnion("type", [
    z.object({
      type: z.literal("insert"),
      payload: z.object({ name, index: index.optional(), defaultValue: defaultValue.optional() }),
    }),
    z.object({ type: z.literal("remove"), payload: z.object({ name, index }) }),
    z.object({ type: z.literal("update"), payload: z.object({ name: z.string().refine(isField), value: z.string() }) }),
    validate,
  ]);
}
