import { Canvas } from "@react-pdf/renderer";
import type { Form } from "./form.ts";
import { MM, type Pen } from "./marks.tsx";
import { COLUMN_HEADS, COLUMNS, DOUBLE, rowHigh } from "./paper.ts";
import type { Sheet } from "./sheets.ts";

/**
 * The lines and the shading of a sheet's table, drawn at once behind its texts. As borders of each cell they are a third
 * of the file. Every row has the height that it was laid out with.
 */
export function Grid({ form, sheet }: { form: Form; sheet: Sheet }) {
  const style = { position: "absolute", top: 0, bottom: 0, left: 0, right: 0 } as const;
  return (
    <Canvas
      style={style}
      paint={(pen: Pen, width) => {
        paintGrid(pen, form, sheet, width / MM);
        return null;
      }}
    />
  );
}

/** In millimetres. */
function paintGrid(points: Pen, form: Form, { rows, brought }: Sheet, width: number): void {
  const pen = points.scale(MM);
  const across = (y: number) => pen.moveTo(0, y).lineTo(width, y);
  const down = (x: number, bottom: number) => pen.moveTo(x, 0).lineTo(x, bottom);

  let y = COLUMN_HEADS + (brought ? rowHigh(1) : 0);
  const lines = brought ? [y] : [];
  for (const [index, { height, isShaded }] of rows.entries()) {
    if (isShaded) pen.rect(0, y, width, height).fill("#f1f1ee");
    y += height;
    // The parts of a long row are not divided.
    if (rows[index + 1]?.isFirst) lines.push(y);
  }
  const thisPage = y + rowHigh(1);
  const running = thisPage + rowHigh(1);

  const { hours, supervisor } = COLUMNS[form.kind];
  pen.lineWidth(0.15);
  for (const column of [...form.columns.keys(), form.columns.length])
    down(width - supervisor - column * hours, running);
  for (const line of lines) across(line);
  pen.stroke("#aaa");
  across(y);
  across(thisPage).stroke("#000");
  pen.lineWidth(0.3);
  across(0);
  across(COLUMN_HEADS);
  across(running);
  across(running + DOUBLE).stroke("#000");
}
