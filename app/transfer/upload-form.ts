import { z } from "zod";
import { KINDS } from "#app/records/all-kinds.ts";

/** The form of an upload: a file, or pasted text if there is none. */
export const uploadForm = z
  .object({
    kind: z.enum(
      KINDS.map(({ name }) => name),
      { error: "Choose what the rows are" },
    ),
    file: z
      .instanceof(File)
      .optional()
      .transform((file) => (file && (file.name !== "" || file.size > 0) ? file : undefined)),
    text: z.string().default(""),
  })
  .refine(({ file, text }) => file !== undefined || text.trim() !== "", {
    path: ["file"],
    message: "Choose a file, or paste rows below",
  });
