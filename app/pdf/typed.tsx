import { Text, type TextProps } from "@react-pdf/renderer";
import { widthOf } from "#app/pdf/fonts/load-fonts.ts";
import { piecesOf, withLineEnds } from "./line-ends.ts";
import { isStandard, type Typeface } from "./typeface.ts";

interface TypedProps {
  children: string;
  typeface: Typeface;
  style: TextProps["style"];
  /** How long a line is, in em: what is longer is broken. */
  lineWidth: number;
  /** Bold where the standard font has all its characters: no bold font file is loaded. */
  bold?: boolean;
}

const BOLD = "Helvetica-Bold";

/** Text typed by a user, in fonts that have its characters. Words break only if they do not fit on a line. */
export function Typed({ children, typeface, style, lineWidth, bold = false }: TypedProps) {
  const text = typeface.legible(children);
  const isBold = bold && isStandard(text);
  const familyOf = isBold ? () => BOLD : typeface.familyOf;
  return (
    <Text
      style={[style, { fontFamily: isBold ? BOLD : typeface.stackFor(text) }]}
      hyphenationCallback={piecesOf}
      hyphenationPenalty={Number.POSITIVE_INFINITY}
    >
      {withLineEnds(text, (part) => widthOf(part, familyOf) <= lineWidth)}
    </Text>
  );
}

/** The width of a line in em, less a little for kerning. @param length in millimetres, `fontSize` in points */
export const inEm = (length: number, fontSize: number) => (length * 72) / 25.4 / fontSize - 0.2;
