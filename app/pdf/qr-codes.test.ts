import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { QrPath } from "#app/ui/qr-path.server.ts";
import { verifiedLog } from "#tests/pdf/languages.ts";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { numbersFrom, type Picture, readCodes, withNoise, withoutSpecks } from "#tests/qr/bad-copy.ts";
import { makeForm } from "./form.ts";
import { type FormProof, formProof } from "./form-proof.server.ts";
import { MODULE } from "./paper.ts";

/*
 * The QR codes of the form at 150 dpi, with 1 % of the pixels inverted, read by ZXing after the single wrong pixels were
 * removed, as scanners do. Poppler's pdftoppm draws the whole page; where it is not installed, the codes alone are drawn
 * here, as large as on the form. tests/browser/print-codes.spec.ts reads those of the print page.
 */

const COPIES = process.env.SAFE ? 100 : 1;
const DPI = 150;
/** The longest statement that is expected. */
const STATEMENT = 450;

const hasPoppler = spawnSync("pdftoppm", ["-v"]).error === undefined;
const folder = mkdtempSync(join(tmpdir(), "qr-codes-"));
afterAll(() => rmSync(folder, { recursive: true }));

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function textOf(alphabet: string, length: number, random: () => number): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

async function lastPage(name: string, proof: FormProof): Promise<Picture> {
  const user = { name, email: "kari@example.com", employeeNumber: "NDT-7" };
  const file = join(folder, "form.pdf");
  writeFileSync(file, await nodePdf(makeForm("ojt", user, verifiedLog("English", 2), "2026-11-21", proof)));
  const pgm = execFileSync("pdftoppm", ["-r", String(DPI), "-gray", file], { maxBuffer: 100_000_000 });
  const [head = "", width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.subarray(0, 40).toString("latin1")) ?? [];
  return { width: Number(width), height: Number(height), pixels: Uint8Array.from(pgm.subarray(head.length)) };
}

/** The codes side by side, as grey as the share of each pixel that they cover. */
function drawn(codes: { qr: QrPath | null; module: number }[]): Picture {
  const picture: Picture = { width: 1000, height: 500, pixels: new Uint8Array(1000 * 500).fill(255) };
  let left = 10.3; // no module begins where a pixel does
  for (const { qr, module } of codes) {
    if (!qr) continue;
    const side = (module / 25.4) * DPI;
    for (const [, x, y, length] of qr.path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
      const from = { x: left + Number(x) * side, y: 10.3 + Number(y) * side };
      darken(picture, from, { x: from.x + Number(length) * side, y: from.y + side });
    }
    left += qr.size * side;
  }
  return picture;
}

interface Point {
  x: number;
  y: number;
}

function darken({ width, pixels }: Picture, from: Point, to: Point): void {
  const covered = (pixel: number, first: number, end: number) => Math.min(pixel + 1, end) - Math.max(pixel, first);
  for (let y = Math.floor(from.y); y < to.y; y += 1) {
    for (let x = Math.floor(from.x); x < to.x; x += 1) {
      const at = y * width + x;
      const dark = 255 * covered(x, from.x, to.x) * covered(y, from.y, to.y);
      pixels[at] = Math.max(0, Math.round((pixels[at] ?? 0) - dark));
    }
  }
}

function proofOf(random: () => number) {
  const url = `https://hours.example.com/c/${textOf(DIGITS, 17, random)}`;
  const statement = textOf(BASE64URL, STATEMENT, random);
  return { url, statement, proof: formProof({ code: "7K3M-Q9TX-2HVP-8RDN-4", url, statement, checkpoint: null }) };
}

/** A name of up to 60 characters, another length in each copy. */
const nameOf = (copy: number) =>
  "Łucja "
    .repeat(11)
    .slice(0, 1 + (copy % 60))
    .trim() || "Ł";

// Catches modules that are too small: at 0.3 mm the statement was not read.
test(`the codes alone are read exactly from bad copies, of which there are ${COPIES}`, async () => {
  for (let copy = 1; copy <= COPIES; copy += 1) {
    const random = numbersFrom(copy);
    const { url, statement, proof } = proofOf(random);
    const picture = drawn([
      { qr: proof.qr, module: MODULE },
      { qr: proof.statementQr, module: MODULE },
    ]);
    const codes = await readCodes(withoutSpecks(withNoise(picture, random)));
    expect(codes.sort(), `copy ${copy}`).toEqual([url, statement].sort());
  }
});

// Catches a code without white around it, and one too small to be read.
test.skipIf(!hasPoppler)(
  `the codes of bad copies of a form, of which there are ${COPIES}, are read exactly`,
  async () => {
    for (let copy = 1; copy <= COPIES; copy += 1) {
      const random = numbersFrom(copy);
      const { url, statement, proof } = proofOf(random);
      const picture = withNoise(await lastPage(nameOf(copy), proof), random);
      const codes = await readCodes(withoutSpecks(picture));
      expect(codes.sort(), `copy ${copy}`).toEqual([url, statement].sort());
    }
  },
);
