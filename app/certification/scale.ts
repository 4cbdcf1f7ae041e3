/** The scale of a picture, in its unit: where it ends, and how far apart its long and short graduations are. */
export interface Scale {
  end: number;
  long: number;
  short: number;
}

/**
 * The scale of a gauge. It ends at what is required, or at a round number above what was reached, if that is more.
 * `least` is the smallest part that the unit has: a month is never divided.
 */
export function gaugeScale(required: number, reached: number, least: number): Scale {
  const long = Math.max(least, roundStep(Math.max(required, reached) / 4));
  const half = Math.max(least, long / 2);
  const end = reached > required ? exact(Math.ceil(exact(reached / half)) * half) : required;
  return { end, long, short: Math.max(least, exact(long / 10)) };
}

/** The scale of a chart from 0 up, with about three long graduations. It ends at a long one. */
export function chartScale(highest: number): Scale {
  const long = roundStep(Math.max(highest, 12) / 3);
  return { end: exact(Math.max(1, Math.ceil(exact(highest / long))) * long), long, short: exact(long / 5) };
}

/** The number nearest to a step that is 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const part = step / power;
  return exact((part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power);
}

/** Without the last digits of floating-point arithmetic: 0.1 * 3 is 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

/** A part of a whole as an SVG length, at most all of it: `33.33%`. */
export function percent(part: number, whole: number): string {
  return `${Math.round(Math.min(part / whole, 1) * 10_000) / 100}%`;
}
