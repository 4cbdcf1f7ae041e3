import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ComponentProps } from "react";
import { METHODS } from "#app/db/enumerations.ts";
import { asText, Field, NumberField } from "#app/forms/field.tsx";
import { DetailFields } from "#app/records/detail-fields.tsx";
import { ENTRY_DETAILS } from "#app/records/details.ts";
import type { Entry } from "./entry.schema.ts";
import type { EntryDraft } from "./entry-rules.ts";
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

interface EntryEditFieldsProps {
  record: Entry;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

export function EntryEditFields({ record: { date, location, method, hours, details }, reply }: EntryEditFieldsProps) {
  const [, fields] = useForm<EntryDraft>({
    id: "edit-record",
    lastResult: reply,
    defaultValue: { date, location, method, hours: String(hours), details },
  });
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  const props = (field: (typeof fields)["date"]) => ({ field, autoFocus: field.name === firstInvalid });
  return (
    <>
      <DateField {...props(fields.date)} />
      <LocationField {...props(fields.location)} />
      <MethodField {...props(fields.method)} />
      <HoursField {...props(fields.hours)} />
      <DetailFields details={ENTRY_DETAILS} fields={fields.details.getFieldset()} focus={firstInvalid} />
    </>
  );
}
