import { z } from "zod";
import { METHODS, type Method } from "#app/db/enumerations.ts";
import { type NewEntry, typedEntrySchema } from "#app/records/entry/entry.schema.ts";
import { typedNumber } from "#app/records/hours.ts";

const { date, location, hours } = typedEntrySchema.shape;

/** The hours of a method in the form: blank and 0 are no entry. */
const methodHours = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || Number(typedNumber(text) ?? NaN) === 0) return undefined;
    const result = hours.safeParse(text);
    if (result.success) return result.data;
    for (const { message } of result.error.issues) context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const methodFields = Object.fromEntries(METHODS.map((method) => [method, methodHours])) as Record<
  Method,
  typeof methodHours
>;

/** The form that brings hours of earlier years forward, and the entries that it means. */
export const broughtForwardForm = z
  .object({ date, location, ...methodFields })
  .refine((form) => METHODS.some((method) => form[method] !== undefined), {
    path: [METHODS[0]],
    message: "Enter the hours of at least one method",
  })
  .transform(({ date, location, ...form }): NewEntry[] =>
    METHODS.flatMap((method) => {
      const hours = form[method];
      return hours === undefined ? [] : [{ date, location, method, hours, broughtForward: true, details: {} }];
    }),
  );
