import { Text, type TextProps } from "@react-pdf/renderer";
import { linesOf } from "./lines.ts";
import { inEm } from "./paper.ts";
import type { Face } from "./typeface.ts";

/* Texts of the PDF that a user typed: they are divided into lines here, in fonts that have their characters. */

export const mm = (length: number) => `${length}mm`;

/** Called for each word that is laid out. */
export type OnWord = () => void;

interface LinesProps {
  /** Legible ones. */
  lines: string[];
  face: Face;
  style?: TextProps["style"];
  /** A text behind the last line, in another size. There is room for it. */
  beside?: { text: string; face: Face; size: number } | undefined;
  onWord?: OnWord | undefined;
}

/** Lines of text typed by a user, in fonts that have its characters. */
export function Lines({ lines, face, style = {}, beside, onWord }: LinesProps) {
  const [first, ...others] = face.runsOf(lines.map((line) => line.trimEnd()).join("\n"));
  const behind = beside?.face.runsOf(` ${beside.text}`) ?? [];
  return (
    <Text
      style={[style, { fontFamily: first?.fontFamily, fontWeight: face.weight }]}
      // The lines are known before the library sees them, so it must not break words. It leaves out a line too many.
      hyphenationCallback={(word) => {
        onWord?.();
        return [word];
      }}
      // A change of the font ends a word too. With this penalty the library never breaks a line there.
      hyphenationPenalty={10_000}
    >
      {first?.text}
      {others.map(({ text, fontFamily }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no other name
        <Text key={index} style={{ fontFamily }}>
          {text}
        </Text>
      ))}
      {behind.map(({ text, fontFamily }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Text key={`beside ${index}`} style={{ fontFamily, fontSize: beside?.size, fontWeight: beside?.face.weight }}>
          {text}
        </Text>
      ))}
    </Text>
  );
}

interface TypedProps {
  children: string;
  face: Face;
  style: TextProps["style"];
  /** The width of a line, in millimetres, and the size of its type. */
  width: number;
  size: number;
}

/** A text that is divided into lines here. */
export function Typed({ children, face, style, width, size }: TypedProps) {
  return <Lines style={style} face={face} lines={typedLines(children, face, width, size)} />;
}

/** The lines of a text that `Typed` draws. */
export function typedLines(text: string, face: Face, width: number, size: number): string[] {
  return linesOf(face.legible(text), face.widthOf, inEm(width, size));
}
