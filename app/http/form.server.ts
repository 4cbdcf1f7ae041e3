import { Refusal } from "./refusal.ts";

/** No list of any form is as long as this. */
const LIST_MAX = 1_000;

/**
 * Reads the form of a request. A list's place comes from the field's name (`entries[3].date`), and a name can claim
 * any: one far out would make a list of a billion holes.
 * @throws {Refusal} 400 for such a name
 */
export async function readForm(request: Pick<Request, "formData">): Promise<FormData> {
  const form = await request.formData().catch(() => {
    throw new Refusal(400, "The form did not arrive whole. Please send it again.");
  });
  for (const name of form.keys()) {
    const places = [...name.matchAll(/\[(\d+)\]/g)].map(([, place]) => Number(place));
    if (places.some((place) => place > LIST_MAX))
      throw new Refusal(400, `The form is too long: at most ${LIST_MAX} rows.`);
  }
  return form;
}
