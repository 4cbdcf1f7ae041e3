import { z } from "zod";
import { text } from "#app/forms/fields.ts";
import { TOKEN_ACCESSES } from "./api-tokens.table.ts";

export const newTokenSchema = z.object(
  {
    name: text({ required: "Name is required", label: "Name" }),
    access: z.enum(TOKEN_ACCESSES, { error: `Access must be ${TOKEN_ACCESSES.join(" or ")}` }),
  },
  { error: "A token is an object with name and access" },
);

export type NewToken = z.output<typeof newTokenSchema>;
