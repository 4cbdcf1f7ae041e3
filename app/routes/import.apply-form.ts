import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { applyImport } from "#app/transfer/apply-import.server.ts";
import { CHOICES, changeFrom, parseChoices } from "#app/transfer/import-form.ts";

export const handle = { heavy: true } satisfies RouteHandle;

/** The action of *Import*, with the form of the preview. A GET redirects to the preview. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, `/import/${parseId(params.id)}`);
});

export const action = buttonAction(
  {
    failed: "Failed to import the records. Please try again.",
    failureHref: ({ params }) => `/import/${parseId(params.id)}`,
  },
  async ({ request, params, context }) => {
    const id = parseId(params.id);
    const fields = parseChoices(await readForm(request, CHOICES));
    const { created } = await applyImport(context, id, (view) => changeFrom(view, fields));
    const text = created === 1 ? "1 record was saved." : `${created.toLocaleString("en")} records were saved.`;
    return redirectTo(context, `/import/${id}`, { toast: { kind: "success", title: "Imported", text } });
  },
);
