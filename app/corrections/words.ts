import type { Kind } from "#app/records/kinds.ts";

/** What differs between the kinds of record where their owner corrects one. */
export const WORDS: Record<Kind, { edit: string; delete: string; deleted: string; saved: string; restored: string }> = {
  entry: {
    edit: "Edit Entry",
    delete: "Delete Entry",
    deleted: "Entry deleted",
    saved: "Entry saved",
    restored: "Entry restored",
  },
  rope_hour: {
    edit: "Edit Rope Hours",
    delete: "Delete Rope Hours",
    deleted: "Rope hours deleted",
    saved: "Rope hours saved",
    restored: "Rope hours restored",
  },
};
