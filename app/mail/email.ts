import { countedPlain } from "#app/ui/counted.ts";
import { plainName } from "./typed-text.ts";

export interface Correspondent {
  email: string;
  /** As typed. */
  name?: string | null | undefined;
}

/** The content of an email, in reading order, before it becomes text or HTML. */
export interface Email {
  to: Correspondent;
  replyTo?: Correspondent;
  subject: string;
  greeting: string;
  lead: string;
  /** The facts that the reader needs to decide. */
  facts: [term: string, value: string][];
  /** A small table between the facts and the button: its head, its rows and their sum. All columns but the first are numbers. */
  sums?: { head: string[]; rows: string[][]; total: string[] } | undefined;
  /** The one action of the email. */
  button: { label: string; url: string };
  /** More links, each below the button. */
  links?: { label: string; url: string }[];
  /** Paragraphs after the links. */
  notes: string[];
  /** The checkpoint of the audit log, which the mailbox keeps (app/audit-log/grow-tree.server.ts). */
  checkpoint?: { size: number; root: string } | undefined;
  /** Where the reader stops all emails of this kind with one click (RFC 8058). */
  unsubscribeUrl?: string;
}

/**
 * The headers of every email beside its addresses and subject: no automatic replies (RFC 3834), and an offer to unsubscribe with
 * one click (RFC 8058).
 */
export function headersOf({ unsubscribeUrl }: Email): Record<string, string> {
  return {
    "Auto-Submitted": "auto-generated",
    ...(unsubscribeUrl && {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}

/** The longest line of the text part, in characters. */
const WIDTH = 72;

/** The longest term that has its value beside it; a longer one, such as a record, has it below. */
const TERM = 32;

/** The greeting: by name if it is a plain name (`plainName`). */
export function formatGreeting({ name }: Pick<Correspondent, "name">): string {
  const plain = plainName(name);
  return plain ? `Hello ${plain},` : "Hello,";
}

export function renderText(email: Email): string {
  const { facts, button, links = [], checkpoint, unsubscribeUrl } = email;
  const isShort = ([term]: Email["facts"][number]) => term.length <= TERM;
  const indent = Math.max(0, ...facts.filter(isShort).map(([term]) => term.length)) + 2;
  // Every line of a value is indented, so that none can look like another fact.
  const list = facts.map((fact) => {
    const [term, value] = fact;
    const margin = " ".repeat(isShort(fact) ? indent : 2);
    const beginning = isShort(fact) ? `${term}:`.padEnd(indent) : `${term}:\n${margin}`;
    return beginning + value.replaceAll("\n", `\n${margin}`);
  });
  const urls = [button, ...links].map(({ label, url }) => `${label}:\n${url}`);
  const stop = unsubscribeUrl ? [`${UNSUBSCRIBE}:\n${unsubscribeUrl}`] : [];
  return [
    wrap(email.greeting),
    wrap(email.lead),
    ...(facts.length > 0 ? [list.join("\n")] : []),
    ...(email.sums ? [alignedRows([email.sums.head, ...email.sums.rows, email.sums.total])] : []),
    ...urls,
    ...email.notes.map(wrap),
    SIGNED,
    ...(checkpoint ? [wrap(CHECKPOINT_NOTE), wrap(checkpointLine(checkpoint))] : []),
    ...stop,
  ]
    .join("\n\n")
    .concat("\n");
}

export const SIGNED = "Hours Tracker";

/** Explains the checkpoint. It has no number, so that a reader who copies it with the line can compare both. */
export const CHECKPOINT_NOTE =
  "There is nothing to do with the next line: an auditor can compare it with the log of all verifications, to see that none was changed since.";

export function checkpointLine({ size, root }: NonNullable<Email["checkpoint"]>): string {
  return `Log checkpoint: ${countedPlain(size, "event")}, root hash ${root}`;
}

export const UNSUBSCRIBE = "Stop all emails from Hours Tracker to this address";

/** Rows in columns: the first aligned left, the others right. */
function alignedRows(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

/** Breaks a paragraph into lines at spaces. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
