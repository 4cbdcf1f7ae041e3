import { readFileSync } from "node:fs";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

/*
 * Bad copies of a form, and what a reader of QR codes sees on them: 1 % of the pixels are inverted, then single wrong
 * pixels are removed, as scanners do. ZXing reads.
 */

const wasm = readFileSync("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

export interface Picture {
  width: number;
  height: number;
  /** Grey, one byte a pixel. */
  pixels: Uint8Array;
}

/** A sequence of numbers from 0 to 1, the same in each run. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export function withNoise({ pixels, ...size }: Picture, random: () => number): Picture {
  return { ...size, pixels: pixels.map((pixel) => (random() < 0.01 ? 255 - pixel : pixel)) };
}

/** Inverts pixels of which at most one neighbour is alike. */
export function withoutSpecks({ width, height, pixels }: Picture): Picture {
  const around = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => y * width + x)).filter((offset) => offset !== 0);
  const clean = pixels.map((pixel, at) => {
    let alike = 0;
    // Until the second one: a page has two million pixels.
    for (const offset of around) {
      if (Math.abs((pixels[at + offset] ?? 255) - pixel) < 128) alike += 1;
      if (alike === 2) return pixel;
    }
    return 255 - pixel;
  });
  return { width, height, pixels: clean };
}

/** The texts of the QR codes on a picture. */
export async function readCodes({ width, height, pixels }: Picture): Promise<string[]> {
  const data = new Uint8ClampedArray(width * height * 4);
  pixels.forEach((grey, at) => {
    data.fill(grey, 4 * at, 4 * at + 3);
    data[4 * at + 3] = 255;
  });
  const image = { data, width, height, colorSpace: "srgb" } as ImageData; // Node has no such class
  const codes = await readBarcodes(image, { formats: ["QRCode"], tryHarder: true, binarizer: "FixedThreshold" });
  return codes.map(({ text }) => text);
}
