import type { FontFile, Weight } from "#app/pdf/fonts/embedded-font.ts";
import { BOX, clearFonts, LATIN, latinGreekCyrillic, loadFont } from "#app/pdf/fonts/embedded-font.ts";
import { plainSpaces } from "#app/plain-text.ts";
import type { Form } from "./form.ts";
import { graphemesOf } from "./lines.ts";

/** A text in one family. */
interface Run {
  text: string;
  /** The parts of the family that have its characters. */
  fontFamily: string[];
}

/** The fonts of one weight. */
export interface Face {
  weight: Weight;
  /** The text without invisible characters, and with a box for each character that no font has. */
  legible: (text: string) => string;
  /** A legible text in parts of one family each. The family changes between words only, unless none has the whole word. */
  runsOf: (text: string) => Run[];
  /** How wide a legible text is at most, in em, without kerning. */
  widthOf: (text: string) => number;
}

/** The embedded fonts of a form: Noto Sans for Latin, Greek and Cyrillic, BIZ UDPGothic for Japanese. */
export interface Typeface {
  regular: Face;
  bold: Face;
  /** Whether a character of the form is in no font. */
  hasBoxes: boolean;
}

/**
 * Loads the fonts of a form into the PDF library: only the files that its characters need.
 * @param root precedes the URL of each file: in Node, the folder of the project
 */
export async function loadTypeface(form: Form, root = ""): Promise<Typeface> {
  clearFonts();
  const inBold = [
    ...[form.employeeName, form.employeeNumber, form.signature],
    ...form.rows.map(({ supervisor }) => supervisor),
  ];
  const inRegular = form.rows.flatMap(
    ({ texts, domain = "", stated = "", entered = "", workedAs = "", notes = [], remarks = [] }) => [
      ...[...texts, domain, stated, entered, workedAs],
      ...[...notes, ...remarks],
    ],
  );
  const [regular, bold] = await Promise.all([loadFace(400, inRegular, root), loadFace(700, inBold, root)]);
  const has = (face: Face, texts: string[]) => texts.some((text) => face.legible(text).includes(BOX));
  return { regular, bold, hasBoxes: has(regular, inRegular) || has(bold, inBold) };
}

/** The smallest text that is set as a whole: a character, or a letter with marks that no single character has. */
type Unit = string;

/** Where a unit is, and how wide, in em. */
interface Place {
  part: string;
  width: number;
}

/** The units that a family has. */
type Family = Map<Unit, Place>;

async function loadFace(weight: Weight, typed: string[], root: string): Promise<Face> {
  const words = new Set(typed.flatMap((text) => plainGraphemes(text).join("").match(/\S+/g) ?? []));
  const units = new Set([...words].flatMap(unitsOf));
  const families = [await loadFamily(latinGreekCyrillic, new Set([...WORDS_OF_FORMS, ...units]), weight, root)];
  const [noto = new Map()] = families;

  // Words that the first family lacks are set in the second, with their figures, if it has them whole.
  const others = [...words].map(unitsOf).filter((word) => !word.every((unit) => noto.has(unit)));
  if (others.length > 0) {
    const { files } = await import("#app/pdf/fonts/biz-udpgothic.ts");
    const mayHave = (unit: Unit) => files.some((file) => declares(file, unit));
    const wanted = others.flatMap((word) => (word.every(mayHave) ? word : word.filter((unit) => !noto.has(unit))));
    families.push(await loadFamily(files, new Set(wanted), weight, root));
  }
  return faceOf(weight, families);
}

/** The characters of the form's own words, and the box. */
const WORDS_OF_FORMS = [
  BOX,
  "·",
  "’",
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
];

/** A mark without a letter. */
const ALONE = /^\p{M}/u;

/** Loads as few files of a family as have the units, and again for units that a file lacks although its range has them. */
async function loadFamily(files: FontFile[], units: Set<Unit>, weight: Weight, root: string): Promise<Family> {
  const family: Family = new Map();
  let rest = files;
  for (;;) {
    const missing = [...units].filter((unit) => !family.has(unit) && !ALONE.test(unit));
    const chosen = fewest(rest, missing);
    if (chosen.length === 0) return family;
    rest = rest.filter((file) => !chosen.includes(file));
    const fonts = await Promise.all(chosen.map((file) => loadFont(file, weight, root)));
    for (const [index, { family: part }] of chosen.entries()) {
      const font = fonts[index];
      for (const unit of font ? missing : []) {
        const isBox = unit === BOX && part === LATIN;
        if (family.has(unit) || !(isBox || codePointsOf(unit).every((one) => font?.hasGlyphForCodePoint(one))))
          continue;
        family.set(unit, { part, width: (font?.layout(unit).advanceWidth ?? 0) / (font?.unitsPerEm ?? 1) });
      }
    }
  }
}

