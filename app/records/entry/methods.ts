import type { Method } from "#app/db/enumerations.ts";

/** What the form and the log call a method (spec section 3); the others are called by their code. */
const LABELS: Partial<Record<Method, string>> = { UT_THK: "UT Thk." };

/**
 * What the abbreviations stand for, as ASNT's SNT-TC-1A names the methods and the trade their techniques. LSI has no
 * name here: the specification gives none, and companies use it differently.
 */
const NAMES: Partial<Record<Method, string>> = {
  ET: "Eddy Current Testing",
  RFT: "Remote Field Testing",
  MT: "Magnetic Particle Testing",
  PT: "Liquid Penetrant Testing",
  RT: "Radiographic Testing",
  UT_THK: "Ultrasonic Testing, Thickness",
  UTSW: "Ultrasonic Testing, Shear Wave",
  PMI: "Positive Material Identification",
};

/** A method's full name, where it has one that everybody means. */
export function methodName(method: Method): string | undefined {
  return NAMES[method];
}

export function methodLabel(method: Method): string {
  return LABELS[method] ?? method;
}
