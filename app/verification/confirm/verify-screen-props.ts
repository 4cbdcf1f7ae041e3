import type { SubmissionResult } from "@conform-to/react";
import type { Toast } from "#app/server/flash.ts";
import type { Asker, LinkView } from "#app/verification/link-view.ts";

export interface VerifyScreenProps {
  /** The address that the form posts to: the link itself, with the secret of the mailed one if it has it. */
  action: string;
  token: string;
  link: LinkView;
  /** Who asks; null for the technician. */
  asker: Asker | null;
  /** The hash of the one record that is shown, sent with the form; null for several, and without a form. */
  shown?: string | null;
  /** The error if records have changed since the page was opened, and their keys (`itemKey`). */
  changed?: { message: string; keys: string[] } | null;
  timeZone: string;
  /** The result of the last submission. */
  reply?: SubmissionResult<string[]> | null | undefined;
  toast?: Toast | null | undefined;
}
