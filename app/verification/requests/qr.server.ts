import { encode } from "uqr";

export interface QrCode {
  /** The side of the code in modules, with the white around it. */
  size: number;
  /** The dark modules as an SVG path of lines, one unit wide. */
  path: string;
}

/** Four modules of white around the code, as ISO/IEC 18004 wants them. */
const QUIET_ZONE = 4;

/** The QR code of a text. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
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
