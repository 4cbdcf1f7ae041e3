import type { KeptCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { VIAS, type Via } from "#app/db/enumerations.ts";
import { countedPlain } from "#app/ui/counted.ts";
import type { Form } from "./form.ts";
import type { FormProof } from "./form-proof.server.ts";
import type { Sheet } from "./sheets.ts";

/* The words on a form besides those of its kind, the same in the PDF and on the print page. */

export const THIS_PAGE = "This page";
export const SIGNED_STATEMENT = {
  title: "Signed statement",
  text: "The name, number, totals, count and a hash of the lines above, signed with Ed25519. It can be checked without us.",
};
export const NO_CODE = "Exported without a code: this form cannot be checked online.";

/** The labels of the running totals. They name the page: an entry of earlier years is marked as brought forward too. */
export const broughtLabel = ({ number }: Sheet) => `Brought forward from page ${number - 1}`;
export const runningLabel = ({ number, isLast }: Sheet) =>
  isLast ? "Total Hours" : `Carried forward to page ${number + 1}`;

export const checkAt = ({ url }: FormProof) => `Check this form at ${new URL(url).host}/check`;

export const pageOf = (number: number, pages: number) => `Page ${number} of ${pages}`;

/**
 * The lines below the legend of the marks: which records a form has, on every sheet; on the last one also what the notes of its
 * rows mean, and what the paper keeps of the audit log of all records (docs/proof.md). On every sheet these would be a twentieth
 * of the PDF of 400 records.
 */
export function remarksOf({ part, explained, proof }: Form, isLast: boolean): string[] {
  const closing = isLast ? [...explained, ...(proof?.checkpoint ? [checkpointLine(proof.checkpoint)] : [])] : [];
  return [...(part ? [part] : []), ...closing];
}

const checkpointLine = ({ size, root }: KeptCheckpoint) =>
  `Log checkpoint: ${countedPlain(size, "event")}, root hash begins ${root}`;

/** Where to read the characters that the PDF shows as boxes. */
export const boxNote = ({ proof }: Form) =>
  proof
    ? `a character that this PDF cannot show: read it at ${new URL(proof.url).host}/check`
    : "a character that this PDF cannot show: print the form in the app instead";

/** How a verification came, as the mark beside a supervisor says it. `null`: it was not noted. */
type Mark = Via | null;

const LINK = "verified through a link";
const MAILBOX = "verified through the supervisor’s mailbox";

/** A form without the server's answer has no domains, and an erased address has none: then the legend says so. */
function mailboxLegend({ rows }: Form): string {
  const mailboxes = rows.filter(({ via }) => via === "mailbox");
  const shown = mailboxes.filter(({ domain }) => domain).length;
  if (shown === 0) return `${MAILBOX}, domain not shown`;
  return `${MAILBOX}, at the domain shown${shown < mailboxes.length ? ", if any" : ""}`;
}

/** What the marks of a form mean: only of those that it has. */
export function legendOf(form: Form): { mark: Mark; text: string }[] {
  const { rows } = form;
  const marks = VIAS.filter((via) => rows.some((row) => row.via === via));
  const unnoted = rows.some(({ via }) => !via) ? [{ mark: null, text: "Verified by the supervisor named" }] : [];
  return [...marks.map((mark) => ({ mark, text: mark === "mailbox" ? mailboxLegend(form) : LINK })), ...unnoted];
}

/** The accessible name of a mark. */
export const markLabel = (via: Via) => `by ${via}`;
