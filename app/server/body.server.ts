import { AppError } from "#app/errors.ts";

/** The largest body that any route takes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** How long a body may take, in milliseconds. */
interface BodyTime {
  /** The longest time without a byte. */
  idle: number;
  /** The longest time for the whole body. */
  total: number;
}

const IDLE = 10_000;

/** The time limits for a body. `idleSetting`, in milliseconds, is set by tests; the total is six times as long. */
export function bodyTime(idleSetting?: string): BodyTime {
  const idle = Number(idleSetting) || IDLE;
  return { idle, total: 6 * idle };
}

/** How long a client may take nothing of a response that waits for it, in milliseconds. */
export function answerIdle(idleSetting?: string): number {
  return 3 * bodyTime(idleSetting).idle;
}

/**
 * The header by which our own proxy, which reads bodies before the Worker, reports a slow body. A client that sends it
 * only gets its own request refused.
 */
export const LATE_BODY = "cf-late-body";

/** A body that was read. If it is too large or late, `bytes` is empty. */
interface BodyRead {
  bytes: Uint8Array<ArrayBuffer>;
  /** Its length; the minimum if it is too large. */
  length: number;
  isLate: boolean;
}

/** Reads a body in chunks, until it ends or is too large or late. A pending read of a late body continues. */
export async function readChunks(
  next: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>,
  { idle, total }: BodyTime,
  limit = MAX_BODY_BYTES,
): Promise<BodyRead> {
  const nothing = new Uint8Array();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let stop = () => {};
  const late = new Promise<"late">((resolve) => {
    stop = () => resolve("late");
  });
  const whole = setTimeout(stop, total);
  try {
    while (true) {
      const silence = setTimeout(stop, idle);
      const piece = await Promise.race([next(), late]).finally(() => clearTimeout(silence));
      if (piece === "late") return { bytes: nothing, length, isLate: true };
      if (piece.done || !piece.value) break;
      length += piece.value.byteLength;
      if (length > limit) return { bytes: nothing, length, isLate: false };
      pieces.push(piece.value);
    }
  } finally {
    clearTimeout(whole);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return { bytes, length, isLate: false };
}

/**
 * Reads a request's whole body.
 * @throws {AppError} 413 as soon as more than `limit` bytes were read, whatever Content-Length says; 408 if it is too slow; 400 if
 *   the client hangs up
 */
export async function readBody(request: Request, time = bodyTime(), limit = MAX_BODY_BYTES) {
  const tooLarge = new AppError(
    "too_large",
    `That is too large: at most ${limit / 1024 / 1024} MiB can be sent at once.`,
  );
  const late = new AppError(
    "too_slow",
    "Your connection is too slow at the moment: not everything arrived. Please try again.",
  );
  if (Number(request.headers.get("Content-Length")) > limit) throw tooLarge;
  if (request.headers.has(LATE_BODY)) throw late;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const { bytes, length, isLate } = await readChunks(() => reader.read(), time, limit).catch((error) => {
    // Until it is asked for its stack, this error keeps the functions that waited for it, and these the request: workerd would never
    // free them, 1 kB for each client that hangs up.
    Reflect.get(error, "stack");
    // Their connection has broken off, so nobody reads this; it is no error of ours.
    throw new AppError("incomplete", "Not everything arrived. Please send it again.");
  });
  if (length > limit || isLate) {
    reader.cancel().catch(() => {}); // the rest is not needed and may never arrive
    throw isLate ? late : tooLarge;
  }
  return bytes;
}
