/*
 * The format of a number in a spreadsheet gives its meaning: 46346 is a day, 0.3125 is 7:30, 90 may be minutes.
 * (ECMA-376, part 1, 18.8.30 and 18.8.31.)
 */

const DAY_SECONDS = 86_400;

/** The formats that are not listed in a file, by their id, those of Japan, China and Korea among them. */
const BUILT_IN: { [id: number]: string } = {
  ...{ 9: "0%", 10: "0.00%", 14: "m/d/yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy" },
  ...{ 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm" },
  ...{ 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0" },
  ...Object.fromEntries([32, 33, 34, 35].map((id) => [id, "h:mm"])),
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, "yyyy/m/d"])),
};

/** The type of the numbers with a format, as far as a reader of hours and dates needs it. */
interface CellFormat {
  is: "number" | "percent" | "date" | "month" | "year" | "time" | "elapsed";
  /** The word behind a number: `90 min`. */
  unit: string;
  /** How many digits a number has at least: 123 is shown as `00123`. */
  digits: number;
}

/** The format of a code such as `dd/mm/yyyy`, or of an id without a code. */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  const [positive = ""] = (code ?? BUILT_IN[id] ?? "").split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const literal = /"([^"]*)"|\\(.)/g;
  const plain = positive
    .replace(literal, "")
    .replace(/[_*]./g, "")
    .replace(/am\/pm|a\/p/gi, "")
    .toLowerCase();
  const isElapsed = /\[(?:h+|m+|s+)\]/.test(plain);
  const letters = plain.replace(/\[[^\]]*\]/g, "").replace(/general/g, "");
  const isTime = /[hs]/.test(letters);
  // An m beside hours or seconds is of minutes.
  const isMonth = /m/.test(letters.replace(/h[^a-z]*m+|m+[^a-z]*s/g, ""));
  const digits = /^0+$/.test(letters) ? letters.length : 0;
  const isNumber = /[0#?]/.test(letters) && !/[ydhsm]/.test(letters);
  const after = positive.slice(positive.search(/[0#?][^0#?]*$/) + 1);
  const unit = isNumber
    ? [...after.matchAll(literal)]
        .map(([, text, one]) => text ?? one)
        .join("")
        .trim()
    : "";
  const words = { unit: /^\p{L}+\.?$/u.test(unit) ? unit : "", digits };
  if (isElapsed) return { is: "elapsed", ...words };
  if (isNumber || letters === "") return { is: letters.includes("%") ? "percent" : "number", ...words };
  if (/d/.test(letters) || (isMonth && isTime)) return { is: "date", ...words };
  if (isTime) return { is: "time", ...words };
  return { is: isMonth ? "month" : /[yeb]/.test(letters) ? "year" : "number", ...words };
}

/** The text of a cell that has a number. */
interface CellText {
  text: string;
  /** The text of the cell, if its format hides a part of the number. */
  shows?: string;
}

/** More days than this are a moment rather than a duration. */
const DURATION_DAYS = 366;

/**
 * The text of a number: a day as `YYYY-MM-DD`, with `HH:MM` where the format has hours; a duration or a time of day as `H:MM`;
 * any other number exactly, with a point. `days` is the number of its day 0 in days since 1970.
 */
export function numberText(value: number, { is, unit, digits }: CellFormat, days: number): CellText {
  if (is === "percent") return { text: `${exact(value * 100)}%` };
  const seconds = Math.round(value * DAY_SECONDS);
  if (is === "number" || value < 0 || seconds >= 2_958_466 * DAY_SECONDS) {
    const text = digits > 1 ? exact(value).padStart(digits, "0") : exact(value);
    return { text: unit ? `${text} ${unit}` : text };
  }
  if (is === "elapsed") return { text: clock(seconds) };
  if (is === "time") {
    const shows = clock(seconds % DAY_SECONDS);
    return seconds < DAY_SECONDS || value > DURATION_DAYS ? { text: shows } : { text: clock(seconds), shows };
  }
  // The calendar of 1900 has a 29 February that was not.
  const isBeforeLeap = days === DAYS_1900 && value < 60;
  const date = new Date((days * DAY_SECONDS + seconds + (isBeforeLeap ? DAY_SECONDS : 0)) * 1000).toISOString();
  if (is === "year") return { text: date.slice(0, 4) };
  if (is === "month") return { text: `${MONTHS.format(Date.parse(date))} ${date.slice(0, 4)}` };
  const isMidnight = seconds % DAY_SECONDS === 0;
  return { text: isMidnight ? date.slice(0, 10) : `${date.slice(0, 10)} ${clock(seconds % DAY_SECONDS)}` };
}

const MONTHS = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

/** Day 0 of the two calendars of spreadsheets, in days since 1970. */
export const DAYS_1900 = Date.UTC(1899, 11, 30) / 86_400_000;
export const DAYS_1904 = Date.UTC(1904, 0, 1) / 86_400_000;

/** `7:30`; with the seconds if there are any. */
function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${hours}:${two(minutes)}${rest > 0 ? `:${two(rest)}` : ""}`;
}

/** A number with the 15 digits that a spreadsheet keeps. Three decimals get a zero: `7.125` may be 7125 in a text. */
function exact(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  return /^-?\d+\.\d{3}$/.test(text) ? `${text}0` : text;
}
