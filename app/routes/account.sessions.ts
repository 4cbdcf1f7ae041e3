import { requireUser } from "#app/accounts/access.server.ts";
import { endOtherSessions, endOwnSession } from "#app/accounts/own-sessions.server.ts";
import { signedOut } from "#app/accounts/sign-in.server.ts";
import type { Toast } from "#app/http/flash.ts";
import { readForm } from "#app/http/form.server.ts";
import { logError } from "#app/http/log.server.ts";
import { page } from "#app/http/page.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import { Refusal } from "#app/http/refusal.ts";

/** Nothing to see here; the sessions are on the page of the account. */
export const loader = page(async ({ context }) => {
  await requireUser(context);
  return redirectTo(context, "/account");
});

/** What the buttons beside the sessions send: the reference of one, or `others`. */
export const action = page(async ({ request, context }) => {
  const which = String((await readForm(request)).get("session") ?? "");
  let toast: Toast = { kind: "success", title: which === "others" ? "Other sessions ended" : "Session ended" };
  try {
    if (which === "others") await endOtherSessions(context);
    else if (await endOwnSession(context, which))
      return redirectTo(context, "/auth", { toast }, await signedOut(context));
  } catch (error) {
    if (error instanceof Response) throw error;
    // Ended twice, by a double tap or on another device, it is ended.
    if (!(error instanceof Refusal)) {
      logError(error, request);
      toast = { kind: "error", title: "Failed to end the session", text: "If it is still here, please try again." };
    }
  }
  return redirectTo(context, "/account", { toast });
});
