import { Inflate } from "fflate";
import { AppError } from "#app/errors.ts";
import { othersTurn } from "#app/server/others-turn.ts";

/** How much the parts of a workbook may have together, unfolded. */
const UNFOLDED_MAX = 20_000_000;

/** Bytes that are unfolded at once: at most a thousand times as many come out. */
const STEP = 4_096;

export const DAMAGED =
  "This workbook is damaged, or did not arrive completely. Open it in a spreadsheet, save it as .xlsx again and upload that file.";

function tooLarge(): AppError {
  const message =
    "This workbook unfolds to more than 20 MB. Copy the rows to a new workbook without formats, and upload that one.";
  return new AppError("invalid", message);
}

interface Entry {
  packed: Uint8Array;
  isDeflated: boolean;
  isEncrypted: boolean;
  size: number;
}

/** The parts of a ZIP archive, which are unfolded one by one. Together they have at most 20 MB. */
export class Archive {
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = UNFOLDED_MAX;

  /** @throws {AppError} 400 for bytes that are no whole archive */
  constructor(bytes: Uint8Array) {
    try {
      this.#entries = entriesOf(bytes);
    } catch {
      throw new AppError("invalid", DAMAGED); // an offset that is outside
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes of a part, as the directory has them. */
  sizeOf(name: string): number {
    return this.#entries.get(name)?.size ?? 0;
  }

  /**
   * Unfolds a part, and calls `take` with its text, piece by piece. Other requests have their turn between the pieces.
   * @throws {AppError} 400 for a part that is missing or damaged, or larger than what is left of 20 MB: as its directory
   *   says, or as it turns out
   */
  async read(name: string, take: (text: string) => void): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry || entry.isEncrypted) throw new AppError("invalid", DAMAGED);
    if (entry.size > this.#left) throw tooLarge();
    const decoder = new TextDecoder();
    const give = (piece: Uint8Array) => {
      this.#left -= piece.length;
      if (this.#left < 0) throw tooLarge();
      take(decoder.decode(piece, { stream: true }));
    };
    const { packed } = entry;
    const inflate = new Inflate(give);
    for (let from = 0; from < packed.length; from += STEP) {
      if (from > 0) await othersTurn();
      const piece = packed.subarray(from, from + STEP);
      if (entry.isDeflated) push(inflate, piece, from + STEP >= packed.length);
      else give(piece);
    }
  }
}

function push(inflate: Inflate, piece: Uint8Array, isLast: boolean): void {
  try {
    inflate.push(piece, isLast);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("invalid", DAMAGED);
  }
}

const END = 0x06054b50;
const END_LENGTH = 22;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const IN_EXTRA = 0xffffffff;

/** The directory of an archive (APPNOTE.TXT 4.3), also of one with the fields of ZIP64. @throws for one that is damaged */
function entriesOf(bytes: Uint8Array): Map<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (at: number) => Number(view.getBigUint64(at, true));
  let end = bytes.length - END_LENGTH;
  while (view.getUint32(end, true) !== END) end -= 1;
  let at = view.getUint32(end + 16, true);
  if (at === IN_EXTRA && view.getUint32(end - 20, true) === LOCATOR_64) at = long(long(end - 12) + 48);
  const entries = new Map<string, Entry>();
  while (view.getUint32(at, true) === CENTRAL) {
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const next = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    // Values without room in their field are in the extra field 1, in this order.
    let extra = nameEnd;
    while (extra < next && view.getUint16(extra, true) !== 1) extra += 4 + view.getUint16(extra + 2, true);
    extra += 4;
    const [size = 0, length = 0, local = 0] = [at + 24, at + 20, at + 42].map((field) => {
      const value = view.getUint32(field, true);
      if (value !== IN_EXTRA) return value;
      extra += 8;
      return long(extra - 8);
    });
    if (view.getUint32(local, true) !== LOCAL || (method !== 0 && method !== 8)) throw new Error("not readable");
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + length > bytes.length) throw new Error("cut off");
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)).replaceAll("\\", "/");
    entries.set(name, {
      packed: bytes.subarray(start, start + length),
      isDeflated: method === 8,
      isEncrypted: (flags & 1) === 1,
      size,
    });
    at = next;
    if (at + 46 > bytes.length) break;
  }
  return entries;
}
