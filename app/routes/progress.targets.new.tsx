import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { amountWithUnit } from "#app/certification/figures.ts";
import { addTarget } from "#app/certification/own-targets.server.ts";
import { NOTICE, type Preset } from "#app/certification/presets/preset.ts";
import {
  PRESETS,
  presetNamed,
  sourcesOf,
  TARGET_PRESETS,
  type TargetPreset,
  targetFromPreset,
  targetPresetNamed,
} from "#app/certification/presets/presets.ts";
import { itemRows, targetFormSchema } from "#app/certification/target.schema.ts";
import { draftOf, NEW_ITEM, type TargetDraft, TargetForm } from "#app/certification/target-fields.tsx";
import targetFormStyles from "#app/certification/target-form.css?inline";

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

/** The address of the form with the figures of a preset. */
function presetHref({ preset }: Preset): string {
  return `/progress/targets/new?preset=${preset}`;
}

/** The title without its standard, as a line of its own. */
function levelOf({ title }: Preset): string {
  return title.replace(/^[^,]*, /, "").replace(/^d/, "D");
}

/** Where a new target starts: with the figures of a standard, or an empty form. */
function PresetChoice() {
  const standards = [...new Set(PRESETS.map(({ standard }) => standard))];
  return (
    <>
      <section aria-labelledby="presets">
        <h2 id="presets">Figures of a standard</h2>
        <p>
          Choose a level. Its figures are copied into your target, and you can change them. They are restated from
          public pages, not taken from the standards themselves. {NOTICE}
        </p>
        <dl className="presets">
          {standards.map((standard) => (
            <div key={standard}>
              <dt>{standard}</dt>
              {PRESETS.filter((preset) => preset.standard === standard).map((preset) => (
                <dd key={preset.preset}>
                  <a href={presetHref(preset)}>{levelOf(preset)}</a>
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="own">
        <h2 id="own">Your own figures</h2>
        <p>
          <a className="second" href="/progress/targets/new?own=1">
            Write Your Own
          </a>
        </p>
      </section>
    </>
  );
}

/** The second step: the methods of a level, and the education if the figures depend on it. */
function MethodChoice({ level }: { level: Preset }) {
  return (
    <section aria-labelledby="methods">
      <h2 id="methods">{level.title}</h2>
      <p>Choose an NDT method. A target is one method and one level.</p>
      <ul className="presets">
        {TARGET_PRESETS.filter(({ of }) => of === level.preset).map((preset) => (
          <li key={preset.preset}>
            <a href={presetHref(preset)}>{preset.choice}</a>
          </li>
        ))}
      </ul>
      <p>
        <a href="/progress/targets/new">All levels</a>
      </p>
    </section>
  );
}

/** What a preset asks for, where its figures come from, how reliable that is, and what it leaves out. */
function PresetSummary({ preset }: { preset: TargetPreset }) {
  const { title, edition, items, notes, techniques } = preset;
  return (
    <section aria-labelledby="summary">
      <h2 id="summary">{title}</h2>
      <ul className="asked">
        {items.map(({ title, unit, required }) => (
          <li key={title}>
            {title}: <b>{amountWithUnit(unit, required)}</b>
          </li>
        ))}
      </ul>
      {techniques && <p>{techniques}</p>}
      <p>
        <b>{NOTICE}</b>
      </p>
      <details>
        <summary>Where these figures come from</summary>
        {edition && <p>Edition: {edition}.</p>}
        <ul className="sources">
          {sourcesOf(items).map(({ source, confidence, titles }) => (
            <li key={source}>{`${titles.join("; ")}: ${source} (${confidence} confidence).`}</li>
          ))}
          {notes
            .filter((note) => note !== techniques)
            .map((note) => (
              <li key={note}>{note}</li>
            ))}
        </ul>
      </details>
    </section>
  );
}
