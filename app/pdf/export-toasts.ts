import type { Toast } from "#app/server/flash.ts";

/** The results of an export, in the words of spec section 8. */
export const EXPORTED: Toast = {
  kind: "success",
  title: "PDF exported",
  text: "Your verified hours have been exported as PDF.",
};

/** What the file lacks if the server made no export of it. */
export const WITHOUT_CODE = "This file has no code, so nobody can check it online. Export again to get one.";

export const EXPORTED_WITHOUT_CODE: Toast = { ...EXPORTED, text: `${EXPORTED.text} ${WITHOUT_CODE}` };

export const FAILED: Toast = { kind: "error", title: "Error", text: "Failed to export PDF. Please try again." };
