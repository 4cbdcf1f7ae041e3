import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { AppliedScreen } from "#app/transfer/applied-screen.tsx";
import { changeImport, checkedChange } from "#app/transfer/change-import.server.ts";
import { CHOICES, changeFrom, previewForm } from "#app/transfer/import-form.ts";
import previewStyles from "#app/transfer/preview.css?inline";
import { findImportPage } from "#app/transfer/preview-page.server.ts";
import { PreviewScreen } from "#app/transfer/preview-screen.tsx";

export const handle = { heavy: true, script: true, css: styles + signedInStyles + previewStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Import · Hours Tracker" }];

export const loader = page(({ params, context }) => findImportPage(context, parseId(params.id)));

/** Changes the columns, the order of the dates or the skipped rows. */
export const action = formAction(
  { failed: "Failed to update the preview. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const id = parseId(params.id);
    const fields = form.parse(await readForm(request, CHOICES), previewForm);
    await changeImport(context, id, (row, view) => checkedChange(row, view ? changeFrom(view, fields) : {}));
    return redirectTo(context, `/import/${id}`);
  },
);

export default function ImportPreview() {
  const { view, applied } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const message = answer?.failure?.text ?? Object.values(answer?.reply?.error ?? {})[0]?.[0];
  return (
    <SignedInLayout current="/account">
      {view ? <PreviewScreen view={view} message={message} /> : applied && <AppliedScreen applied={applied} />}
    </SignedInLayout>
  );
}
