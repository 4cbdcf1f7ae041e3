import { z } from "zod";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { email, text } from "#app/forms/fields.ts";

export const supervisorSchema = z.object(
  {
    name: text({ required: "Name is required", label: "Name" }),
    email: email("Invalid email address"),
    phone: text({ required: "Phone is required", label: "Phone" }),
    certificationLevel: z.enum(CERTIFICATION_LEVELS, {
      error: `Choose ${CERTIFICATION_LEVELS.slice(0, -1).join(", ")} or ${CERTIFICATION_LEVELS.at(-1)}`,
    }),
    company: text({ required: "Company is required", label: "Company" }),
  },
  { error: "A supervisor is an object with name, email, phone, certificationLevel and company" },
);

export type NewSupervisor = z.output<typeof supervisorSchema>;
