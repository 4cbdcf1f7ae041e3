import type { ComponentProps, ReactNode } from "react";
import { asText, Field } from "#app/forms/field.tsx";
import type { FormDetail } from "./details.ts";

interface DetailFieldsProps {
  details: readonly FormDetail[];
  /** The form's fields of them, by name. */
  fields: { [name: string]: ComponentProps<typeof Field>["field"] };
  /** Says what was filled in for the user. */
  hint?: ReactNode;
}

/** The fields of the details, closed until somebody wants them, one of them is filled in, or one is wrong. */
export function DetailFields({ details, fields, hint }: DetailFieldsProps) {
  const inputs = details.flatMap((detail) => {
    const field = fields[detail.name];
    return field ? [{ ...detail, field }] : [];
  });
  const isOpen = inputs.some(({ field }) => Boolean(field.errors?.length) || Boolean(asText(field.initialValue)));
  return (
    <details className="more" open={isOpen}>
      <summary>More about this job</summary>
      {hint && <p className="hint">{hint}</p>}
      <div>
        {inputs.map(({ name, label, choices, max, field }) => (
          <Field
            key={name}
            field={field}
            label={label}
            {...(choices && { control: (attributes) => select(attributes, choices, asText(field.initialValue)) })}
            {...(max && {
              control: (attributes) => <textarea {...attributes} rows={2} defaultValue={asText(field.initialValue)} />,
            })}
          />
        ))}
      </div>
    </details>
  );
}

function select(attributes: object, choices: readonly string[], value: string | undefined): ReactNode {
  return (
    <select {...attributes} defaultValue={value}>
      <option value="" />
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}
