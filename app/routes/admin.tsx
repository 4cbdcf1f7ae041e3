import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { AdminScreen } from "#app/admin/admin-screen.tsx";
import { deleteRecordAsAdmin, deleteUser } from "#app/admin/deletion.server.ts";
import { adminPage } from "#app/admin/page.server.ts";
import { tabNamed } from "#app/admin/tabs.ts";
import { hrefOf, viewAt } from "#app/admin/view.ts";
import { AppError } from "#app/errors.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true, fresh: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Admin · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const view = viewAt(url);
  const { timeZone } = context;
  const targetId = idFrom(url.searchParams.get("delete"));
  try {
    const shown = await adminPage(context, view, targetId);
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

/** What the dialog of /admin?delete={id} sends: the row with that id goes. */
export const action = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const view = viewAt(url);
  const id = idFrom(url.searchParams.get("delete"));
  const { kind, texts } = tabNamed(view.tab);
  let toast: Toast = { kind: "success", title: texts.deleted };
  try {
    const { user } = await requireAdmin(context);
    await (kind ? deleteRecordAsAdmin(context, user.id, kind, id) : deleteUser(context, user.id, id));
  } catch (error) {
    if (error instanceof Response) throw error;
    if (!(error instanceof AppError)) logError(error, request);
    const text = error instanceof AppError ? error.message : "If it is still in the list, please try again.";
    toast = { kind: "error", title: `Failed to delete ${texts.one}`, text };
  }
  return redirectTo(context, hrefOf(view), { toast });
});

export default function Admin() {
  const { view, page, timeZone } = useLoaderData<typeof loader>();
  return <AdminScreen view={view} page={page} timeZone={timeZone} />;
}
