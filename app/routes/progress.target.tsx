import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { changeTarget, findTarget } from "#app/certification/own-targets.server.ts";
import { NOTICE } from "#app/certification/presets/preset.ts";
import { itemRows, shownItem, targetFormSchema } from "#app/certification/target.schema.ts";
import { draftOf, TargetForm } from "#app/certification/target-fields.tsx";
import targetFormStyles from "#app/certification/target-form.css?inline";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = { script: true, css: styles + signedInStyles + targetFormStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Edit Target · Hours Tracker" }];

export const loader = page(({ params, context }) => findTarget(context, parseId(params.id)));

export const action = formAction(
  { failed: "Failed to save the target. Please try again." },
  async ({ request, params, context }, form) => {
    const id = parseId(params.id);
    await findTarget(context, id);
    const { items, ...values } = form.parse(await readForm(request, itemRows), targetFormSchema(context.now));
    await changeTarget(context, id, { ...values, items: items.map(shownItem) });
    return redirectTo(context, "/progress", { toast: { kind: "success", title: "Target saved" } });
  },
);

export default function EditTarget() {
  const { target } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const path = `/progress/targets/${target.id}`;
  return (
    <SignedInLayout current="/progress" toast={answer?.failure}>
      <section aria-labelledby="edit">
        <h1 id="edit">Edit Target</h1>
        <p className="hint">{NOTICE}</p>
        <TargetForm action={path} draft={draftOf(target)} reply={answer?.reply ?? null} />
        <p className="row">
          <a className="second" href={`${path}/delete`}>
            Delete Target
          </a>
        </p>
      </section>
    </SignedInLayout>
  );
}
