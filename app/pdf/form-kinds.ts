import type { Toast } from "#app/server/flash.ts";
import { NOTHING_VERIFIED } from "./export-toasts.ts";
import {
  experienceForm,
  type Form,
  type FormEntry,
  type FormKind,
  type FormRopeHours,
  type FormUser,
  ropeHoursForm,
} from "./form.ts";
import type { FormProof } from "./form-proof.server.ts";

/** What differs between the kinds of forms besides their content (`form.ts`) and their columns (`paper.ts`). */
interface FormKindFacts {
  /** The log that it is of; below it the action of the export button and the page to print. */
  log: string;
  /** The JSON call that lists its records. */
  call: string;
  /** The start of its file name. */
  file: string;
  nothingVerified: Toast;
}

export const FORM_KINDS: Record<FormKind, FormKindFacts> = {
  entries: { log: "/profile", call: "/api/entries", file: "OJT_Log", nothingVerified: NOTHING_VERIFIED },
  rope_hours: {
    ...{ log: "/rope-hours", call: "/api/rope-hours", file: "Rope_Log" },
    nothingVerified: {
      kind: "error",
      title: "No verified rope hours",
      text: "You need at least one verified record of rope hours to export.",
    },
  },
};

/**
 * The form of a kind.
 * @param records all of that kind, with its fields
 */
export function formOfKind(
  kind: FormKind,
  user: FormUser,
  records: readonly { id: number }[],
  today: string,
  proof: FormProof | null = null,
): Form {
  // As the caller promises.
  return kind === "entries"
    ? experienceForm(user, records as readonly FormEntry[], today, proof)
    : ropeHoursForm(user, records as readonly FormRopeHours[], today, proof);
}
