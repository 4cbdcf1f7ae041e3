import { randomBytes } from "node:crypto";
import { CODE_BYTES, codeFromBytes } from "#app/proof/export-code.server.ts";
import { formatHours } from "#app/records/hours.ts";
import { pick } from "#demo/random.ts";
import { type ExportTampering, moreHundredths, movedDay, onPaper, sumUp } from "./export-tampering.ts";

/** The ways to alter the printed text, and the codes. A change that alters no sum is in the check page's rows alone. */
export const PAPER_TAMPERINGS: ExportTampering[] = [
  onPaper("the name", ["check", "statement"], (paper) => {
    paper.name = `${paper.name}s`;
  }),
  onPaper("the employee number", ["check", "statement"], (paper) => {
    paper.number = `${paper.number}7`;
  }),
  onPaper("the date of the form", ["check", "statement"], (paper, { next }) => {
    paper.day = movedDay(paper.day, next);
  }),
  onPaper("the date of a record", ["check"], (_paper, { row, next }) => {
    const day = Math.floor(next() * row.days.length);
    row.days[day] = movedDay(row.days[day] ?? "", next);
  }),
  onPaper("a text of a record", ["check"], (_paper, { row, next }) => {
    const text = Math.floor(next() * row.texts.length);
    row.texts[text] = `${row.texts[text]}, unit 2`;
  }),
  onPaper("the mark of previous experience", ["check"], (_paper, { row }) => {
    const [place = ""] = row.texts;
    row.texts[0] = place.replace(" (previous experience)", "");
    return row.texts[0] !== place;
  }),
  onPaper("the hours of a record", ["check"], (_paper, { row, next }) => {
    row.hundredths += moreHundredths(next);
  }),
  onPaper("the hours of a record, with the totals", ["check", "statement"], (paper, { row, next }) => {
    row.hundredths += moreHundredths(next);
    sumUp(paper);
  }),
  onPaper("the method of a record, with the totals", ["check", "statement"], (paper, { row, next }) => {
    if (row.head === "Hours") return false;
    row.head = pick(
      next,
      ["ET", "RFT", "RT", "PMI", "LSI"].filter((head) => head !== row.head),
    );
    sumUp(paper);
  }),
  onPaper("the total", ["check", "statement"], (paper, { next }) => {
    paper.total = formatHours(Math.round(Number(paper.total) * 100) + moreHundredths(next));
  }),
  onPaper("the total of a method", ["check", "statement"], (paper, { row, next }) => {
    paper.sums[row.head] = formatHours(Math.round(Number(paper.sums[row.head]) * 100) + moreHundredths(next));
  }),
  onPaper("the supervisor of a record", ["check"], (_paper, { row }) => {
    row.supervisor = `${row.supervisor} Jr.`;
  }),
  onPaper("how a record was verified", ["check"], (_paper, { row }) => {
    row.via = row.via === "link" ? "mailbox" : "link";
  }),
  onPaper("the domain of the supervisor", ["check"], (_paper, { row }) => {
    if (row.domain === "") return false;
    row.domain = `mail.${row.domain}`;
  }),
  onPaper("a record more", ["check", "statement"], (paper, { row }) => {
    paper.rows.push({ ...row });
    sumUp(paper);
  }),
  onPaper("a record less", ["check", "statement"], (paper, { record }) => {
    paper.rows.splice(record.position - 1, 1);
    sumUp(paper);
  }),
  onPaper("the last record is left out of the list alone", ["check", "statement"], (paper) => {
    paper.rows.pop();
  }),
  onPaper("two records exchange their hours", ["check"], (paper, { row, next }) => {
    const other = pick(next, paper.rows);
    if (formatHours(row.hundredths) === formatHours(other.hundredths) || row.head !== other.head) return false;
    [row.hundredths, other.hundredths] = [other.hundredths, row.hundredths];
  }),
  onPaper("the code of another form", ["check", "statement"], (paper, { other }) => {
    Object.assign(paper, { code: other.paper.code, url: other.paper.url });
  }),
  onPaper("the code and the statement of another form", ["check", "statement"], (paper, { other }) => {
    const { code, url, statement } = other.paper;
    Object.assign(paper, { code, url, statement });
  }),
  onPaper("a code of no form", ["check", "statement"], (paper) => {
    const code = codeFromBytes(randomBytes(CODE_BYTES));
    Object.assign(paper, { code, url: paper.url.replace(paper.code, code) });
  }),
  onPaper("a character of the code", ["check", "statement"], (paper, { next }) => {
    const place = pick(next, [0, 1, 5, 8, 12, 18, 20]);
    const wrong = paper.code[place] === "7" ? "8" : "7";
    paper.code = paper.code.slice(0, place) + wrong + paper.code.slice(place + 1);
  }),
  onPaper("two characters of the code change places", ["check", "statement"], (paper) => {
    const code = paper.code.replace(/^(.)(.)/, "$2$1");
    if (code === paper.code) return false;
    paper.code = code;
  }),
  onPaper("the address of another app", ["statement"], (paper) => {
    paper.url = paper.url.replace("//", "//check.");
  }),
];
