import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { addTarget } from "#app/certification/own-targets.server.ts";
import { MethodChoice, PresetChoice, PresetSummary } from "#app/certification/preset-choice.tsx";
import { presetNamed, targetFromPreset, targetPresetNamed } from "#app/certification/presets/presets.ts";
import { itemRows, targetFormSchema } from "#app/certification/target.schema.ts";
import { TargetForm } from "#app/certification/target-fields.tsx";
import targetFormStyles from "#app/certification/target-form.css?inline";
import { draftOf, NEW_ITEM, type TargetDraft } from "#app/certification/target-form.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

/**
 * A new target: the choice of a preset, then the form with its figures (`?preset=`), or an empty form (`?own`). Each copy of
 * the form posts to an address of its own, which is the page with the form's errors.
 */
export const handle = { script: true, css: styles + signedInStyles + targetFormStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Add Target · Hours Tracker" }];

const EMPTY: TargetDraft = { title: "", standard: "", edition: "", since: "", source: "", items: [NEW_ITEM] };

export const loader = page(async ({ request, params, context }) => {
  const { user } = await requireUser(context);
  const { searchParams } = new URL(request.url);
  const key = parseFormKey(params.key);
  return {
    user,
    formKey: key ?? crypto.randomUUID(),
    preset: targetPresetNamed(searchParams.get("preset")) ?? null,
    level: presetNamed(searchParams.get("preset")) ?? null,
    isOwn: key !== null || searchParams.has("own"),
  };
});

export const action = formAction(
  { failed: "Failed to save the target. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const { db, now } = context;
    const { user } = await requireUser(context);
    const values = form.parse(await readForm(request, itemRows), targetFormSchema(now));
    await addTarget(db, user.id, values, { key: parseFormKey(params.key), now });
    return redirectTo(context, "/progress", { toast: { kind: "success", title: "Target added" } });
  },
);

export default function NewTarget() {
  const { formKey, preset, level, isOwn } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const hasForm = preset || isOwn;
  return (
    <SignedInLayout current="/progress" toast={answer?.failure}>
      <h1>Add Target</h1>
      {preset && <PresetSummary preset={preset} />}
      {hasForm ? (
        <TargetForm
          action={`/progress/targets/new/${formKey}`}
          draft={preset ? draftOf(targetFromPreset(preset)) : EMPTY}
          reply={answer?.reply ?? null}
          isOfPreset={preset !== null}
        />
      ) : level ? (
        <MethodChoice level={level} />
      ) : (
        <PresetChoice />
      )}
    </SignedInLayout>
  );
}
