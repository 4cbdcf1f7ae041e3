import { z } from "zod";

/** The most records that one call answers. */
const RECORDS_AT_ONCE = 10_000;

const positive = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `${name} must be a whole number from 1` })
    .transform(Number);

/**
 * Which records an admin's list answers: `?limit=` of them, 10,000 at most, behind the one with the id `?before=`, of
 * the user `?user=` alone.
 */
export const partSchema = z.object({
  limit: positive("limit")
    .optional()
    .transform((limit = RECORDS_AT_ONCE) => Math.min(limit, RECORDS_AT_ONCE)),
  before: positive("before").optional(),
  user: positive("user").optional(),
});
