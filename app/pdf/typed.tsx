import { Text, type TextProps } from "@react-pdf/renderer";
import { widthOf } from "#app/pdf/fonts/load-fonts.ts";
import { piecesOf, withLineEnds } from "./line-ends.ts";
import { isStandard, type Typeface } from "./typeface.ts";

interface TypedProps {
  children: string;
  typeface: Typeface;
  style: TextProps["style"];
  /** How long a line is, in em: what is longer is broken. */
  room: number;
  /** Bold where the standard font has all its characters: no bold font file is loaded. */
  bold?: boolean;
}

const BOLD = "Helvetica-Bold";

/** What a person filled in, in a typeface that can write it. No line ends within a word that has room. */
export function Typed({ children, typeface, style, room, bold = false }: TypedProps) {
  const text = typeface.legible(children);
  const isBold = bold && isStandard(text);
  const familyOf = isBold ? () => BOLD : typeface.familyOf;
  return (
    <Text
      style={[style, { fontFamily: isBold ? BOLD : typeface.stackFor(text) }]}
      hyphenationCallback={piecesOf}
      hyphenationPenalty={Number.POSITIVE_INFINITY}
    >
      {withLineEnds(text, (part) => widthOf(part, familyOf) <= room)}
    </Text>
  );
}

/** The room of a line, in em: less a little, for what kerning may add. @param length in millimetres, `fontSize` in points */
export const inEm = (length: number, fontSize: number) => (length * 72) / 25.4 / fontSize - 0.2;
