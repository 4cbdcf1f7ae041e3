import type { Toast } from "#app/server/flash.ts";
import type { Choice } from "./form-without-code.client.ts";
import { FORMS } from "./forms.ts";

/** The results of an export, in the words of spec section 8. */
export const EXPORTED: Toast = {
  kind: "success",
  title: "PDF exported",
  text: "Your verified hours have been exported as PDF.",
};

/** What the file lacks if the server made no export of it. */
export const WITHOUT_CODE = "This file has no code, so it cannot be checked online. Export again to get one.";

export const EXPORTED_WITHOUT_CODE: Toast = { ...EXPORTED, text: `${EXPORTED.text} ${WITHOUT_CODE}` };

export const FAILED: Toast = { kind: "error", title: "Error", text: "Failed to export PDF. Please try again." };

/** Why an export was refused, where the server says it in a sentence of its own. */
export const refused = (text: string): Toast => ({ ...FAILED, text });

/** What an export says that has no record (spec section 8), or none of the dates and the supervisor that were chosen. */
export function nothingVerified({ form, from, to, supervisorId }: Choice): Toast {
  const { title, text } = FORMS[form].nothing;
  const chosen = [(from || to) && "these dates", supervisorId && "this supervisor"].filter(Boolean).join(" and ");
  return { kind: "error", title, text: chosen ? `No verified record of this form has ${chosen}.` : text };
}
