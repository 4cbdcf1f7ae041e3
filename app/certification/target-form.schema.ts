import { z } from "zod";
import { METHODS } from "#app/db/enumerations.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { ITEMS_MAX, targetSchema, typedItemsSchema } from "./target.schema.ts";
import { itemFromDraft, NEW_ITEM } from "./target-form.ts";

/** The page's form of a target: its fields are those of the call's body, except that an item has a box for each method. */
export function targetFormSchema(now: Date) {
  const rows = z.array(z.unknown()).optional();
  return targetSchema(now).extend({
    items: rows.transform((list) => (list ?? []).map(itemFromDraft)).pipe(typedItemsSchema),
  });
}

export const itemRows: FormList = {
  name: "items",
  columns: [...Object.keys(NEW_ITEM), ...METHODS],
  rowsMax: 2 * ITEMS_MAX,
};
