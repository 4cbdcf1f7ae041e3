import { formatHours } from "#app/records/hours.ts";

/** The units of targets as they stand after a number. */
const SIGNS = { hours: "h", days: "days", months: "months" } as const;
export type Unit = keyof typeof SIGNS;

/** Hundredths of a unit without the unit: `195.0` hours or days, and whole months. */
export function amountText(unit: Unit, hundredths: number): string {
  return unit === "months" ? String(Math.round(hundredths / 100)) : formatHours(hundredths);
}

/** Hundredths of a unit with it: `195.0 h`, `1 month`. */
export function amountWithUnit(unit: Unit, hundredths: number): string {
  const one = unit !== "hours" && hundredths === 100;
  return `${amountText(unit, hundredths)} ${one ? SIGNS[unit].slice(0, -1) : SIGNS[unit]}`;
}

/** A number of a scale, without needless decimals: `210 h`, `0.5 h`. */
export function scaleText(unit: Unit, hundredths: number): string {
  return `${hundredths / 100} ${hundredths === 100 && unit !== "hours" ? SIGNS[unit].slice(0, -1) : SIGNS[unit]}`;
}
