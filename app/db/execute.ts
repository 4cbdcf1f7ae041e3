/** Runs one SQL statement without bound values and returns its rows, here or on Cloudflare (`wrangler` takes no values). */
export type Execute = (sql: string) => Promise<Record<string, unknown>[]>;

/** An SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
