import type { SubmissionResult } from "@conform-to/react";
import type { Toast } from "#app/server/flash.ts";
import { Failure } from "#app/ui/failure.tsx";
import type { LinkView } from "#app/verification/link-view.ts";
import { EndedScreen } from "./ended-screen.tsx";
import { VerifyOne } from "./verify-one.tsx";
import { VerifySeveral } from "./verify-several.tsx";

export interface VerifyScreenProps {
  /** The address that the form posts to: the link itself, with the secret of the mailed one if it has it. */
  action: string;
  token: string;
  link: LinkView;
  /** The hash of the one record that is shown, sent with the form; null for several, and without a form. */
  shown?: string | null;
  /** The error if records have changed since the page was opened, and their keys (`itemKey`). */
  changed?: { message: string; keys: string[] } | null;
  timeZone: string;
  /** The result of the last submission. */
  reply?: SubmissionResult<string[]> | null | undefined;
  toast?: Toast | null | undefined;
}

/** The page of a verification link: what is asked, one field and one button; or why the link cannot be used. */
export function VerifyScreen(props: VerifyScreenProps) {
  const { link } = props;
  if (link.state !== "open") return <EndedScreen {...props} />;
  if (link.isSeveral) return <VerifySeveral {...props} />;
  const [item] = link.items;
  // The server always sends the record; without it there is nothing to confirm (spec section 8).
  if (!item) return <Failure title="Invalid Data Format" text="This link's record could not be read." />;
  return <VerifyOne {...props} record={item.record} />;
}
