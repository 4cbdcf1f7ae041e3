import { StyleSheet } from "@react-pdf/renderer";
import { LATIN } from "#app/pdf/fonts/noto-sans.ts";
import {
  BOTTOM,
  COLUMN_HEADS,
  DOUBLE,
  FACT,
  LINE_HEIGHT,
  MARGIN,
  PADDING,
  rowHigh,
  SIGNED,
  SIZE,
  SMALL,
  SUPERVISOR,
  TOP,
} from "./paper.ts";

export const mm = (length: number) => `${length}mm`;
const ink = "#000";
const faint = "#333";
const line = `0.3mm solid ${ink}`;

/** Hours of so many characters fit their column; longer ones are set smaller. */
export const DIGITS = 6;

const cell = {
  paddingHorizontal: mm(PADDING.side),
  paddingVertical: mm(PADDING.top),
  fontSize: SIZE,
  lineHeight: LINE_HEIGHT, // counts only beside its own fontSize
};
const small = { fontSize: SMALL, lineHeight: LINE_HEIGHT };
const row = { flexDirection: "row", height: mm(rowHigh(1)) } as const;

export const styles = StyleSheet.create({
  page: {
    paddingTop: mm(TOP),
    paddingHorizontal: mm(MARGIN),
    fontFamily: LATIN,
    fontSize: SIZE,
    color: ink,
  },
  label: { ...small, color: faint },
  small,
  smallBold: { ...small, fontWeight: 700, fontSize: 9 },

  heading: { flexDirection: "row", alignItems: "flex-end", paddingBottom: mm(0.5) },
  title: { flex: 1, fontWeight: 700, fontSize: 17, letterSpacing: -0.3, lineHeight: 1.15 },
  fact: { maxWidth: mm(FACT.width), marginLeft: mm(10) },
  // An empty one keeps its line.
  factValue: { fontSize: FACT.size, lineHeight: LINE_HEIGHT, minHeight: FACT.size * LINE_HEIGHT },

  columnHeads: { flexDirection: "row", height: mm(COLUMN_HEADS) },
  columnHead: { justifyContent: "center", paddingVertical: 0 },
  columnHeadText: { fontWeight: 700, fontSize: 8, lineHeight: 1.1 },

  row,
  cell,
  texts: { ...cell, flex: 1 },
  hours: { ...cell, paddingLeft: mm(0.5), paddingRight: mm(1.2), textAlign: "right" },
  supervisorCell: { ...cell, paddingLeft: mm(SUPERVISOR.before) },
  marked: { flexDirection: "row" },
  supervisorName: { flex: 1, fontSize: SIZE, lineHeight: LINE_HEIGHT },
  domain: {
    width: mm(SUPERVISOR.domain),
    fontSize: SMALL,
    lineHeight: (SIZE * LINE_HEIGHT) / SMALL,
    // It must not take room: the library leaves out lines that do not fit into their row.
    top: mm(0.35),
  },

  notes: { fontSize: SMALL, lineHeight: (SIZE * LINE_HEIGHT) / SMALL },

  brought: { ...row, fontStyle: "italic" },
  sums: row,
  running: { ...row, height: mm(rowHigh(1) + DOUBLE), fontWeight: 700 },

  closing: { flexDirection: "row", justifyContent: "space-between" },
  signature: { paddingTop: mm(7) },
  statement: { fontSize: 10.5, lineHeight: LINE_HEIGHT },
  signatureLines: { flexDirection: "row", alignItems: "flex-end", paddingTop: mm(10) },
  signatureLine: { width: mm(SIGNED.width), marginRight: mm(10) },
  dateLine: { width: mm(50) },
  signed: { fontSize: SIGNED.size, lineHeight: LINE_HEIGHT, paddingBottom: mm(0.5) },
  underLine: { borderTop: line, paddingTop: mm(1) },
  signedStatement: { flexDirection: "row", paddingTop: mm(5) },
  signedStatementText: { width: mm(44), marginRight: mm(4) },

  footer: {
    position: "absolute",
    left: mm(MARGIN),
    right: mm(MARGIN),
    bottom: mm(BOTTOM),
    flexDirection: "row",
    justifyContent: "space-between",
    alignItems: "flex-end",
  },
  formCode: { fontWeight: 700, fontSize: 10, lineHeight: LINE_HEIGHT },
  legend: { flexDirection: "row", alignItems: "center" },
  check: { flexDirection: "row", alignItems: "flex-end" },
  checkText: { marginRight: mm(8) },
  checkCode: { fontWeight: 700, fontSize: 11, letterSpacing: 0.3, lineHeight: LINE_HEIGHT },
});
