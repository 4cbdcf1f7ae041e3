import { z } from "zod";
import { text } from "#app/forms/fields.ts";
import { type NewSupervisor, supervisorSchema } from "#app/supervisors/supervisor.schema.ts";

/**
 * What a supervisor sends to confirm a record: their name, and the hash of what they were shown, also as an ETag has
 * it. The page always sends one.
 */
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

/** The JSON call's body: which saved supervisor is asked. A number may arrive as text. */
export const requestSchema = z.object(
  {
    supervisorId: z
      .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: CHOOSE })
      .refine((id) => Number.isSafeInteger(id) && id > 0, { message: CHOOSE }),
  },
  { error: "A request is an object with supervisorId" },
);

/** The dialog's form where a saved supervisor is chosen … */
export const savedSupervisorForm = z.object({ supervisor: requestSchema.shape.supervisorId });

/** … and where a new one is. */
export const newSupervisorForm = supervisorSchema.extend({ supervisor: z.literal("new") });

/** The supervisor that is asked: one of the saved, or a new one; with the key of the form, where there is one. */
export type Choice = { key?: string | null } & ({ supervisorId: number } | { newSupervisor: NewSupervisor });
