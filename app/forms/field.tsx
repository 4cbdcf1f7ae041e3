import type { FieldMetadata } from "@conform-to/react";
import type { InputHTMLAttributes, ReactNode } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "form"> {
  field: Pick<FieldMetadata<unknown>, "id" | "name" | "errors" | "errorId" | "initialValue" | "required">;
  label: string;
  /** The id of the element that says what is wrong, where several fields share one message. */
  errorElsewhere?: string | undefined;
  /** In place of the input: a select, say. It is given the attributes that tie it to the label and the message. */
  control?: (attributes: ControlAttributes) => ReactNode;
}

export interface ControlAttributes {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** A label, its control and its message, tied together for a screen reader. No route writes these by hand. */
export function Field({ field, label, control, errorElsewhere, ...input }: FieldProps) {
  const wrong = Boolean(field.errors?.length);
  const attributes: ControlAttributes = {
    id: field.id,
    name: field.name,
    "aria-invalid": wrong || undefined,
    "aria-describedby": wrong ? (errorElsewhere ?? field.errorId) : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      {control ? (
        control(attributes)
      ) : (
        <input {...attributes} defaultValue={asText(field.initialValue)} required={field.required} {...input} />
      )}
      {wrong && !errorElsewhere && (
        <p className="wrong" id={field.errorId}>
          {field.errors?.[0]}
        </p>
      )}
    </div>
  );
}

/** A form's value as an input shows it: text, whatever was sent. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
