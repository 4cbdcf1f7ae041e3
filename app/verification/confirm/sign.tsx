import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { asText, Field } from "#app/forms/field.tsx";
import { TEXT_MAX } from "#app/forms/fields.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { choiceLabel, isExperience } from "#app/records/kind.ts";
import type { LinkView } from "#app/verification/link-view.ts";
import type { VerifiableRecord } from "#app/verification/record.ts";

export type FormField = FieldMetadata<string | undefined>;

type SignFields = Record<"supervisorName" | "scheme" | "level" | "number", FormField>;

interface SignProps {
  fields: SignFields;
  link: LinkView;
  /** What is verified. */
  records: readonly VerifiableRecord[];
  /** The name of the field that gets the focus: the first with an error. */
  focus: string | undefined;
  /** The button, and what follows it. */
  children: ReactNode;
}

const CERTIFICATE = [
  ["scheme", "Scheme"],
  ["level", "Level"],
  ["number", "Certificate number"],
] as const;

/** Level I, as people write it. While it is typed, the style sheet shows the sentence about it by the field's pattern. */
const LEVEL_ONE_PATTERN = String.raw`\s*([Ll](evel|EVEL)\s*)?[Ii1]\s*`;
const LEVEL_ONE = new RegExp(`^${LEVEL_ONE_PATTERN}$`);

/** What a supervisor states: their name, their certificate if they want, and what pressing the button means. */
export function Sign({ fields, link: { isSeveral, supervisor }, records, focus, children }: SignProps) {
  const isLevelOne = [supervisor.level, asText(fields.level.initialValue)].some((level) => LEVEL_ONE.test(level ?? ""));
  const hasCertificate = CERTIFICATE.some(([name]) => fields[name].errors || fields[name].initialValue);
  return (
    <section className="sign">
      <h2 id="sign">Sign</h2>
      <Field
        field={fields.supervisorName}
        label="Your name"
        autoComplete="name"
        maxLength={TEXT_MAX}
        autoFocus={focus === "supervisorName"}
      />
      <p className="hint">Your name will appear on {isSeveral ? "each record" : "this record"} as the verifier.</p>
      <details open={hasCertificate}>
        <summary>Your certificate, if you want to state it</summary>
        {CERTIFICATE.map(([name, label]) => (
          <Field
            key={name}
            field={fields[name]}
            label={label}
            maxLength={TEXT_MAX}
            autoFocus={focus === name}
            pattern={name === "level" ? `(?!${LEVEL_ONE_PATTERN}$).*` : undefined}
          />
        ))}
      </details>
      {records.some(({ kind }) => isExperience(kindNamed(kind))) && (
        <p className={isLevelOne ? "hint" : "hint level-one"}>Most written practices ask for Level II or III.</p>
      )}
      <Statement records={records} />
      {children}
    </section>
  );
}

/** What pressing the button states. Records of several kinds state different things. */
function Statement({ records }: Pick<SignProps, "records">) {
  const nouns = new Map<string, Set<string>>();
  for (const { kind: name, record } of records) {
    const kind = kindNamed(name);
    const stated = kind.stated(record);
    nouns.set(stated, (nouns.get(stated) ?? new Set()).add(kind.noun(record)));
  }
  const [[one] = [""], ...others] = nouns;
  if (others.length === 0) return <p>{`By pressing the button you state that ${one}.`}</p>;
  return (
    <>
      <p>By pressing the button you state of each record that you verify:</p>
      <ul>
        {[...nouns].map(([stated, of]) => (
          <li key={stated}>{`${choiceLabel([...of].join(", "))}: ${stated}.`}</li>
        ))}
      </ul>
    </>
  );
}

/** The first of these fields that has an error. */
export function firstWrong(fields: Record<string, FormField>, names: string[]): string | undefined {
  return names.find((name) => fields[name]?.errors);
}
