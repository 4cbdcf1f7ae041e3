import { Text, View } from "@react-pdf/renderer";
import { formatHours } from "#app/records/hours.ts";
import { DIGITS, mm, styles } from "./document-styles.ts";
import { datesOf, type Form } from "./form.ts";
import { Mark } from "./marks.tsx";
import { COLUMNS, SIZE } from "./paper.ts";
import type { LaidRow } from "./sheets.ts";
import { type Sums, shownSums } from "./sums.ts";
import { Lines, type OnWord } from "./typed.tsx";
import type { Face } from "./typeface.ts";

interface RowProps {
  form: Form;
  laid: LaidRow;
  face: Face;
  onWord?: OnWord | undefined;
}

export function Row({ form, laid, face, onWord }: RowProps) {
  const { row, isFirst, texts } = laid;
  const { dates, supervisor } = COLUMNS[form.kind];
  return (
    <View style={[styles.row, { height: mm(laid.height) }]}>
      <Text style={[styles.cell, { width: mm(dates) }]}>{isFirst ? datesOf(row) : ""}</Text>
      {texts.map((lines, index) => (
        <Lines key={form.texts[index]} style={styles.texts} lines={lines} face={face} onWord={onWord} />
      ))}
      <HoursCell form={form} column={row.column}>
        {isFirst ? formatHours(row.hundredths) : ""}
      </HoursCell>
      <View style={[styles.supervisorCell, { width: mm(supervisor) }]}>
        <View style={styles.marked}>
          {isFirst && !row.via && <Mark via={null} top={0.9} />}
          <Lines style={styles.supervisorName} lines={laid.supervisor} face={face} />
          {isFirst && row.via && <Mark via={row.via} top={0.9} />}
          {row.via && <Lines style={styles.domain} lines={laid.domain} face={face} />}
        </View>
        {laid.notes.length > 0 && <Lines style={styles.notes} lines={laid.notes} face={face} />}
      </View>
    </View>
  );
}

interface SumsCellsProps {
  form: Form;
  label: string;
  sums: Sums;
  /** The totals of the whole form show a column without hours too. */
  isTotal?: boolean;
}

/** A row of sums: of each column, and of all if there are several. */
export function SumsCells({ form, label, sums, isTotal = false }: SumsCellsProps) {
  const { hours, total } = shownSums(sums);
  return (
    <>
      <Text style={styles.texts}>{label}</Text>
      {form.columns.map((column, index) => (
        <HoursCell key={column} form={form}>
          {sums.columns[index] || isTotal ? hours[index] : ""}
        </HoursCell>
      ))}
      <Text style={[styles.supervisorCell, { width: mm(COLUMNS[form.kind].supervisor) }]}>
        {form.columns.length > 1 ? total : ""}
      </Text>
    </>
  );
}

/** @param column where it stands; before it are empty columns */
function HoursCell({ form, children = "", column }: { form: Form; children?: string; column?: number }) {
  const width = COLUMNS[form.kind].hours;
  const digits = (DIGITS * width) / COLUMNS.entries.hours;
  const place =
    column === undefined
      ? {}
      : { marginLeft: mm(column * width), marginRight: mm((form.columns.length - 1 - column) * width) };
  const style = [styles.hours, { width: mm(width), ...place }];
  if (!children) return <View style={style} />;
  const size = children.length > digits ? { fontSize: (SIZE * digits) / children.length } : {};
  return <Text style={[...style, size]}>{children}</Text>;
}
