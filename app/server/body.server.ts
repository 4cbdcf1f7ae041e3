import { AppError } from "#app/errors.ts";

/** The largest body that any route takes: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** How long a body may take, in milliseconds. */
export interface BodyTime {
  /** Without a byte. */
  idle: number;
  /** From first to last. */
  total: number;
}

const IDLE = 10_000;

/** How long bodies may take, six times as long in all as without a byte. A test may set the one and thereby both. */
export function bodyTime(idleSetting?: string): BodyTime {
  const idle = Number(idleSetting) || IDLE;
  return { idle, total: 6 * idle };
}

/**
 * By this header a front that reads bodies before the Worker does says that one did not come in time. A client that sends
 * it has its own request refused, and no more.
 */
export const LATE_BODY = "cf-late-body";

/** What has arrived of a body. Where it is too large or late, `bytes` is empty. */
export interface Arrival {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of one that is too large, how long it is at least. */
  length: number;
  isLate: boolean;
}

/** Reads a body piece by piece, until its end or until it proves too large or late. Of a late one the reading goes on. */
export async function readChunks(
  next: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>,
  { idle, total }: BodyTime,
  limit = MAX_BODY_BYTES,
): Promise<Arrival> {
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
 * Reads a request's body whole.
 * @throws {AppError} 413 as soon as it proves larger than `limit` bytes, whatever its length claims; 408 where it does not
 *   arrive in time
 */
export async function readBody(request: Request, time = bodyTime(), limit = MAX_BODY_BYTES) {
  const tooLarge = new AppError(413, `That is too large: at most ${limit / 1024 / 1024} MiB can be sent at once.`);
  const late = new AppError(
    408,
    "Your connection is too slow at the moment: not everything arrived. Please try again.",
  );
  if (Number(request.headers.get("Content-Length")) > limit) throw tooLarge;
  if (request.headers.has(LATE_BODY)) throw late;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const { bytes, length, isLate } = await readChunks(() => reader.read(), time, limit);
  if (length > limit || isLate) {
    reader.cancel().catch(() => {}); // nobody reads the rest, and it may never come
    throw isLate ? late : tooLarge;
  }
  return bytes;
}
