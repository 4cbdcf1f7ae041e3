import type { KeptCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { formatDate } from "#app/calendar-date.ts";
import { VIAS, type Via } from "#app/db/enumerations.ts";
import { LATE_DAYS } from "#app/records/evidence.ts";
import { formatHours } from "#app/records/hours.ts";
import { counted, countedPlain } from "#app/ui/counted.ts";
import type { Form } from "./form.ts";
import type { FormProof } from "./form-proof.server.ts";
import { type FormRun, sumsOf } from "./runs.ts";
import type { Sheet } from "./sheets.ts";

/* The words on a form besides those of its kind, the same in the PDF and on the print page. */

/** Small beside the form's own code: the code is of the form's fields, this is of their places. */
export const LAYOUT = "layout 3";

export const THIS_PAGE = "This page";
export const TOTAL = "Total Hours";
export const NO_CODE = "Exported without a code: this form cannot be checked online.";

/** The labels of the running totals. */
export const broughtLabel = ({ number }: Sheet) => `Brought forward from page ${number - 1}`;
export const runningLabel = ({ number, isLast }: Sheet) => (isLast ? TOTAL : `Carried forward to page ${number + 1}`);

const checkPlace = ({ url }: FormProof) => `${new URL(url).host}/check`;

export const checkAt = (proof: FormProof) => `Check this form at ${checkPlace(proof)}`;

export const signedStatement = (proof: FormProof) => ({
  title: "Signed statement",
  text: `The name, number, totals, count and a hash of the records above, signed with Ed25519. How to check it without us: ${checkPlace(proof)}`,
});

export const pageOf = (number: number, pages: number) => `Page ${number} of ${pages}`;

/** How verifications came, as a run of records and a sum say it. */
const HOW: Record<Via, string> = { mailbox: "from the supervisor’s mailbox", link: "through a link" };

/** Returns the words of a run about its answer: when, how, and of how many records with how many hours. */
export function runWords(run: FormRun, isContinued = false) {
  const { verifiedOn, via, rows, workedAs } = run;
  const hours = rows.some(({ hundredths }) => hundredths !== null) ? sumsOf(rows, { columns: [] }).all : null;
  const count = [
    counted(rows.length, "record"),
    hours !== null && `${formatHours(hours)} h`,
    workedAs && `worked as ${workedAs}`,
  ];
  return {
    when: verifiedOn ? `Verified ${formatDate(verifiedOn)}` : "Verified",
    how: HOW[via],
    count: `${isContinued ? "continued: " : ""}${count.filter(Boolean).join(", ")}`,
  };
}

export const viaLabel = (via: Via) => `Verified ${HOW[via]}`;

/**
 * The heading of the explanations of the sums by each way, and of the texts about a supervisor: only those that the
 * form has.
 */
export const WORTH = "What the sums are worth";
const WORTHS: Record<Via, [name: string, text: string]> = {
  mailbox: [
    "Mailbox:",
    "the request went to the supervisor’s own address, at the domain shown, and was answered from there.",
  ],
  link: ["Link:", "anyone who had the link could answer. The technician had it too, so ask the supervisor named."],
};

/** Returns the explanation of the sum of a way, as a sentence of its own. */
export const worthOf = (via: Via) => `${WORTHS[via][1].charAt(0).toUpperCase()}${WORTHS[via][1].slice(1)}`;

export function worthsOf({ rows }: Pick<Form, "rows">): { via: Via; name: string; text: string }[] {
  return VIAS.filter((via) => rows.some((row) => row.via === via)).map((via) => {
    const [name, text] = WORTHS[via];
    return { via, name, text };
  });
}

/**
 * Returns the sources of the texts about the supervisors of a form; null where it prints none. In italics: `italics`,
 * then the rest.
 */
export function saidBy({ rows }: Pick<Form, "rows">): { before: string; italics: string; after: string } | null {
  if (!rows.some(({ stated, entered }) => stated || entered)) return null;
  return {
    before: "Scheme, level, method, number and ground: as the supervisor stated them;",
    italics: "in italics",
    after: "as the technician entered them.",
  };
}

/**
 * The lines below the legend of the marks: which records a form has and the rule about late ones, on every sheet; on the last one
 * also what the notes of its rows mean, and what the paper keeps of the audit log of all records (docs/proof.md).
 */
export function remarksOf({ part, rows, explained, proof }: Form, isLast: boolean): string[] {
  const isTimed = rows.some(({ verifiedOn }) => verifiedOn);
  const checkpoint = proof?.checkpoint;
  // One with fewer events than the form has records is older than most of them.
  const kept = checkpoint && checkpoint.size >= rows.length ? [checkpointLine(checkpoint)] : [];
  const closing = isLast ? [...explained, ...kept] : [];
  return [...(part ? [part] : []), ...(isTimed ? [LATE_RULE] : []), ...closing];
}

const LATE_RULE = `Each record was logged within ${LATE_DAYS} days of its date, unless its line says otherwise.`;

const checkpointLine = ({ size, root }: KeptCheckpoint) =>
  `Log checkpoint: ${countedPlain(size, "event")}, root hash begins ${root}`;

/** Returns where to read the characters that the PDF shows as boxes. */
export const boxNote = ({ proof }: Form) =>
  proof
    ? `a character that this PDF cannot show: read it at ${checkPlace(proof)}`
    : "a character that this PDF cannot show: print the form in the app instead";

/** A form without the server's answer has no domains, and an erased address has none: then the legend says so. */
function mailboxLegend({ rows }: Form): string {
  const mailboxes = rows.filter(({ via }) => via === "mailbox");
  const shown = mailboxes.filter(({ domain }) => domain).length;
  const where = shown === 0 ? "domain not shown" : `at the domain shown${shown < mailboxes.length ? ", if any" : ""}`;
  return `${HOW.mailbox}, ${where}`;
}

/** Returns the explanation of the marks of a form: only of those that it has. */
export function legendOf(form: Form): { mark: Via; text: string }[] {
  return worthsOf(form).map(({ via }) => ({
    mark: via,
    text: via === "mailbox" ? mailboxLegend(form) : `${HOW.link}, which the technician had too`,
  }));
}

/** The accessible name of a mark. */
export const markLabel = (via: Via) => `by ${via}`;
