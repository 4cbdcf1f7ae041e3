import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { CHOICES, changeFrom, previewForm } from "#app/transfer/import-form.ts";
import { changeImport, checkedChange } from "#app/transfer/open-import.server.ts";
import previewStyles from "#app/transfer/preview.css?inline";
import { type AppliedImport, findImportPage } from "#app/transfer/preview-page.server.ts";
import { PreviewScreen } from "#app/transfer/preview-screen.tsx";
import { counted } from "#app/ui/counted.ts";
import { ITEMS_MAX } from "#app/verification/verification.schema.ts";

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

/** What an import did, and what can be done with its records. */
function AppliedScreen({ applied }: { applied: AppliedImport }) {
  const { id, kind: name, created, skipped, verified, askable } = applied;
  const kind = kindNamed(name);
  return (
    <>
      <section>
        <h1>Imported</h1>
        <p className="notice done">
          {counted(created, "record")} saved{skipped > 0 && `, ${skipped.toLocaleString("en")} left out`}.
        </p>
        <p className="row">
          {askable > 0 && (
            <a className="second" href={`/requests/new?all=1&kind=${name}&import=${id}`}>
              Ask a supervisor to verify these
            </a>
          )}
          <a href={kind.path}>Open the log</a>
        </p>
        {askable > ITEMS_MAX && (
          <p className="hint">
            {`A request has at most ${ITEMS_MAX} records. Come back to this page for the next ones: ${counted(askable, "record")} have no request yet.`}
          </p>
        )}
      </section>
      <details>
        <summary>Undo this import</summary>
        <p>
          This deletes the records of this import{verified > 0 && `, except ${verified} that a supervisor has verified`}
          . Open requests for them end.
        </p>
        <form method="post" action={`/import/${id}/undo`} className="row">
          <button type="submit" className="danger" data-busy="Undoing...">
            Undo import
          </button>
        </form>
      </details>
    </>
  );
}
