import { z } from "zod";
import { text } from "#app/forms/fields.ts";
import { type NewSupervisor, supervisorSchema } from "#app/supervisors/supervisor.schema.ts";

/** A confirmation: the supervisor's name, and the hash of what they were shown, which may be quoted as in an ETag. */
export const confirmationSchema = z.object(
  {
    supervisorName: text({ required: "Name is required", label: "Name" }),
    shown: z
      .string({ error: "shown must be text" })
      .transform((tag) => tag.replace(/^(?:W\/)?"(.*)"$/, "$1"))
      .optional(),
  },
  { error: "A confirmation is an object with supervisorName" },
);

const CHOOSE = "Choose a supervisor";

/** The body of the API call. A number may arrive as text. */
export const requestSchema = z.object(
  {
    supervisorId: z
      .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: CHOOSE })
      .refine((id) => Number.isSafeInteger(id) && id > 0, { message: CHOOSE }),
  },
  { error: "A request is an object with supervisorId" },
);

/** The dialog's form if a saved supervisor is chosen … */
export const savedSupervisorForm = z.object({ supervisor: requestSchema.shape.supervisorId });

/** … and if a new one is. */
export const newSupervisorForm = supervisorSchema.extend({ supervisor: z.literal("new") });

/** The chosen supervisor, saved or new, with the key of the form, if there is one. */
export type Choice = { key?: string | null } & ({ supervisorId: number } | { newSupervisor: NewSupervisor });
