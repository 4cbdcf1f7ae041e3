import type { ListName } from "#app/db/enumerations.ts";
import type { Toast } from "#app/server/flash.ts";
import { NOTHING_VERIFIED } from "./export-toasts.ts";

/** What differs between the kinds of forms besides their content (`form.ts`) and their columns (`paper.ts`). */
interface FormKindFacts {
  /** The log that it is of; below it the action of the export button and the page to print. */
  log: string;
  /** The JSON call that lists its records. */
  call: string;
  nothingVerified: Toast;
}

export const FORM_KINDS: Record<ListName, FormKindFacts> = {
  entries: { log: "/profile", call: "/api/entries", nothingVerified: NOTHING_VERIFIED },
  rope_hours: {
    log: "/rope-hours",
    call: "/api/rope-hours",
    nothingVerified: {
      kind: "error",
      title: "No verified rope hours",
      text: "You need at least one verified record of rope hours to export.",
    },
  },
};
