import type { FieldMetadata, SubmissionResult } from "@conform-to/react";
import type { InputHTMLAttributes, ReactNode } from "react";

/** The typed values of a form and the messages of its fields, after an attempt. */
export type Reply = SubmissionResult<string[]> | null | undefined;

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "form"> {
  field: Pick<FieldMetadata<unknown>, "id" | "name" | "errors" | "errorId" | "initialValue" | "required">;
  label: string;
  /** The id of the element with the error, if several fields share one message. */
  errorElsewhere?: string | undefined;
  /** A hint before typing; the error replaces it. */
  hint?: string;
  /** Renders another control than an input, such as a select, with these attributes. */
  control?: (attributes: ControlAttributes) => ReactNode;
  /** A message for the script of an offline form, and the least number. */
  "data-wrong"?: string | undefined;
  "data-min"?: number;
}

interface ControlAttributes {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** A label, its control and its error, connected for screen readers. */
export function Field({ field, label, control, errorElsewhere, hint, ...input }: FieldProps) {
  const isInvalid = Boolean(field.errors?.length);
  const attributes: ControlAttributes = {
    id: field.id,
    name: field.name,
    "aria-invalid": isInvalid || undefined,
    "aria-describedby": isInvalid ? (errorElsewhere ?? field.errorId) : hint && `${field.id}-hint`,
  };
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      {control ? (
        control(attributes)
      ) : (
        <input {...attributes} defaultValue={asText(field.initialValue)} required={field.required} {...input} />
      )}
      {hint && !isInvalid && (
        <p className="hint" id={`${field.id}-hint`}>
          {hint}
        </p>
      )}
      {isInvalid && !errorElsewhere && (
        <p className="wrong" id={field.errorId}>
          {field.errors?.[0]}
        </p>
      )}
    </div>
  );
}

/**
 * A number as text: of `7,5` a number input makes 75 (docs/decisions/0068-hours-as-typed-and-printed.md). Without
 * `autoComplete="off"`, with which a browser does not restore what was typed after Back.
 */
export function NumberField(props: FieldProps) {
  return <Field inputMode="decimal" {...props} />;
}

/** A value and what people read, or the name of a group and its choices. */
export type Choice = readonly [value: string, label: string | readonly Choice[]];

/** The options of a select. */
export function Options({ choices }: { choices: readonly Choice[] }) {
  return choices.map(([value, label]) =>
    typeof label === "string" ? (
      <option key={value} value={value}>
        {label}
      </option>
    ) : (
      <optgroup key={value} label={value}>
        <Options choices={label} />
      </optgroup>
    ),
  );
}

interface SelectFieldProps extends FieldProps {
  /** Nothing chosen comes first. */
  choices: readonly Choice[];
  /** The text while nothing is chosen. */
  none?: string | undefined;
}

/** A choice of some words, or of none. */
export function SelectField({ choices, none, autoFocus, ...field }: SelectFieldProps) {
  return (
    <Field
      {...field}
      control={(attributes) => (
        <select
          {...attributes}
          data-wrong={field["data-wrong"]}
          defaultValue={asText(field.field.initialValue)}
          autoFocus={autoFocus}
        >
          <option value="">{none}</option>
          <Options choices={choices} />
        </select>
      )}
    />
  );
}

/** An input of a record, described once for all forms that have it. */
export interface Input<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  /** By default text in one line. */
  readonly as?: "date" | "number" | "lines";
  readonly choices?: SelectFieldProps["choices"];
  readonly none?: string;
  readonly placeholder?: string;
  readonly hint?: string;
}

/** The field of an input. */
export function InputField({ input, ...field }: { input: Input } & Omit<FieldProps, "label" | "control">) {
  const { name: _, as, choices, none, ...about } = input;
  if (choices) return <SelectField {...about} {...field} choices={choices} none={none} />;
  if (as === "number") return <NumberField {...about} {...field} />;
  if (as === "date") return <Field type="date" {...about} {...field} />;
  if (as !== "lines") return <Field {...about} {...field} />;
  return (
    <Field
      {...about}
      {...field}
      control={(attributes) => (
        <textarea
          {...attributes}
          rows={3}
          data-wrong={field["data-wrong"]}
          defaultValue={asText(field.field.initialValue)}
          autoFocus={field.autoFocus}
        />
      )}
    />
  );
}

interface PasswordFieldProps extends Omit<FieldProps, "control" | "type"> {
  autoComplete: "current-password" | "new-password";
}

/** A password, with a button that shows it. The script reveals the button (app/client/password.client.ts). */
export function PasswordField({ autoComplete, autoFocus, ...field }: PasswordFieldProps) {
  const input = { type: "password", required: field.field.required, autoComplete, autoFocus };
  return (
    <Field
      {...field}
      control={(attributes) => (
        <div className="password">
          <input {...attributes} {...input} />
          <button type="button" className="second" hidden aria-pressed="false" data-show="">
            Show<span> password</span>
          </button>
        </div>
      )}
    />
  );
}

/** A form value for an input: the text, or undefined for anything else. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
