import { z } from "zod";
import { EXPORT_KIND_NAMES } from "./export-kinds.ts";

/** The body of `POST /api/exports`. */
export const newExportSchema = z.object({
  kind: z.enum(EXPORT_KIND_NAMES, { error: "kind must be entries or rope_hours" }),
});
