import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { verifiedLog } from "#bench/languages.ts";
import { experienceForm } from "./form.ts";
import { type FormProof, formProof } from "./form-proof.server.ts";
import { nodePdf } from "./node-pdf.tsx";

/*
 * The QR codes of the last page from a bad copy: drawn by poppler at 150 dpi, with 1 % of the pixels inverted, and read
 * by ZXing. For the larger code of the statement the single wrong pixels are removed first, as scanners do: without that,
 * ZXing reads four of five. Needs poppler's pdftoppm.
 */

const COPIES = process.env.SAFE ? 100 : 3;
/** The longest statement that is expected. */
const STATEMENT = 450;

const hasPoppler = spawnSync("pdftoppm", ["-v"]).error === undefined;
const wasm = readFileSync("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
const folder = mkdtempSync(join(tmpdir(), "qr-codes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A sequence of numbers from 0 to 1, the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function textOf(alphabet: string, length: number, random: () => number): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

interface Picture {
  width: number;
  height: number;
  /** Grey, one byte a pixel. */
  pixels: Uint8Array;
}

async function lastPage(name: string, proof: FormProof): Promise<Picture> {
  const user = { name, email: "kari@example.com", employeeNumber: "NDT-7" };
  const file = join(folder, "form.pdf");
  writeFileSync(file, await nodePdf(experienceForm(user, verifiedLog("English", 2), "2026-11-21", proof)));
  const pgm = execFileSync("pdftoppm", ["-r", "150", "-gray", file], { maxBuffer: 100_000_000 });
  const [head = "", width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.subarray(0, 40).toString("latin1")) ?? [];
  return { width: Number(width), height: Number(height), pixels: Uint8Array.from(pgm.subarray(head.length)) };
}

function withNoise({ pixels, ...size }: Picture, random: () => number): Picture {
  return { ...size, pixels: pixels.map((pixel) => (random() < 0.01 ? 255 - pixel : pixel)) };
}

/** Inverts pixels of which at most one neighbour is alike. */
function withoutSpecks({ width, height, pixels }: Picture): Picture {
  const around = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => y * width + x)).filter((offset) => offset !== 0);
  const clean = pixels.map((pixel, at) => {
    const alike = around.filter((offset) => Math.abs((pixels[at + offset] ?? 255) - pixel) < 128);
    return alike.length <= 1 ? 255 - pixel : pixel;
  });
  return { width, height, pixels: clean };
}

async function read({ width, height, pixels }: Picture): Promise<string[]> {
  const data = new Uint8ClampedArray(width * height * 4);
  for (const [at, grey] of pixels.entries()) data.set([grey, grey, grey, 255], at * 4);
  const image = { data, width, height, colorSpace: "srgb" } as ImageData; // Node has no such class
  const codes = await readBarcodes(image, { formats: ["QRCode"], tryHarder: true, binarizer: "FixedThreshold" });
  return codes.map(({ text }) => text);
}

// Catches a code without white around it, and one too small to be read.
test.skipIf(!hasPoppler)(`the codes of ${COPIES} bad copies are read exactly`, async () => {
  for (let copy = 1; copy <= COPIES; copy += 1) {
    const random = numbersFrom(copy);
    const url = `https://hours.example.com/c/${textOf(DIGITS, 17, random)}`;
    const statement = textOf(BASE64URL, STATEMENT, random);
    const proof = formProof({ code: "7K3M-Q9TX-2HVP-8RDN-4", url, statement });
    const picture = withNoise(
      await lastPage(
        "Łucja "
          .repeat(10)
          .trim()
          .slice(0, 1 + (copy % 60)),
        proof,
      ),
      random,
    );
    const codes = await read(withoutSpecks(picture));
    expect(codes.sort(), `copy ${copy}`).toEqual([url, statement].sort());
  }
});
