import { formatDate } from "#app/ui/calendar-date.ts";
import { formatHours } from "./hours.ts";

/*
 * What a reader of verified hours should know besides them. It is said in the same words on the supervisor's page, on the
 * form and on the check page. None of it is a verdict.
 */

/** A technician as a supervisor or a reader of a form sees them. */
export interface Person {
  name: string | null;
  employeeNumber: string | null;
}

/** What is noted about a verified record, if there is something to note. */
export interface Evidence {
  /** The technician as the supervisor saw them, if the form names another name or number. */
  verifiedFor?: Person | null;
  /** The hours of all OJT entries of the technician on the record's date, in hundredths, if they are more than 24. */
  dayHundredths?: number | null;
}

/** What is no letter or digit, or cannot be seen. */
const NOT_OF_A_NAME = /[^\p{L}\p{N}\p{M}]|\p{Default_Ignorable_Code_Point}/gu;

/** Cyrillic and Greek letters, small ones, that look like a Latin one, as small letters or as capitals. */
const LATIN_LETTERS = new Map(
  ["аaвbеeзzіiјjкkмmнhоoрpсcтtуyхxѕsһhԁdԛqԝw", "αaβbεeζzηhιiκkμmνnοoρpτtυyχx"].flatMap((pairs) =>
    (pairs.match(/../gu) ?? []).map(([letter = "", latin = ""]): [string, string] => [letter, latin]),
  ),
);

/** A name as it looks: letters and digits alone, without case, in one form of Unicode, letters of other scripts as Latin ones. */
function lookOf(name: string | null): string {
  return [...(name ?? "").normalize("NFKC").toLowerCase()]
    .map((letter) => LATIN_LETTERS.get(letter) ?? letter)
    .join("")
    .replace(NOT_OF_A_NAME, "");
}

/** Whether two people have one name, or two that look alike. */
export function isSameName(one: string | null, other: string | null): boolean {
  const [first, second] = [lookOf(one), lookOf(other)];
  return first !== "" && first === second;
}

/** Whether a supervisor has the name of the technician whom a form names, or of the one whom they saw. */
export function hasTechniciansName(
  supervisor: string | null,
  name: string | null,
  { verifiedFor }: Pick<Evidence, "verifiedFor">,
): boolean {
  return isSameName(supervisor, name) || isSameName(supervisor, verifiedFor?.name ?? null);
}

export function isSamePerson(one: Person, other: Person): boolean {
  return one.name === other.name && one.employeeNumber === other.employeeNumber;
}

/** A person in one line: `Anna Experienced, E-1`. */
export function personText({ name, employeeNumber }: Person): string {
  return [name ?? "a technician without a name", employeeNumber].filter(Boolean).join(", ");
}

export const SAME_NAME = "The supervisor has the technician’s name.";

export function longDayText(hundredths: number): string {
  return `This date has ${formatHours(hundredths)} hours in all, more than 24.`;
}

/**
 * Says that a verification by link was confirmed from the supervisor's mailbox: `link, confirmed from fjord.example on 25 Nov
 * 2026`. It is said in the same words on the record, on the form and on the check page.
 * @param day the calendar date in UTC
 */
export function confirmedText(domain: string | null, day: string): string {
  return `link, confirmed from ${domain ?? "the supervisor’s mailbox"} on ${formatDate(day)}`;
}

/** The calendar date of a confirmation, in UTC: the same on paper for every reader. */
export function dayOfConfirmation(confirmedAt: Date | string): string {
  return new Date(confirmedAt).toISOString().slice(0, 10);
}

/** The sentences about a verified record, for a form that names the technician `name`. */
export function evidenceTexts(evidence: Evidence, supervisor: string | null, name: string | null): string[] {
  const { verifiedFor, dayHundredths } = evidence;
  return [
    ...(verifiedFor ? [`verified for ${personText(verifiedFor)}`] : []),
    ...(hasTechniciansName(supervisor, name, evidence) ? [SAME_NAME] : []),
    ...(dayHundredths ? [longDayText(dayHundredths)] : []),
  ];
}
