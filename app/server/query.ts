import { z } from "zod";
import { AppError } from "#app/errors.ts";

/** Parses an id from a URL: a positive integer, or 0 for any other text. No row has the id 0. */
export function parseId(text: string | null | undefined): number {
  const id = /^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}

/** The schema of a call's query parameters. An unknown parameter is an error that names it. */
export function querySchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `There is no query parameter ${issue.keys.map((key) => `"${key.slice(0, 100)}"`).join(", ")} here.`
        : undefined,
  });
}

/**
 * A call's query parameters by name, for its `querySchema`.
 * @throws {AppError} 400 for one that comes twice: one of its values would be ignored
 */
export function queryOf(parameters: URLSearchParams): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (query.has(name)) {
      const message = `The query parameter "${name.slice(0, 100)}" comes more than once. Send it once.`;
      throw new AppError("invalid", message, [{ path: name, message }]);
    }
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

/** A query parameter that is an id or a number of rows. */
export function positive(name: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: `${name} must be a whole number from 1` })
    .meta({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    .transform(Number);
}

/** The most that an answer lists: of records and supervisors, of requests and exports, and for admins. */
export const LIST_MAX = 2_000;
export const SHORT_LIST_MAX = 100;
export const ADMIN_LIST_MAX = 10_000;

/** The parameters of a list: `?limit=` of at most `max`, and `others`. A larger one is an error: cut, it would pass for all. */
export function listSchema<Others extends z.ZodRawShape>(max: number, others: Others) {
  const limit = positive("limit")
    .refine((number) => number <= max, { error: `limit must be at most ${max}` })
    .optional()
    .transform((number = max) => number)
    .meta({ type: "integer", minimum: 1, maximum: max, description: `How many at most, up to ${max}` });
  return querySchema({ limit, ...others });
}

/** The parameters of a list whose cursor is the id of the last row of the page before. */
export function idListSchema(max: number) {
  return listSchema(max, { before: positive("before").optional() });
}
