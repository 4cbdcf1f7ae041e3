/** One figure of ours, and what it is held against. */
export interface Row {
  what: string;
  /** As it is printed; numbers have their unit in it. */
  ours: string;
  /** Left out where the figure is only told. */
  target?: string;
  passed?: boolean;
  /** How it came about, where that is not plain. */
  note?: string;
}

/** A figure that may not be larger than its target. */
export function atMost(what: string, figure: number, target: number, unit = "", note?: string): Row {
  return { ...told(what, figure, unit, note), target: `≤ ${inDigits(target)}${unit}`, passed: figure <= target };
}

/** A figure that may not be smaller than its target. */
export function atLeast(what: string, figure: number, target: number, note?: string): Row {
  return { ...told(what, figure, "", note), target: `≥ ${inDigits(target)}`, passed: figure >= target };
}

/** A figure without a target. */
export function told(what: string, figure: number | string, unit = "", note?: string): Row {
  const ours = typeof figure === "number" ? `${inDigits(figure)}${unit}` : figure;
  return { what, ours, ...(note && { note }) };
}

/** Thousands set off; what is not whole has two decimals. */
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
