import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endToken } from "#app/accounts/api-tokens.server.ts";
import { resendConfirmation } from "#app/accounts/email-confirmation.server.ts";
import { endOtherSessions, endOwnSession } from "#app/accounts/own-sessions.server.ts";
import { endSessionAndRedirect, logOut } from "#app/accounts/sign-in.server.ts";
import { restoreRecordAsAdmin } from "#app/admin/deletion.server.ts";
import { endServiceToken, SERVICE_TOKENS_PATH } from "#app/admin/service-tokens.server.ts";
import { requestLogCheck } from "#app/admin/system.server.ts";
import { deletedHref, listHref, SYSTEM_PATH } from "#app/admin/view.tsx";
import { restoreRecord } from "#app/corrections/correct.server.ts";
import { buttonAction, type FailedToast } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import { recordPath } from "#app/records/kind.ts";
import type { Flash, Toast } from "#app/server/flash.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { applyImport } from "#app/transfer/apply-import.server.ts";
import { CHOICES, changeFrom, parseChoices } from "#app/transfer/import-form.ts";
import { undoImport } from "#app/transfer/undo-import.server.ts";
import { counted } from "#app/ui/counted.ts";
import { requestFlash } from "#app/verification/requests/mail-status.ts";
import { remind, setReminders } from "#app/verification/requests/remind.server.ts";
import { sendToNewAddress } from "#app/verification/requests/request.server.ts";
import { withdrawRequest, withdrawRequestOfRecord } from "#app/verification/requests/withdraw.server.ts";

/*
 * The buttons whose forms post to an address of their own and that have no page there. Each is a row of `BUTTONS`, by the last
 * part of its route's id (app/routes.ts).
 */

interface Button {
  handle?: RouteHandle;
  /** The page of the button, where all leads: a GET of its address, success, and failure if there is no other page for it. */
  page: (args: ActionFunctionArgs) => string;
  failurePage?: (args: ActionFunctionArgs) => string;
  failed: FailedToast;
  /** The message if the row is gone, such as after a double tap. Without it a 404 is an error page. */
  gone?: Toast;
  /** Does the work, and returns what the page says then, or a redirect to another page. */
  act: (args: ActionFunctionArgs) => Promise<Flash | undefined | Response>;
}

const done = (title: string, text?: string): Toast => ({ kind: "success", title, ...(text && { text }) });

const accountPage = () => "/account";
const recordPage = ({ params, context }: ActionFunctionArgs) => recordPath(kindOf(context), parseId(params.id));
const requestPage = ({ params }: ActionFunctionArgs) => `/requests/${parseId(params.id)}`;
const importPage = ({ params }: ActionFunctionArgs) => `/import/${parseId(params.id)}`;

const SESSION_ENDED = done("Session ended");
const TOKEN_ENDED = done("Token ended");
const WITHDRAWN = done("Request withdrawn", "Its link no longer works.");

