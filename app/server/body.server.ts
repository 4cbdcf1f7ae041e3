import { AppError } from "#app/errors.ts";

/** The largest body that any route takes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * How much of a body that is too large is read and dropped before it is refused. A server that answers earlier closes the
 * connection of a client that still sends, and the client may lose the message.
 */
export const MAX_DROPPED_BYTES = 8 * MAX_BODY_BYTES;

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

/** Returns how long a client may take nothing of a response that waits for it, in milliseconds. */
export function answerIdle(idleSetting?: string): number {
  return 3 * bodyTime(idleSetting).idle;
}

/** Why a body is not taken. */
type BodyRefusal = "late" | "large";

/**
 * The header by which our own proxy, which reads bodies before the Worker, sends a `BodyRefusal`. A client that sends it
 * only gets its own request refused.
 */
export const REFUSED_BODY = "cf-refused-body";

/**
 * Reads a body in chunks until it ends. Returns why it is not taken if it is late or too large; then a pending read
 * continues.
 */
export async function readChunks(
  next: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>,
  { idle, total }: BodyTime,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let stop = () => {};
  const late = new Promise<"late">((resolve) => {
    stop = () => resolve("late");
  });
  const whole = setTimeout(stop, total);
  try {
    while (length <= MAX_DROPPED_BYTES) {
      const silence = setTimeout(stop, idle);
      const piece = await Promise.race([next(), late]).finally(() => clearTimeout(silence));
      if (piece === "late") return "late";
      if (piece.done || !piece.value) break;
      length += piece.value.byteLength;
      if (length > MAX_BODY_BYTES) pieces = [];
      else pieces.push(piece.value);
    }
  } finally {
    clearTimeout(whole);
  }
  if (length > MAX_BODY_BYTES) return "large";
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

/**
 * Reads a request's whole body.
 * @throws {AppError} 413 if it has more than `MAX_BODY_BYTES`, whatever Content-Length says; 408 if it is too slow; 400 if the
 *   client hangs up
 */
export async function readBody({ headers, body }: Request, time = bodyTime()): Promise<Uint8Array<ArrayBuffer>> {
  const refused = headers.get(REFUSED_BODY) as BodyRefusal | null; // from our own proxy
  if (refused) throw refusal(refused);
  if (Number(headers.get("Content-Length")) > MAX_DROPPED_BYTES) throw refusal("large");
  const reader = body?.getReader();
  if (!reader) return new Uint8Array();
  const bytes = await readChunks(() => reader.read(), time).catch((error) => {
    // Until its stack is read, this error keeps the functions that waited for it, and these the request: workerd would
    // never free them, 1 kB for each client that hangs up.
    Reflect.get(error, "stack");
    // The connection has broken off, so no client reads this; it is no internal error.
    throw new AppError("incomplete", "Not everything arrived. Please send it again.");
  });
  if (typeof bytes !== "string") return bytes;
  reader.cancel().catch(() => {}); // the rest is not needed and may never arrive
  throw refusal(bytes);
}

function refusal(why: BodyRefusal): AppError {
  return why === "late"
    ? new AppError("too_slow", "Your connection is too slow at the moment: not everything arrived. Please try again.")
    : new AppError("too_large", `That is too large: at most ${MAX_BODY_BYTES / 1024 / 1024} MiB can be sent at once.`);
}
