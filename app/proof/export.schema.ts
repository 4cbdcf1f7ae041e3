import { z } from "zod";
import { FORM_KIND_NAMES } from "#app/pdf/form.ts";

/** The body of `POST /api/exports`. */
export const newExportSchema = z.object({
  kind: z.enum(FORM_KIND_NAMES, { error: "kind must be entries or rope_hours" }),
});
