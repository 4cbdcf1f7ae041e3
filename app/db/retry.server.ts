/** Messages of D1 errors after which the same query may succeed (Cloudflare, "D1: Retry queries"). */
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "exceeded timeout which caused object to be reset",
  "transient issue on remote node",
];

/** The pause before the second attempt: this many milliseconds plus a random time of up to as many. */
const PAUSE_MS = 50;

/** Whether a statement only reads. All of our reads begin with SELECT. */
export function isRead(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

/**
 * Runs a read, and once more after a transient error of D1. Not for writes: the write may have been applied despite the
 * error.
 * @throws the error of the second attempt, or any other error at once
 */
export async function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (!TRANSIENT.some((text) => message.includes(text))) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
    return read();
  }
}
