import type { ComponentProps, ReactNode } from "react";
import { asText, Field } from "#app/forms/field.tsx";
import type { FormDetail } from "./details.ts";

interface DetailFieldsProps {
  details: readonly FormDetail[];
  /** The form's fields of them, by name. */
  fields: { [name: string]: ComponentProps<typeof Field>["field"] };
  /** The name of the field that gets the focus: the first invalid one of the form. */
  focus?: string | undefined;
  /** Says what was filled in for the user. */
  hint?: ReactNode;
  /** Whether the record is not saved yet: then the app fills in what is left empty, and says so. */
  isNew?: boolean;
}

/** The detail of a record that does not say at which level its technician worked (`filledRow`). */
const FILLED_IN = "(Trainee, or as certified)";

/** The fields of the details. They are closed until a user opens them, has filled one in, or one is wrong. */
export function DetailFields({ details, fields, focus, hint, isNew = false }: DetailFieldsProps) {
  const inputs = details.flatMap((detail) => {
    const field = fields[detail.name];
    return field ? [{ ...detail, field }] : [];
  });
  const isOpen = inputs.some(
    ({ field, isFilled }) => Boolean(field.errors?.length) || Boolean(!isFilled && asText(field.initialValue)),
  );
  return (
    <details className="more" open={isOpen}>
      <summary>
        More details
        {isNew && inputs.some(({ isFilled }) => isFilled) && <span className="hint">{` ${FILLED_IN}`}</span>}
      </summary>
      {hint && <p className="hint">{hint}</p>}
      <div>
        {inputs.map(({ name, label, choices, max, field }) => {
          const own = { autoFocus: field.name === focus, defaultValue: asText(field.initialValue) };
          const control: ComponentProps<typeof Field>["control"] = choices
            ? (attributes) => (
                <select {...attributes} {...own}>
                  <option value="" />
                  {choices.map((choice) => (
                    <option key={choice} value={choice}>
                      {choice}
                    </option>
                  ))}
                </select>
              )
            : max
              ? (attributes) => <textarea {...attributes} {...own} rows={2} />
              : undefined;
          return <Field key={name} field={field} label={label} {...(control ? { control } : own)} />;
        })}
      </div>
    </details>
  );
}
