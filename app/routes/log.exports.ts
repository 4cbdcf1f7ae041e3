import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { FAILED } from "#app/pdf/export-toasts.ts";
import { createExport, NothingVerifiedError } from "#app/proof/create-export.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true } satisfies RouteHandle;

/** The action of the export button of a log, for browsers without script. A GET redirects to the log. */
export const loader = page(async ({ context }) => {
  await requireUser(context);
  return redirectTo(context, kindOf(context).path);
});

/** Makes an export, once for each `key` of the form, and leads to its page to print. */
export const action = buttonAction(
  {
    failed: () => ({ title: FAILED.title, text: FAILED.text ?? "" }),
    failureHref: ({ context }) => kindOf(context).path,
    onAppError: (error, _fail, { context }) =>
      error instanceof NothingVerifiedError
        ? redirectTo(context, kindOf(context).path, { toast: error.toast })
        : undefined,
  },
  async ({ request, context }) => {
    const kind = kindOf(context);
    const sent = (await readForm(request)).get("key");
    const key = parseFormKey(typeof sent === "string" && sent ? sent : undefined);
    const { id } = await createExport(context, { kind, key });
    return redirectTo(context, `${kind.path}/print/${id}`);
  },
);
