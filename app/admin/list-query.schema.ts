import { z } from "zod";

const MAX_RECORDS = 10_000;

const positive = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `${name} must be a whole number from 1` })
    .transform(Number);

/**
 * The parameters of an admin's list: `?limit=` of at most 10,000, `?before=` with the id of the last record of the page
 * before, and `?user=` for one user's records.
 */
export const listQuerySchema = z.object({
  limit: positive("limit")
    .optional()
    .transform((limit = MAX_RECORDS) => Math.min(limit, MAX_RECORDS)),
  before: positive("before").optional(),
  user: positive("user").optional(),
});
