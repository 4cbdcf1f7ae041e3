import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import type { ChartMonth } from "./year-rows.ts";

/** A colour of the chart: an NDT method, the verified hours of a kind without methods, or what waits. */
export interface Series {
  /** Its class. */
  name: string;
  label: string;
  of(month: ChartMonth): number;
}

export const VERIFIED: Series = { name: "verified", label: "Verified", of: ({ verified }) => verified };
export const WAITING: Series = { name: "requested", label: "Waiting", of: ({ waiting }) => waiting };
export const BY_METHOD = METHODS.map(
  (method): Series => ({ name: method, label: methodLabel(method), of: ({ byMethod }) => byMethod[method] ?? 0 }),
);
