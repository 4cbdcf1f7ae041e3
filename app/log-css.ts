import dialogStyles from "./dialogs.css?inline";
import everyPageStyles from "./every-page.css?inline";
import everySignedInPageStyles from "./every-signed-in-page.css?inline";
import rareStyles from "./records/rare.css?inline";

/** The part of a log page's data that decides which sheets it needs. */
interface LogData {
  dialog?: object | null;
  /** Whether the toast offers Undo. */
  hasUndo?: boolean;
  totals?: object[];
  /** The records that the form has just saved. */
  justSaved?: object[];
}

/**
 * The style sheet of the page of a log, by its loader's data: the dialog is rare, and so are the undo, the first steps and what was just saved.
 * @param ownStyles what only this log shows
 */
export function logCss(ownStyles: string): (data: unknown) => string {
  return (data) => {
    const { dialog, hasUndo, totals, justSaved = [] } = (data ?? {}) as LogData; // none after an error
    const isRare = hasUndo || totals?.length === 0 || justSaved.length > 0;
    const rare = (dialog ? dialogStyles : "") + (isRare ? rareStyles : "");
    return everyPageStyles + everySignedInPageStyles + ownStyles + rare;
  };
}
