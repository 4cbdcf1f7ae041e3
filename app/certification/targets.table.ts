import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CATEGORIES, LEVELS, type Method, TARGET_UNITS } from "#app/db/enumerations.ts";
import { createdAt, id, userId } from "#app/db/schema.ts";
import { PARTS } from "#app/records/certificates/certificate.kind.ts";
import { kinds } from "#app/records/records.table.ts";

/** Of certificates and tests, and of rope hours: their work without training. */
export const ITEM_CATEGORIES = [...CATEGORIES, "work"] as const;

/** What a technician works towards: the figures of a standard, copied from a preset, or figures of their own. */
export const targets = sqliteTable(
  "targets",
  {
    id: id(),
    userId: userId(),
    title: text().notNull(),
    standard: text().notNull(),
    edition: text().notNull().default(""),
    source: text().notNull(),
    since: text(),
    submission: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("targets_by_submission").on(table.userId, table.submission)],
);

/** One figure of a target. `required` is in hundredths of the unit. */
export const targetItems = sqliteTable(
  "target_items",
  {
    targetId: integer("target_id")
      .notNull()
      .references(() => targets.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    title: text().notNull(),
    clause: text().notNull(),
    unit: text({ enum: TARGET_UNITS }).notNull(),
    kind: text("record_kind")
      .notNull()
      .references(() => kinds.name),
    methods: text({ mode: "json" }).$type<Method[]>().notNull(),
    required: integer().notNull(),
    category: text({ enum: ITEM_CATEGORIES }),
    part: text({ enum: PARTS }),
    level: text({ enum: LEVELS }),
    withinYears: integer("within_years"),
    workedAs: text("worked_as", { enum: LEVELS }),
    standard: text(),
  },
  (table) => [primaryKey({ columns: [table.targetId, table.position] })],
);

type TargetRow = typeof targets.$inferSelect;
type TargetItemRow = typeof targetItems.$inferSelect;

/** A figure of a target, without its place in the table. `required` is in hundredths of the unit. */
export type TargetItem = Omit<TargetItemRow, "targetId" | "position">;

/** A target as its owner sees it. */
export type Target = Omit<TargetRow, "userId" | "submission"> & { items: TargetItem[] };
