import type { ComponentProps } from "react";
import { METHODS } from "#app/db/enumerations.ts";
import { asText, Field, NumberField } from "#app/forms/field.tsx";
import { methodLabel } from "./methods.ts";

/** The fields of an OJT entry, with the labels of spec section 2. */

type Props = Pick<ComponentProps<typeof Field>, "field" | "autoFocus" | "list"> & {
  /** A message for the script of an offline form, and the least number. */
  "data-wrong"?: string;
  "data-min"?: number;
};

export function DateField(props: Props) {
  return <Field label="Job Date" type="date" {...props} />;
}

export function LocationField(props: Props) {
  return <Field label="Job Location" placeholder="Enter location" {...props} />;
}

export function MethodField({ field, autoFocus, "data-wrong": wrong }: Props) {
  return (
    <Field
      field={field}
      label="NDT Method"
      control={(attributes) => (
        <select {...attributes} data-wrong={wrong} defaultValue={asText(field.initialValue)} autoFocus={autoFocus}>
          <option value="">Select method</option>
          {METHODS.map((code) => (
            <option key={code} value={code}>
              {methodLabel(code)}
            </option>
          ))}
        </select>
      )}
    />
  );
}

export function HoursField(props: Props) {
  return <NumberField label="Hours" placeholder="0.0" {...props} />;
}
