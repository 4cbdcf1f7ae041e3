import dialogStyles from "./dialogs.css?inline";
import everyPageStyles from "./every-page.css?inline";
import everySignedInPageStyles from "./every-signed-in-page.css?inline";
import rareStyles from "./records/rare.css?inline";
import plateStyles from "./ui/plate.css?inline";

/** The part of a log page's data that decides which sheets it needs. */
interface LogData {
  dialog?: object | null;
  /** Whether the toast offers Undo. */
  hasUndo?: boolean;
  totals?: object[];
  /** The records that the form has just saved. */
  justSaved?: object[];
  /** The status that a filter lists. */
  log?: { filter: { status: string } };
  /** The certificates that expire soon. */
  needs?: { ending: object[] };
}

/**
 * The style sheet of the page of a log, by its loader's data: the dialog is rare, and so are the undo, the first steps, what was just
 * saved and deleted records.
 * @param ownStyles what only this log shows
 * @param hasPlates whether its sheet has the plates and the marks of what ends, which the others show now and then
 */
export function logCss(ownStyles: string, hasPlates = false): (data: unknown) => string {
  return (data) => {
    const { dialog, hasUndo, totals, justSaved = [], log, needs } = (data ?? {}) as LogData; // none after an error
    const isRare = hasUndo || totals?.length === 0 || justSaved.length > 0 || log?.filter.status === "deleted";
    const showsPlates = dialog || justSaved.length > 0 || Boolean(needs?.ending.length);
    return (
      everyPageStyles +
      everySignedInPageStyles +
      ownStyles +
      (showsPlates && !hasPlates ? plateStyles : "") +
      (dialog ? dialogStyles : "") +
      (isRare ? rareStyles : "")
    );
  };
}