const BUTTONS: Record<string, Button> = {
  logout: {
    handle: { access: "public" }, // logging out without a session succeeds
    page: () => "/",
    failurePage: () => "/profile",
    failed: "Failed to log out. Please try again.",
    act: async ({ request, context }) => {
      // From the form, because the session may have ended before.
      const form = await readForm(request).catch(() => new FormData());
      const userId = (await logOut(context)) ?? parseId(String(form.get("user")));
      return endSessionAndRedirect(context, "/", done("Logged out successfully"), userId);
    },
  },

  "account.email.resend": {
    page: accountPage,
    failed: "Failed to send the link. Please try again.",
    act: async ({ context }) => ({ toast: done("Email address", await resendConfirmation(context)) }),
  },

  // `session` is the reference of a session, or `others`.
  "account.sessions": {
    page: accountPage,
    failed: { title: "Failed to end the session", text: "If it is still here, please try again." },
    gone: SESSION_ENDED,
    act: async ({ request, context }) => {
      const reference = String((await readForm(request)).get("session") ?? "");
      if (reference === "others") {
        await endOtherSessions(context);
        return { toast: done("Other sessions ended") };
      }
      const isCurrent = await endOwnSession(context, reference);
      if (isCurrent) return endSessionAndRedirect(context, "/auth", SESSION_ENDED, context.visit.userId);
      return { toast: SESSION_ENDED };
    },
  },

  // `token` is the id of a token.
  "account.end-token": {
    page: accountPage,
    failed: { title: "Failed to end the token", text: "If it is still here, please try again." },
    gone: TOKEN_ENDED,
    act: async ({ request, context }) => {
      await endToken(context, parseId(String((await readForm(request)).get("token") ?? "")));
      return { toast: TOKEN_ENDED };
    },
  },

  "admin.end-token": {
    page: () => SERVICE_TOKENS_PATH,
    failed: { title: "Failed to end the token", text: "If it is still here, please try again." },
    gone: TOKEN_ENDED,
    act: async ({ request, context }) => {
      await endServiceToken(context, parseId(String((await readForm(request)).get("token") ?? "")));
      return { toast: TOKEN_ENDED };
    },
  },

  "admin.log-check": {
    page: () => SYSTEM_PATH,
    failed: "Failed to start the check. Please try again.",
    act: async ({ context }) => {
      await requestLogCheck(context);
      return { toast: done("The check has started", "Its result will stand here.") };
    },
  },

  // *Undo* after a deletion by an admin, and in the list of what was deleted.
  "admin.restore": {
    handle: { fresh: true },
    page: ({ context }) => listHref(kindOf(context)),
    failurePage: ({ context }) => deletedHref(kindOf(context)),
    failed: "Failed to restore the record. Please try again.",
    act: async ({ params, context }) => {
      const kind = kindOf(context);
      await restoreRecordAsAdmin(context, kind, parseId(params.id));
      return { toast: done(kind.texts.restored) };
    },
  },

  // *Undo* after a deletion.
  "record.restore": {
    page: ({ context }) => kindOf(context).path,
    failurePage: ({ context }) => `${kindOf(context).path}?status=deleted`,
    failed: "Failed to restore the record. Please try again.",
    act: async ({ params, context }) => {
      const kind = kindOf(context);
      await restoreRecord(context, kind, parseId(params.id));
      return { toast: done(kind.texts.restored) };
    },
  },

  "record.withdraw": {
    page: recordPage,
    failed: "Failed to withdraw the request. Please try again.",
    act: async ({ params, context }) => {
      await withdrawRequestOfRecord(context, kindOf(context), parseId(params.id));
      return { toast: WITHDRAWN };
    },
  },

  "requests.withdraw": {
    page: requestPage,
    failed: "Failed to withdraw the request. Please try again.",
    act: async ({ params, context }) => {
      await withdrawRequest(context, parseId(params.id));
      return { toast: WITHDRAWN };
    },
  },

  // *Send again*, and *Send it to the new address*.
  "requests.remind": {
    page: requestPage,
    failed: "Failed to send verification request. Please try again.",
    act: async ({ request, params, context }) => {
      const isMoved = (await readForm(request)).get("to") === "new";
      const sent = await (isMoved ? sendToNewAddress : remind)(context, parseId(params.id));
      return requestFlash(sent, context.timeZone);
    },
  },

  // Turns a request's reminders on or off.
  "requests.reminders": {
    page: requestPage,
    failed: "Failed to change the reminders. Please try again.",
    act: async ({ request, params, context }) => {
      const reminders = (await readForm(request)).get("reminders") === "on";
      const { request: stored } = await setReminders(context, parseId(params.id), reminders);
      return { toast: done(stored.reminders ? "Reminders are on" : "Reminders are off") };
    },
  },

  // *Import*, with the form of the preview.
  "import.apply-form": {
    handle: { heavy: true },
    page: importPage,
    failed: "Failed to import the records. Please try again.",
    act: async ({ request, params, context }) => {
      const fields = parseChoices(await readForm(request, CHOICES));
      const { created } = await applyImport(context, parseId(params.id), (view) => changeFrom(view, fields));
      const text = `${counted(created, "record")} ${created === 1 ? "was" : "were"} saved.`;
      return { toast: done("Imported", text) };
    },
  },

  // *Undo this import*, and *Discard*.
  "import.undo": {
    handle: { heavy: true },
    page: importPage,
    failed: "Failed to undo the import. Please try again.",
    act: async ({ request, params, context }) => {
      const deletesEdited = (await readForm(request)).has("edited");
      const { removed, kept } = await undoImport(context, parseId(params.id), deletesEdited);
      if (removed + kept === 0)
        return redirectTo(context, "/import", { toast: done("Import removed", "No record was removed.") });
      const stays = kept > 0 ? ` ${counted(kept, "verified record")} ${kept === 1 ? "stays" : "stay"}.` : "";
      const text = `${counted(removed, "record")} ${removed === 1 ? "was" : "were"} removed.${stays}`;
      return redirectTo(context, "/import", { toast: done("Import undone", text) });
    },
  },
};

function buttonOf(routeId: string | null): Button {
  const button = BUTTONS[routeId?.split("/").at(-1) ?? ""];
  if (!button) throw new Error(`no button for ${routeId}`);
  return button;
}

export const handle = (routeId: string) => buttonOf(routeId).handle ?? {};

/** Leads to the page of the button, which checks who may see it. */
export async function loader(args: ActionFunctionArgs) {
  return redirectTo(args.context, buttonOf(args.context.routeId).page(args));
}

export async function action(args: ActionFunctionArgs): Promise<Response> {
  const { page, failurePage = page, failed, gone, act } = buttonOf(args.context.routeId);
  const run = buttonAction(
    {
      failed,
      failureHref: failurePage,
      onAppError: ({ status }) =>
        status === 404 && gone ? redirectTo(args.context, page(args), { toast: gone }) : undefined,
    },
    async () => {
      const result = await act(args);
      return result instanceof Response ? result : redirectTo(args.context, page(args), result);
    },
  );
  return run(args);
}

/** Never rendered. A route without a component has no error page: a 404 would not say why. */
export default function NoPage() {
  return null;
}
