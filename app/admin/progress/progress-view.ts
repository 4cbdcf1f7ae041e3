import { z } from "zod";
import type { Preset } from "#app/certification/presets/preset.ts";
import { PRESETS } from "#app/certification/presets/presets.ts";
import { oneLine } from "#app/plain-text.ts";
import { EXPERIENCE_KINDS } from "#app/records/all-kinds.ts";
import { querySchema } from "#app/server/query.ts";

/**
 * Returns how much of a figure is verified, in whole percent and at most 100, rounded down. Both are in hundredths of a
 * unit.
 */
export function percentOf(verified: number, required: number): number {
  return Math.min(100, Math.floor((100 * verified) / required));
}

/** A level to compare technicians with, by the figures that their hours alone meet. */
export function presetNamed(name: string | null | undefined): Preset | undefined {
  const preset = PRESETS.find(({ preset }) => preset === name);
  const isOfHours = (kind: string) => EXPERIENCE_KINDS.some((one) => one.name === kind);
  return preset && { ...preset, items: preset.items.filter(({ kind }) => isOfHours(kind)) };
}

/** The state of the admin's list of progress, all of which is in its URL. */
export interface ProgressView {
  search: string;
  /** The preset that all technicians are compared with, or null. */
  preset: Preset | null;
  /** The column that the list is sorted by: `name`, `verified`, `waiting`, `last`, or `item-0` for the preset's first item. */
  sort: string;
  isDescending: boolean;
  /** From 1. */
  page: number;
}

export const PROGRESS_PATH = "/admin/progress";
export const PROGRESS_CSV_PATH = "/api/admin/progress.csv";

/** The longest text that is searched for, in UTF-16 units, as on the admin page. */
const SEARCH_MAX = 200;

/** A page after this one would skip more technicians than any company has. */
const PAGE_MAX = 10_000;

const COLUMNS = ["name", "verified", "waiting", "last"] as const;

/** The parameters of the call, which refuses what the page leaves out. */
export const progressQuerySchema = querySchema({
  search: z
    .string()
    .max(SEARCH_MAX, { error: `search has at most ${SEARCH_MAX} characters` })
    .optional(),
  preset: z
    .enum(
      PRESETS.map(({ preset }) => preset),
      { error: "There is no such preset" },
    )
    .optional(),
  sort: z
    .string()
    .meta({ pattern: `^(${COLUMNS.join("|")}|item-\\d+)$` })
    .optional(),
  order: z.enum(["asc", "desc"], { error: "order must be asc or desc" }).optional(),
  page: z
    .string()
    .regex(/^[1-9]\d*$/, { error: "page must be a whole number from 1" })
    .refine((page) => Number(page) <= PAGE_MAX, { error: `page must be at most ${PAGE_MAX}` })
    .optional(),
}).refine(({ preset, sort }) => sort === undefined || sortsOf(presetNamed(preset) ?? null).includes(sort), {
  path: ["sort"],
  error: `sort must be ${COLUMNS.join(", ")}, or item-0 for the first figure of the preset`,
});

/** The view at a URL; an unknown value is left out. */
export function progressViewAt({ searchParams }: URL): ProgressView {
  const preset = presetNamed(searchParams.get("preset")) ?? null;
  const sort = sortsOf(preset).find((name) => name === searchParams.get("sort")) ?? "name";
  const order = searchParams.get("order");
  const page = Number(searchParams.get("page") ?? 1);
  return {
    search: oneLine(searchParams.get("search") ?? "").slice(0, SEARCH_MAX),
    preset,
    sort,
    isDescending: order === "asc" || order === "desc" ? order === "desc" : descendsFirst(sort),
    page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1,
  };
}

/** The columns that the list can be sorted by. */
export function sortsOf(preset: Preset | null): string[] {
  return [...COLUMNS, ...(preset?.items ?? []).map((_, index) => `item-${index}`)];
}

const LABELS: Record<string, string> = {
  name: "Name",
  verified: "Verified, OJT + rope",
  waiting: "Waiting, OJT + rope",
  last: "Last entry",
};

export function columnLabel(sort: string, preset: Preset | null): string {
  return LABELS[sort] ?? preset?.items[Number(sort.slice("item-".length))]?.title ?? sort;
}

/** Numbers and dates begin with the greatest, names with A. */
function descendsFirst(sort: string): boolean {
  return sort !== "name";
}

/** The parameters of a view that differ from the defaults. */
function progressParams({ search, preset, sort, isDescending, page }: ProgressView): [string, string][] {
  const all: [string, string][] = [
    ["search", search],
    ["preset", preset?.preset ?? ""],
    ["sort", sort === "name" ? "" : sort],
    ["order", isDescending === descendsFirst(sort) ? "" : isDescending ? "desc" : "asc"],
    ["page", page === 1 ? "" : String(page)],
  ];
  return all.filter(([, value]) => value !== "");
}

export function progressHref(view: ProgressView, path = PROGRESS_PATH): string {
  const params = new URLSearchParams(progressParams(view));
  return params.size > 0 ? `${path}?${params}` : path;
}

/** The first page of the list sorted by a column; the other way round if it is sorted by that column already. */
export function sortHref(view: ProgressView, sort: string): string {
  const isDescending = view.sort === sort ? !view.isDescending : descendsFirst(sort);
  return progressHref({ ...view, sort, isDescending, page: 1 });
}
