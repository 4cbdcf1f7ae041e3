import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { CloseExportDialog } from "#app/proof/export-list.tsx";
import { closeExport, findListedExport } from "#app/proof/own-exports.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Asks before an export is closed. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Close export · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user, listed } = await findListedExport(context, parseId(params.id));
  return { user, listed, timeZone: context.timeZone };
});

const FAILED = "Failed to close the export. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }) => {
  await closeExport(context, parseId(params.id));
  const text = "Its code no longer shows anything.";
  return redirectTo(context, "/account", { toast: { kind: "success", title: "Export closed", text } });
});

export default function CloseExport() {
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current="/account"
      toast={answer?.failure}
      dialog={<CloseExportDialog {...useLoaderData<typeof loader>()} />}
    />
  );
}
