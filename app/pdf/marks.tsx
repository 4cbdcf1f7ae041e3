import { Canvas } from "@react-pdf/renderer";
import type { Via } from "#app/db/enumerations.ts";
import type { QrPath } from "#app/ui/qr-path.server.ts";
import { SUPERVISOR } from "./paper.ts";

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

/** The lines of a rule: every so many millimetres, how long, how thick and in which colour. Long ones cover short ones. */
const GRADUATIONS = [
  { every: 2, length: 1, thickness: 0.2, colour: "#777" },
  { every: 10, length: 2, thickness: 0.2, colour: "#777" },
  { every: 20, length: 3, thickness: 0.25, colour: "#000" },
];

/** The rule under the title: graduated in millimetres, as wide as its place. */
export function Scale() {
  return <Canvas style={{ height: 3 * MM }} paint={paintScale} />;
}

function paintScale(pen: Pen, width: number, height: number): null {
  for (const { every, length, thickness, colour } of GRADUATIONS) {
    // One dashed line, as thick as its graduations are long: as a line each they are a kilobyte of every page.
    const y = height - (length * MM) / 2;
    pen.lineWidth(length * MM).dash(thickness * MM, { space: (every - thickness) * MM, phase: (thickness * MM) / 2 });
    pen.moveTo(0, y).lineTo(width, y).stroke(colour);
  }
  return null;
}

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
  // Of an odd number of lengths a dash and a gap would change places where the pattern repeats.
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

interface MarkProps {
  /** How the verification came; null if that was not noted: a tick. */
  via: Via | null;
  /** How far below the top of its line, in millimetres. */
  top?: number;
}

/** An envelope for `mailbox`, a link of a chain for `link`, a tick for what is verified. */
export function Mark({ via, top = 0 }: MarkProps) {
  const style = { width: 3.4 * MM, height: 2.4 * MM, marginTop: top * MM };
  if (via === null) return <Canvas style={{ ...style, width: SUPERVISOR.tick * MM }} paint={paintTick} />;
  return (
    <Canvas
      style={{ ...style, marginRight: (SUPERVISOR.via - 3.4) * MM }}
      paint={via === "link" ? paintLink : paintEnvelope}
    />
  );
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

function paintTick(pen: Pen, _: number, size: number): null {
  pen.lineWidth(0.35 * MM);
  pen
    .moveTo(0, size * 0.55)
    .lineTo(size * 0.35, size * 0.9)
    .lineTo(size, size * 0.1)
    .stroke("#000");
  return null;
}
