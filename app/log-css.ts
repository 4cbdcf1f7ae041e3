import dialogStyles from "./dialogs.css?inline";
import firstStepsStyles from "./records/first-steps.css?inline";
import signedInStyles from "./signed-in.css?inline";
import styles from "./styles.css?inline";
import undoStyles from "./ui/toast-undo.css?inline";

/** What of a log page's data decides which sheets it needs. */
interface LogData {
  dialog?: object | null;
  /** The record that was just deleted, which the toast can bring back. */
  deletedId?: number | null;
  totals?: object[];
}

/** The style sheets of the page of a log, by its loader's data: the dialog, the undo and the first steps are rare. */
export function logCss(data: unknown): string {
  const { dialog, deletedId, totals } = (data ?? {}) as LogData; // none after an error
  const rare = [dialog && dialogStyles, deletedId && undoStyles, totals?.length === 0 && firstStepsStyles];
  return styles + signedInStyles + rare.filter(Boolean).join("");
}
