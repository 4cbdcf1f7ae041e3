import type { ListName } from "#app/db/enumerations.ts";
import { experienceForm, type Form, type FormEntry, type FormRopeHours, type FormUser, ropeHoursForm } from "./form.ts";
import type { FormProof } from "./form-proof.server.ts";

/**
 * The form of a kind.
 * @param records all of that kind, with its fields
 */
export function formOfKind(
  kind: ListName,
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
