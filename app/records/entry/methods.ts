import type { Method } from "#app/db/enumerations.ts";

/** The labels of methods that are not shown by their code (spec section 3). */
const LABELS: Partial<Record<Method, string>> = { UT_THK: "UT Thk." };

/**
 * The full names of the abbreviations, from the methods and techniques of ASNT's SNT-TC-1A. LSI has none here: the
 * specification does not say what it stands for, and companies use it differently.
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

/** A method's full name, if it has a generally accepted one. */
export function methodName(method: Method): string | undefined {
  return NAMES[method];
}

export function methodLabel(method: Method): string {
  return LABELS[method] ?? method;
}
