/** A number and its noun: `1 record`, `2,000 records`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${plural(count, noun)}`;
}

/** The same without separators, for texts that a program reads too: `1 event`, `4102 events`. */
export function countedPlain(count: number, noun: string): string {
  return `${count} ${plural(count, noun)}`;
}

const plural = (count: number, noun: string) => `${noun}${count === 1 ? "" : "s"}`;
