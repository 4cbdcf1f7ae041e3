import { Canvas } from "@react-pdf/renderer";
import type { Via } from "#app/db/enumerations.ts";
import type { QrPath } from "#app/ui/qr-path.server.ts";
import { MARK } from "./paper.ts";

/** The few operations of the PDF library's canvas that these drawings use. */
export interface Pen {
  lineWidth(points: number): Pen;
  /** @param length of the dashes, or all lengths of a pattern */
  dash(length: number | number[], options: { space: number; phase: number }): Pen;
  moveTo(x: number, y: number): Pen;
  lineTo(x: number, y: number): Pen;
  scale(factor: number): Pen;
  rect(x: number, y: number, width: number, height: number): Pen;
  fill(colour: string): Pen;
  stroke(colour: string): Pen;
}

export const MM = 72 / 25.4;

/** The rows of a QR code, each as one dashed line: as a line for each run of dark modules it is a kilobyte of every page. */
function dashedRows({ path }: QrPath): { y: number; from: number; to: number; dashes: number[] }[] {
  const rows = new Map<number, { from: number; to: number; dashes: number[] }>();
  for (const [, start, row, length] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    const [x, y, dark] = [Number(start), Number(row), Number(length)];
    const line = rows.get(y) ?? { from: x, to: x, dashes: [] };
    if (line.dashes.length > 0) line.dashes.push(x - line.to);
    line.dashes.push(dark);
    line.to = x + dark;
    rows.set(y, line);
  }
  // With an odd number of lengths a dash and a gap would change places where the pattern repeats.
  return [...rows].map(([y, { dashes, ...line }]) => ({ y: y + 0.5, ...line, dashes: [...dashes, 1] }));
}

/** A QR code, with the white around it. @param module the side of a module, in millimetres */
export function QrCode({ qr, module }: { qr: QrPath; module: number }) {
  const side = qr.size * module * MM;
  // The white around it may reach into the margins of the page.
  const style = { width: side, height: side, margin: -4 * module * MM };
  return (
    <Canvas
      style={style}
      paint={(pen: Pen) => {
        pen.scale(module * MM).lineWidth(1);
        for (const { y, from, to, dashes } of dashedRows(qr)) {
          pen.dash(dashes, { space: 0, phase: 0 }).moveTo(from, y).lineTo(to, y).stroke("#000");
        }
        return null;
      }}
    />
  );
}

/** Shows how a verification came: an envelope for `mailbox`, a link of a chain for `link`. */
export function Mark({ via }: { via: Via }) {
  const style = { width: MARK.width * MM, height: MARK.height * MM, marginRight: (MARK.place - MARK.width) * MM };
  return <Canvas style={style} paint={via === "link" ? paintLink : paintEnvelope} />;
}

function paintEnvelope(pen: Pen, width: number, height: number): null {
  pen.lineWidth(0.25 * MM);
  pen.moveTo(0, 0).lineTo(width, 0).lineTo(width, height).lineTo(0, height).lineTo(0, 0);
  pen
    .lineTo(width / 2, height * 0.6)
    .lineTo(width, 0)
    .stroke("#000");
  return null;
}

function paintLink(pen: Pen, width: number, height: number): null {
  const [top, bottom] = [height * 0.15, height * 0.85];
  pen.lineWidth(0.3 * MM);
  for (const [from, to] of [
    [width * 0.4, 0],
    [width * 0.6, width],
  ] as const) {
    pen.moveTo(from, top).lineTo(to, top).lineTo(to, bottom).lineTo(from, bottom);
  }
  pen
    .moveTo(width * 0.25, height / 2)
    .lineTo(width * 0.75, height / 2)
    .stroke("#000");
  return null;
}