/** The files that together may have the units; first the one that may have most. */
function fewest(files: FontFile[], units: Unit[]): FontFile[] {
  let missing = units;
  const chosen: FontFile[] = [];
  for (;;) {
    const counted = files.map((file) => ({ file, count: missing.filter((unit) => declares(file, unit)).length }));
    const [best] = counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    if (!best) return chosen;
    chosen.push(best.file);
    missing = missing.filter((unit) => !declares(best.file, unit));
  }
}

const declares = ({ covers }: FontFile, unit: Unit) => codePointsOf(unit).every(covers);

function faceOf(weight: Weight, families: Family[]): Face {
  const [first = new Map()] = families;
  const familyWith = (units: Unit[]) => families.find((family) => units.every((unit) => family.has(unit)));

  function runsOf(text: string): Run[] {
    const runs: (Run & { key: unknown })[] = [];
    for (const [word] of text.matchAll(/\s+|\S+/g)) {
      const units = unitsOf(word);
      const whole = familyWith(units.filter((unit) => unit !== BOX));
      for (const unit of units) {
        const last = runs.at(-1);
        const isSpace = unit.trim() === "";
        if (isSpace && last) {
          last.text += unit;
          continue;
        }
        const family = (whole?.has(unit) ? whole : familyWith([unit])) ?? first;
        const part = family.get(unit)?.part ?? LATIN;
        // A mark must be set with its letter, in the same file.
        const key = codePointsOf(unit).length > 1 ? part : family;
        if (last && last.key === key) {
          last.text += unit;
          if (!last.fontFamily.includes(part)) last.fontFamily.push(part);
        } else runs.push({ key, text: unit, fontFamily: [part] });
      }
    }
    return runs;
  }

  const widths = new Map<Unit, number>();
  function widthOfOne(unit: Unit): number {
    const known = widths.get(unit);
    if (known !== undefined) return known;
    // In a word of the other family it may be wider.
    const width = Math.max(0, ...families.map((family) => family.get(unit)?.width ?? 0));
    widths.set(unit, width);
    return width;
  }

  return {
    weight,
    legible: (text) =>
      plainGraphemes(text)
        .map((grapheme) => (unitsOf(grapheme).every((unit) => familyWith([unit])) ? grapheme : BOX))
        .join(""),
    runsOf,
    widthOf: (text) => unitsOf(text).reduce((sum, unit) => sum + widthOfOne(unit), 0),
  };
}

const UNWANTED_SPACE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Characters that inspectors type and no embedded font has, as they are written instead. */
const WRITTEN: Record<string, string> = { "⌀": "Ø", "∆": "Δ", "∕": "/", "⋅": "·", "∙": "·", "✔": "✓" };

/** `7⅜` is written `7 3/8`, `CO₂` `CO2`, and `10⁻⁶` `10^-6`: of the raised figures the fonts have ¹, ² and ³. */
function written(text: string): string {
  const plain = (characters: string) => characters.normalize("NFKC").replace("⁄", "/").replaceAll("−", "-");
  return text
    .replace(/[⌀∆∕⋅∙✔]/g, (sign) => WRITTEN[sign] ?? sign)
    .replace(/(\d)(?=[⅐-⅟↉])/g, "$1 ")
    .replace(/[⅐-⅟↉₀-₎]/g, plain)
    .replace(/[¹²³]*[⁰⁴-⁾][¹²³⁰⁴-⁾]*/g, (raised) => `^${plain(raised)}`);
}

/**
 * Composes accents with their letters, writes what no font has in another way, and removes invisible and direction-changing
 * characters.
 */
function plainGraphemes(text: string): string[] {
  return graphemesOf(written(plainSpaces(text.normalize("NFC")).replace(UNWANTED_SPACE, " "))).map((grapheme) =>
    grapheme.replace(INVISIBLE, ""),
  );
}

/** The units of a text: a letter with its marks is one. The parts of an emoji are not, because no font has them. */
function unitsOf(text: string): Unit[] {
  return graphemesOf(text).flatMap((grapheme) => (/^\P{M}\p{M}/u.test(grapheme) ? [grapheme] : Array.from(grapheme)));
}

const codePointsOf = (unit: Unit) => Array.from(unit, (character) => character.codePointAt(0) ?? 0);
