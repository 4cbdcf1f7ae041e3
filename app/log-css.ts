import dialogStyles from "./dialogs.css?inline";
import everyPageStyles from "./every-page.css?inline";
import everySignedInPageStyles from "./every-signed-in-page.css?inline";
import firstStepsStyles from "./records/first-steps.css?inline";
import justSavedStyles from "./records/just-saved.css?inline";
import undoStyles from "./ui/toast-undo.css?inline";

/** What of a log page's data decides which sheets it needs. */
interface LogData {
  dialog?: object | null;
  /** Whether the toast offers Undo. */
  hasUndo?: boolean;
  totals?: object[];
  /** The records that the form has just saved. */
  justSaved?: object[];
}

/**
 * The style sheet of the page of a log, by its loader's data: the dialog, the undo, the first steps and what was just saved are rare.
 * @param ownStyles what only this log shows
 */
export function logCss(ownStyles: string): (data: unknown) => string {
  return (data) => {
    const { dialog, hasUndo, totals, justSaved = [] } = (data ?? {}) as LogData; // none after an error
    const rare = [
      dialog && dialogStyles,
      hasUndo && undoStyles,
      totals?.length === 0 && firstStepsStyles,
      justSaved.length > 0 && justSavedStyles,
    ];
    return everyPageStyles + everySignedInPageStyles + ownStyles + rare.filter(Boolean).join("");
  };
}
