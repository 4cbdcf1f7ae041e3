import fc from "fast-check";
import { METHODS } from "#app/db/enumerations.ts";

/*
 * Random logs without verified records, in the texts that people type and in those that break a CSV file. Every text of
 * a record is trimmed and has something visible in it.
 */

const PIECES = [
  ...[
    "Mongstad",
    "Kårstø",
    "山田",
    "العربية",
    "rig 7",
    "=1+1",
    "+47",
    "-",
    "@SUM(A1)",
    "'",
    "''",
    '"',
    '""',
    ",",
    ";",
    "\t",
  ],
  ...["|", "  ", "🛢️", "0", "yes", "2026-11-20", "1,5", "Date", "\\", "%", "\u00a0", "\ufeff", "NULL", "<b>"],
];

const text = (max: number, multiline: boolean) =>
  fc
    .array(fc.constantFrom(...PIECES, ...(multiline ? ["\n", "\n\n"] : [])), { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.join("").slice(0, max))
    .map((text) => `${text}x`);

const date = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2060-12-31"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

const hours = (min: number) => fc.integer({ min, max: 10_000_000 }).map((hundredths) => hundredths / 100);

const entry = fc.record({
  date,
  location: text(150, false),
  method: fc.constantFrom(...METHODS),
  hours: hours(10),
  broughtForward: fc.boolean(),
});

const ropeHours = fc
  .record({ days: fc.tuple(date, date), location: text(150, false), skills: text(1_900, true), hours: hours(0) })
  .filter(({ days: [one, other] }) => one !== other)
  .map(({ days, ...others }) => {
    const [startDate = "", endDate = ""] = [...days].sort();
    return { startDate, endDate, ...others };
  });

/** A log of 1 to 30 records of each kind, some of them equal. */
export const randomLog = fc.record({
  entries: fc.array(entry, { minLength: 1, maxLength: 30 }),
  ropeHours: fc.array(ropeHours, { minLength: 1, maxLength: 10 }),
});
