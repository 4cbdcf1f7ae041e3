import { FORM_METHODS, METHOD_FACTS, METHOD_LABELS, METHODS, type Method } from "#app/db/enumerations.ts";

/** A method's full name, if it has a generally accepted one. */
export function methodName(method: Method): string | undefined {
  return METHOD_FACTS[method]?.name; // a form of before may have another text
}

export function methodLabel(method: Method): string {
  return METHOD_LABELS[method] ?? method;
}

/** The other methods as a group of a list, below those of the form. */
export const OTHERS_LABEL = "Other methods and techniques";

/** The methods of the form, which a log always has, and those of the others that are among these. */
export function methodsShown(logged: readonly { method: Method | null }[]): Method[] {
  const has = new Set(logged.map(({ method }) => method));
  return METHODS.filter((method) => has.has(method) || FORM_METHODS.includes(method));
}
