import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endOtherSessions, endOwnSession } from "#app/accounts/own-sessions.server.ts";
import { endSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";

/** Nothing to see here; the sessions are on the page of the account. */
export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/account");
}

const FAILED: Toast = {
  kind: "error",
  title: "Failed to end the session",
  text: "If it is still here, please try again.",
};

/** What the buttons beside the sessions send: the reference of one, or `others`. */
export async function action({ request, context }: ActionFunctionArgs) {
  let toast: Toast = { kind: "success", title: "Session ended" };
  try {
    const which = String((await readForm(request)).get("session") ?? "");
    if (which === "others") {
      toast = { kind: "success", title: "Other sessions ended" };
      await endOtherSessions(context);
    } else if (await endOwnSession(context, which)) {
      return await endSessionAndRedirect(context, "/auth", toast, context.visit.userId);
    }
  } catch (error) {
    if (error instanceof Response) throw error;
    // Ended twice, by a double tap or on another device, it is ended.
    if (!(error instanceof AppError && error.status === 404)) toast = FAILED;
    if (!(error instanceof AppError)) logError(error, request);
  }
  return redirectTo(context, "/account", { toast });
}
