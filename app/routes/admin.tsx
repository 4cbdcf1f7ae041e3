import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import adminStyles from "#app/admin/admin-screen.css?inline";
import { AdminScreen } from "#app/admin/admin-screen.tsx";
import { deleteRecordAsAdmin, deleteUser } from "#app/admin/deletion.server.ts";
import { adminPage } from "#app/admin/page.server.ts";
import { hasKnownTab, hrefOf, tabNamed, viewAt } from "#app/admin/view.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = {
  script: true,
  fresh: true,
  css: styles + signedInStyles + dialogStyles + adminStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Admin · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const view = viewAt(url);
  const { timeZone } = context;
  const targetId = parseId(url.searchParams.get("delete"));
  try {
    const shown = await adminPage(context, view, targetId);
    if (!hasKnownTab(url)) {
      const toast: Toast = { kind: "error", title: "Error", text: `${NO_TAB} These are the users.` };
      throw await redirectTo(context, hrefOf(view), { toast });
    }
    if (url.searchParams.has("delete") && !shown.target) {
      const toast: Toast = { kind: "error", title: "Error", text: tabNamed(view.tab).texts.missing };
      throw await redirectTo(context, hrefOf(view), { toast });
    }
    return data({ user: shown.user, view, page: shown, timeZone });
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    return data({ user: null, view, page: null, timeZone }, { status: 500 });
  }
});

const NO_TAB = "There is no such list.";

/** Deletes the row of the dialog at /admin?delete={id}. */
export const action = buttonAction(
  {
    failed: ({ request }) => ({
      title: `Failed to delete ${tabNamed(viewAt(new URL(request.url)).tab).texts.one}`,
      text: "If it is still in the list, please try again.",
    }),
    failureHref: ({ request }) => hrefOf(viewAt(new URL(request.url))),
    // The list is shown with the message; the error page would hide it.
    onAppError: ({ status, message }, fail) => (status === 404 ? fail(message) : undefined),
  },
  async ({ request, context }) => {
    const url = new URL(request.url);
    const view = viewAt(url);
    await requireAdmin(context);
    if (!hasKnownTab(url)) throw new AppError("not_found", NO_TAB); // the id is not a user's
    const id = parseId(url.searchParams.get("delete"));
    const { kind, texts } = tabNamed(view.tab);
    await (kind ? deleteRecordAsAdmin(context, kind, id) : deleteUser(context, id));
    return redirectTo(context, hrefOf(view), { toast: { kind: "success", title: texts.deleted } });
  },
);

export default function Admin() {
  const { view, page, timeZone } = useLoaderData<typeof loader>();
  return <AdminScreen view={view} page={page} timeZone={timeZone} />;
}
