import { z } from "zod";
import { TABS, USERS } from "./tabs.ts";
import { SEARCH_MAX } from "./view.ts";

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

const tabs = TABS.map(({ name }) => name);

/** The parameters of the file of a list, which are those of the page of the admin. */
export const exportQuerySchema = z.object({
  tab: z.enum(tabs, { error: `tab must be ${tabs.slice(0, -1).join(", ")} or ${tabs.at(-1)}` }).default(USERS.name),
  search: z
    .string()
    .max(SEARCH_MAX, { error: `search has at most ${SEARCH_MAX} characters` })
    .default(""),
  user: positive("user").optional(),
});
