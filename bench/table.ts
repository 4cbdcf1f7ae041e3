/** A measured figure and its target. */
export interface Row {
  what: string;
  /** As printed, with its unit. */
  ours: string;
  /** Left out if there is no target. */
  target?: string;
  passed?: boolean;
  /** How it was measured, if that is not obvious. */
  note?: string;
}

/** A figure with a maximum. */
export function atMost(what: string, figure: number, target: number, unit = "", note?: string): Row {
  return { ...reported(what, figure, unit, note), target: `≤ ${inDigits(target)}${unit}`, passed: figure <= target };
}

/** A figure with a minimum. */
export function atLeast(what: string, figure: number, target: number, note?: string): Row {
  return { ...reported(what, figure, "", note), target: `≥ ${inDigits(target)}`, passed: figure >= target };
}

/** A figure without a target. */
export function reported(what: string, figure: number | string, unit = "", note?: string): Row {
  const ours = typeof figure === "number" ? `${inDigits(figure)}${unit}` : figure;
  return { what, ours, ...(note && { note }) };
}

/** Formats a number with thousands separators and up to two decimals. */
export function inDigits(figure: number): string {
  return Number.isInteger(figure) ? figure.toLocaleString("en") : figure.toFixed(2);
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The rows as a table in Markdown, aligned for a terminal. */
export function tableOf(title: string, rows: Row[]): string {
  const verdict = ({ passed }: Row) => (passed === undefined ? "" : passed ? "pass" : "MISS");
  const lines = rows.map((row) => [row.what, row.ours, row.target ?? "", verdict(row), row.note ?? ""]);
  const head = ["What", "Ours", "Target", "", "Note"];
  const isNumber = (column: number) => column === 1 || column === 2;
  const widthOf = (column: number) => Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0));
  const widths = head.map((_, column) => (column === 4 ? 3 : widthOf(column)));
  const print = (line: string[]) => {
    const cells = line.map((text, column) => text[isNumber(column) ? "padStart" : "padEnd"](widths[column] ?? 0));
    return `| ${cells.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [`## ${title}`, "", print(head), print(rule), ...lines.map(print), ""].join("\n");
}
