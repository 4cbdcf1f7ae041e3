import { Text, type TextProps } from "@react-pdf/renderer";
import { widthOf } from "#app/pdf/fonts/load-fonts.ts";
import { linesOf } from "./lines.ts";
import { inEm } from "./paper.ts";
import type { Widths } from "./sheets.ts";
import { isStandard, type Typeface } from "./typeface.ts";

const BOLD = "Helvetica-Bold";
const STANDARD = "Helvetica";

/** Called for each word that is laid out. */
export type OnWord = () => void;

/** The lines are known before the library sees them, so it must not break words. It leaves out a line too many. */
const whole = (onWord?: OnWord) => ({
  hyphenationCallback: (word: string) => {
    onWord?.();
    return [word];
  },
  // A change of the font ends a word too. With this penalty the library never breaks a line there.
  hyphenationPenalty: 10_000,
});

interface LinesProps {
  lines: string[];
  typeface: Typeface;
  style?: TextProps["style"];
  /** Set in the standard font where that has all characters, even if the table is set in another. */
  isLabel?: boolean;
  onWord?: OnWord;
}

/** Lines of text typed by a user, in fonts that have its characters. */
export function Lines({ lines, typeface, style = {}, isLabel = false, onWord }: LinesProps) {
  const text = lines.join("");
  const fontFamily = isLabel && isStandard(text) ? STANDARD : typeface.stackFor(text);
  return (
    <Text style={[style, { fontFamily }]} {...whole(onWord)}>
      {shown(lines)}
    </Text>
  );
}

const shown = (lines: string[]) => lines.map((line) => line.trimEnd()).join("\n");

interface BoldLinesProps {
  children: string;
  typeface: Typeface;
  style: TextProps["style"];
  /** The width of a line, in millimetres, and the size of its type. */
  width: number;
  size: number;
}

/** The same in bold where the standard font has all characters: no bold font file is loaded. */
export function BoldLines({ children, typeface, style, width, size }: BoldLinesProps) {
  const fontFamily = boldFamily(children, typeface);
  return (
    <Text style={[style, { fontFamily }]} {...whole()}>
      {shown(boldLines(children, typeface, width, size))}
    </Text>
  );
}

/** How wide `Lines` draws texts, and labels. */
export function widthsOf({ familyOf }: Typeface): Widths {
  return {
    text: (text) => widthOf(text, familyOf),
    domain: (text) => widthOf(text, isStandard(text) ? () => STANDARD : familyOf),
  };
}

/** The lines of a text that `BoldLines` draws. */
export function boldLines(text: string, typeface: Typeface, width: number, size: number): string[] {
  const familyOf = isStandard(typeface.legible(text)) ? () => BOLD : typeface.familyOf;
  return linesOf(typeface.legible(text), (part) => widthOf(part, familyOf), inEm(width, size));
}

function boldFamily(text: string, typeface: Typeface) {
  const legible = typeface.legible(text);
  return isStandard(legible) ? BOLD : typeface.stackFor(legible);
}
