import { z } from "zod";
import { ADMIN_LIST_MAX, listSchema, positive, querySchema } from "#app/server/query.ts";
import { TABS, USERS } from "./tabs.ts";
import { SEARCH_MAX } from "./view.ts";

/** The parameters of an admin's list of records; `?user=` is for one user's. */
export const listQuerySchema = listSchema(ADMIN_LIST_MAX, {
  before: positive("before").optional(),
  user: positive("user").optional(),
});

const tabs = TABS.map(({ name }) => name);

/** The parameters of the file of a list, which are those of the page of the admin. */
export const exportQuerySchema = querySchema({
  tab: z.enum(tabs, { error: `tab must be ${tabs.slice(0, -1).join(", ")} or ${tabs.at(-1)}` }).default(USERS.name),
  search: z
    .string()
    .max(SEARCH_MAX, { error: `search has at most ${SEARCH_MAX} characters` })
    .default(""),
  user: positive("user").optional(),
});

export type ExportQuery = z.output<typeof exportQuerySchema>;
