import { StyleSheet } from "@react-pdf/renderer";
import { METHODS } from "#app/db/enumerations.ts";
import { TICK, VIA } from "./marks.tsx";
import { inEm } from "./typed.tsx";

const mm = (length: number) => `${length}mm`;
const ink = "#000";
const faint = "#333";
const hairline = (colour: string) => `0.15mm solid ${colour}`;
const line = `0.3mm solid ${ink}`;

export const SIZE = 9;
/** Hours of so many characters fit their column; longer ones are set smaller. */
export const DIGITS = 7;

const lineHeight = 1.3; // counts only beside its own fontSize
/** In millimetres. */
const margin = 12;
const padding = 1.5;
const columns = { date: 23, hours: 13.5, supervisor: 44 };
const supervisorPadding = 2.5;
const signed = { name: 100, date: 50 };
const fact = { width: 80, fontSize: 10 };
const signedSize = 11;

const cell = { paddingHorizontal: mm(padding), paddingVertical: mm(0.7), fontSize: SIZE, lineHeight };
const columnLine = { borderLeft: hairline("#aaa") };

/** The line widths of typed text: the widths above, less the padding. */
export const lineWidths = {
  fact: inEm(fact.width, fact.fontSize),
  location: inEm(
    297 - 2 * margin - columns.date - METHODS.length * columns.hours - columns.supervisor - 2 * padding,
    SIZE,
  ),
  supervisor: inEm(columns.supervisor - supervisorPadding - TICK - padding, SIZE),
  supervisorBesideMark: inEm(columns.supervisor - supervisorPadding - TICK - VIA - padding, SIZE),
  signature: inEm(signed.name, signedSize),
  date: inEm(signed.date, signedSize),
};

export const styles = StyleSheet.create({
  page: {
    paddingTop: mm(10),
    paddingBottom: mm(19),
    paddingHorizontal: mm(margin),
    fontFamily: "Helvetica",
    fontSize: SIZE,
    color: ink,
  },
  label: { fontSize: 7.5, lineHeight, color: faint },

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(0.5) },
  title: { flex: 1, fontFamily: "Helvetica-Bold", fontSize: 17, letterSpacing: -0.3, lineHeight: 1.15 },
  fact: { maxWidth: mm(fact.width), marginLeft: mm(10) },
  factValue: { fontSize: fact.fontSize, lineHeight, minHeight: fact.fontSize * lineHeight }, // keeps its line when empty

  columnHeads: { flexDirection: "row", borderTop: line, borderBottom: line },
  columnHead: { paddingTop: mm(2.3), paddingBottom: mm(1.7), fontFamily: "Helvetica-Bold", fontSize: 8 },
  row: { flexDirection: "row", borderBottom: hairline("#999") },
  shaded: { backgroundColor: "#f1f1ee" },
  date: { ...cell, width: mm(columns.date) },
  location: { ...cell, flex: 1 },
  hours: {
    ...cell,
    ...columnLine,
    width: mm(columns.hours),
    paddingLeft: mm(0.5),
    paddingRight: mm(1.2),
    textAlign: "right",
  },
  supervisor: { ...cell, ...columnLine, width: mm(columns.supervisor), paddingLeft: mm(supervisorPadding) },
  marked: { flexDirection: "row" },
  supervisorName: { flex: 1, fontSize: SIZE, lineHeight },

  doubleLine: { borderTop: line, borderBottom: line, paddingBottom: mm(0.5) },
  totals: { flexDirection: "row", borderBottom: line, fontFamily: "Helvetica-Bold" },
  totalsLabel: { ...cell, flex: 1 },

  signature: { paddingTop: mm(7) },
  statement: { fontSize: 10.5, lineHeight },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(11) },
  signatureLine: { width: mm(signed.name), marginRight: mm(10) },
  dateLine: { width: mm(signed.date) },
  signed: { fontSize: signedSize, lineHeight, paddingBottom: mm(0.5) },
  underLine: { borderTop: line, paddingTop: mm(1) },

  footer: {
    position: "absolute",
    left: mm(margin),
    right: mm(margin),
    bottom: mm(8),
    flexDirection: "row",
    justifyContent: "space-between",
    alignItems: "flex-end",
  },
  code: { fontFamily: "Helvetica-Bold", fontSize: 10, lineHeight },
  legend: { flexDirection: "row", alignItems: "center" },
});
