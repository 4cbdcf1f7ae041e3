import { encode } from "uqr";

/** A QR code as one SVG path. */
export interface QrPath {
  /** The side of the code in modules, with the white around it. */
  size: number;
  /** The dark modules in units of a module: lines of the width 1, to be stroked. */
  path: string;
}

/** Four modules of white around the code, as ISO/IEC 18004 wants them. */
const QUIET_ZONE = 4;

/** The share of a code that may be lost: 15 % with M, 25 % with Q. */
type ErrorCorrection = "M" | "Q";

/** The QR code that contains exactly this text. */
export function qrPath(text: string, ecc: ErrorCorrection = "M"): QrPath {
  const { data, size } = encode(text, { ecc, border: QUIET_ZONE });
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}.5h${length}`));
  return { size, path: runs.join("") };
}

/** The runs of dark modules in a row: where each begins, and its length. */
function runsOf(row: boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
