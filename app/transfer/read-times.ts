import { formatHours, hoursInWords, parseHours, plainNumber, toHundredths } from "#app/records/hours.ts";
import type { TimesIn } from "./columns.ts";
import { areTimesOfDay, shorten } from "./read-hours.ts";

/* Hours from the start, the end and the break of a day. */

const DAY = 24 * 60;

/** A time of day: `7:00`, `07:00:00`, `7.30`, `0730`, `7 Uhr`, `7 am`. */
const TIME_OF_DAY = /^(\d{1,2}?)(?:[:.h]?(\d{2}))?(?::\d{2}(?:\.0+)?)?\s*(?:([ap])\.?m\.?|h|uhr)?$/;

/** The minutes from midnight to a time of day, `24:00` at most; null for any other text. */
function minuteOf(cell: string): number | null {
  const [, hour, minute = "0", half] = TIME_OF_DAY.exec(plainNumber(cell) ?? "") ?? [];
  if (!hour || Number(minute) > 59) return null;
  if (half) return Number(hour) > 12 ? null : ((Number(hour) % 12) + (half === "p" ? 12 : 0)) * 60 + Number(minute);
  const minutes = Number(hour) * 60 + Number(minute);
  return minutes > DAY ? null : minutes;
}

/** Whether a column has times of day: all of its cells in the form `7:00`, or most of them in any form. */
export function timesIn(cells: readonly string[]): TimesIn {
  if (areTimesOfDay(cells)) return "all";
  const some = cells.filter((cell) => cell.trim() !== "");
  return 2 * some.filter((cell) => minuteOf(cell) !== null).length > some.length ? "most" : "none";
}

/** From this number on a break without a unit is in minutes; below it may be minutes or hours. */
const BREAK_MINUTES_MIN = 5;

/** The minutes of a break: `30`, `30 min`, `0:30`, `0.5`; or why it has none. A heading can name the unit. */
function breakOf(cell: string, heading: string): number | { message: string } {
  const plain = plainNumber(cell) ?? "";
  if (/^[0.,: -]*$/.test(plain)) return 0;
  const inWords = hoursInWords(plain);
  if (typeof inWords === "number") return Math.round(inWords * 60);
  const number = parseHours(plain.replace(",", "."));
  const unit = /\bmin/i.test(heading) ? 1 : /\b(?:h|hrs?|hours?|std|stunden)\b/i.test(heading) ? 60 : null;
  if (number === null || number < 0)
    return { message: `“${shorten(cell)}” cannot be read as a break. Write it as 30 or 0:30.` };
  if (unit) return Math.round(number * unit);
  if (number < 1) return Math.round(number * 60);
  if (number >= BREAK_MINUTES_MIN && Number.isInteger(number)) return number;
  return { message: `“${shorten(cell)}” may be minutes or hours. Write the break as 30 or 0:30.` };
}

interface TimeCells {
  start: string;
  end: string;
  break: string;
  /** The heading of the column of breaks. */
  breakHeading: string;
}

/**
 * Returns the hours from a start to an end, less a break, and their note in the preview; or why there are none. An end
 * before the start is on the next day.
 */
export function hoursOfTimes(
  cells: TimeCells,
): { hundredths: number; said: string; isOverMidnight: boolean } | { message: string } {
  const [start, end] = [minuteOf(cells.start), minuteOf(cells.end)];
  const wrong = start === null ? cells.start : end === null ? cells.end : null;
  if (start === null || end === null) {
    if (!wrong?.trim()) return { message: "Write the start and the end, or the hours." };
    return { message: `“${shorten(wrong)}” cannot be read as a time of day. Write it as 7:30 or 15:45.` };
  }
  const period = `“${shorten(cells.start)}” to “${shorten(cells.end)}”`;
  if (start === end || (start === DAY && end === 0))
    return { message: `${period}: the end is the start. Correct one of them.` };
  const pause = breakOf(cells.break, cells.breakHeading);
  if (typeof pause !== "number") return pause;
  const isOverMidnight = end < start;
  const minutes = end - start + (isOverMidnight ? DAY : 0) - pause;
  if (minutes <= 0) return { message: `${period}: the break is as long as the work. Correct one of them.` };
  const hundredths = toHundredths(minutes / 60);
  const less = pause > 0 ? [`less “${shorten(cells.break)}”`] : [];
  const about = [...(isOverMidnight ? ["over midnight"] : []), ...less].map((one) => `, ${one}`).join("");
  const said = `${period}${about}${about && ","} is ${formatHours(hundredths)} h`;
  return { hundredths, said, isOverMidnight };
}
