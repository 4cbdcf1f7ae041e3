import { Canvas } from "@react-pdf/renderer";
import type { Via } from "#app/db/enumerations.ts";

/** The few operations of the PDF library's canvas that these drawings use. */
interface Pen {
  lineWidth(points: number): Pen;
  moveTo(x: number, y: number): Pen;
  lineTo(x: number, y: number): Pen;
  stroke(colour: string): Pen;
}

const MM = 72 / 25.4;

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
    pen.lineWidth(thickness * MM);
    for (let x = 0; x <= width; x += every * MM) pen.moveTo(x, height - length * MM).lineTo(x, height);
    pen.stroke(colour);
  }
  return null;
}

/** How wide a tick is, with the space after it, in millimetres. */
export const TICK = 3.6;

/** The mark of what is verified, before a word. @param top how far below the top of its line, in millimetres */
export function Tick({ top = 0 }: { top?: number }) {
  return <Canvas style={{ width: TICK * MM, height: 2.4 * MM, marginTop: top * MM }} paint={paintTick} />;
}

/** How wide the mark of how a verification came is, with the space before it, in millimetres. */
export const VIA = 4.6;

/** An envelope for `mailbox`, a link of a chain for `link`. @param top as for `Tick` */
export function ViaMark({ via, top = 0 }: { via: Via; top?: number }) {
  const style = { width: 3.4 * MM, height: 2.4 * MM, marginTop: top * MM, marginLeft: (VIA - 3.4) * MM };
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

function paintTick(pen: Pen, _: number, size: number): null {
  pen.lineWidth(0.35 * MM);
  pen
    .moveTo(0, size * 0.55)
    .lineTo(size * 0.35, size * 0.9)
    .lineTo(size, size * 0.1)
    .stroke("#000");
  return null;
}
