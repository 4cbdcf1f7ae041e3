import { z } from "zod";
import { Refusal } from "./refusal.ts";

/** No list of any form is as long as this. */
const LIST_MAX = 1_000;

/**
 * The names that our forms have: `email`, and in the one list of them `entries[3].date`. Others are ignored, as extra
 * keys of a JSON body are.
 */
const NAME = /^(?:(?!entries$)[A-Za-z]+|entries\[(\d+)\]\.[A-Za-z]+)$/;

/** Conform's name for the button that was pressed, where it asks for something else than to send the form. */
const INTENT = "__intent__";

const listName = z.literal("entries");
const fieldName = z.string().regex(/^[A-Za-z]*$/);
const place = z.int().min(0).max(LIST_MAX);

/** What such a button of ours can ask for: a row more, a row less, or the form as it is. */
const intentSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("insert"),
    payload: z.object({
      name: listName,
      index: place.optional(),
      defaultValue: z.record(z.string(), z.string()).optional(),
    }),
  }),
  z.object({ type: z.literal("remove"), payload: z.object({ name: listName, index: place }) }),
  z.object({ type: z.literal("validate"), payload: z.object({ name: fieldName }) }),
]);

/**
 * Reads the form of a request, as far as it is one of ours. A name can claim any place in a list, and a button's JSON
 * may be written by hand; Conform would make a list of a billion holes of them before any schema looks.
 * @throws {Refusal} 400 for a form that no page of ours sends
 */
export async function readForm(request: Pick<Request, "formData">): Promise<FormData> {
  const sent = await request.formData().catch(() => {
    throw new Refusal(400, "The form did not arrive whole. Please send it again.");
  });
  const form = new FormData();
  for (const [name, value] of sent) {
    if (name === INTENT) {
      if (!isIntent(value)) throw new Refusal(400, "That button is not one of this form's.");
      form.append(name, value);
      continue;
    }
    const match = NAME.exec(name);
    if (!match) continue;
    if (Number(match[1] ?? 0) > LIST_MAX) throw new Refusal(400, `The form is too long: at most ${LIST_MAX} rows.`);
    form.append(name, value);
  }
  return form;
}

/** What a refusal says of fields, by their names, as a form shows it. */
export function fieldErrorsOf({ errors = [] }: Refusal): Record<string, string[]> {
  return Object.fromEntries(errors.map(({ path, message }) => [path, [message]]));
}

function isIntent(value: FormDataEntryValue): value is string {
  if (typeof value !== "string") return false;
  try {
    return intentSchema.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
