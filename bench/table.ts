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
  return {
    what,
    ours: `${inDigits(figure)}${unit}`,
    target: `≤ ${inDigits(target)}${unit}`,
    passed: figure <= target,
    ...(note && { note }),
  };
}

/** A figure that may not be smaller than its target. */
export function atLeast(what: string, figure: number, target: number, note?: string): Row {
  return {
    what,
    ours: inDigits(figure),
    target: `≥ ${inDigits(target)}`,
    passed: figure >= target,
    ...(note && { note }),
  };
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

/** The rows as a table in Markdown, which is as readable in a terminal. */
export function tableOf(title: string, rows: Row[]): string {
  const lines = rows.map(({ what, ours, target = "", passed, note = "" }) => [
    what,
    ours,
    target,
    passed === undefined ? "" : passed ? "pass" : "MISS",
    note,
  ]);
  const head = ["What", "Ours", "Target", "", "Note"];
  const widths = head.map((text, column) =>
    column === 4 ? 0 : Math.max(3, text.length, ...lines.map((line) => (line[column] ?? "").length)),
  );
  const print = (line: string[]) =>
    `| ${line.map((text, column) => (column === 1 || column === 2 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 1 || column === 2 ? `${"-".repeat(Math.max(3, width) - 1)}:` : "-".repeat(Math.max(3, width)))).join(" | ")} |`;
  return [`## ${title}`, "", print(head), rule, ...lines.map(print), ""].join("\n");
}
