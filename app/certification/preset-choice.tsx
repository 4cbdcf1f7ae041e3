import { amountWithUnit } from "#app/certification/target-section.tsx";
import { NOTICE, type Preset } from "./presets/preset.ts";
import { PRESETS, sourcesOf, TARGET_PRESETS } from "./presets/presets.ts";

/** The address of the form with the figures of a preset. */
function presetHref({ preset }: Preset): string {
  return `/progress/targets/new?preset=${preset}`;
}

/** The title without its standard, as a line of its own. */
function levelOf({ title }: Preset): string {
  return title.replace(/^[^,]*, /, "").replace(/^d/, "D");
}

/** Where a new target starts: with the figures of a standard, or an empty form. */
export function PresetChoice() {
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
export function MethodChoice({ level }: { level: Preset }) {
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
export function PresetSummary({ preset }: { preset: Preset }) {
  const { title, edition, items, notes } = preset;
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
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
