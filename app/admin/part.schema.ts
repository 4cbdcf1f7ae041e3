import { z } from "zod";

/** The most entries that one call answers. */
export const ENTRIES_AT_ONCE = 10_000;

const positive = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `${name} must be a whole number from 1` })
    .transform(Number);

/** Which entries `GET /api/admin/entries` answers: `?limit=` of them, 10,000 at most, behind the one with the id `?before=`. */
export const partSchema = z.object({
  limit: positive("limit")
    .optional()
    .transform((limit = ENTRIES_AT_ONCE) => Math.min(limit, ENTRIES_AT_ONCE)),
  before: positive("before").optional(),
});
