import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { Field } from "#app/forms/field.tsx";
import { TEXT_MAX } from "#app/forms/fields.ts";

type FormField = FieldMetadata<string | undefined>;

export type SignFields = Record<"supervisorName" | "scheme" | "level" | "number", FormField>;

interface SignProps {
  fields: SignFields;
  /** Whether it is about several records. */
  isSeveral: boolean;
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

/** What a supervisor states: their name, their certificate if they want, and what pressing the button means. */
export function Sign({ fields, isSeveral, focus, children }: SignProps) {
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
          <Field key={name} field={fields[name]} label={label} maxLength={TEXT_MAX} autoFocus={focus === name} />
        ))}
      </details>
      <p>By pressing the button you state that you supervised this work or are authorised to confirm it.</p>
      {children}
    </section>
  );
}

/** The first of these fields that has an error. */
export function firstWrong(fields: Record<string, FormField>, names: string[]): string | undefined {
  return names.find((name) => fields[name]?.errors);
}
