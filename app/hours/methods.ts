import type { Method } from "#app/db/enumerations.ts";

/** What the form and the log call a method (spec section 3); the others are called by their code. */
const LABELS: Partial<Record<Method, string>> = { UT_THK: "UT Thk." };

export function methodLabel(method: Method): string {
  return LABELS[method] ?? method;
}
