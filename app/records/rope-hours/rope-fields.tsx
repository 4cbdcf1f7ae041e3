import type { FieldMetadata, SubmissionResult } from "@conform-to/react";
import { asText, InputField } from "#app/forms/field.tsx";
import { DetailFields } from "#app/records/detail-fields.tsx";
import type { FormDetail } from "#app/records/details.ts";
import { periodHint, ROPE_INPUTS, type RopeHoursDraft } from "./rope-rules.ts";

type InputName = (typeof ROPE_INPUTS)[number]["name"];

interface RopeFieldsProps {
  fields: Record<InputName, FieldMetadata<string, RopeHoursDraft>> & {
    details: FieldMetadata<RopeHoursDraft["details"], RopeHoursDraft>;
  };
  details: FormDetail[];
  /** The common error message of missing fields. */
  required: string;
  /** The server's answer to the last submission: the first invalid field gets the focus. */
  reply: SubmissionResult<string[]> | null;
  /** The id of a datalist of locations. */
  list?: string;
}

const MISSING = "rope-missing";

/** The end if it is the day of the start, as it was not chosen: it follows the start (`followStart`). */
function presetEnd(...dates: [{ initialValue?: unknown }, { initialValue?: unknown }]): string | undefined {
  const [start, end] = dates.map(({ initialValue }) => asText(initialValue) ?? "");
  return start && end === start ? end : undefined;
}

/** The fields of rope hours. Missing ones share one message above the button; other errors are beside the field. */
export function RopeFields({ fields, details, required, reply, list }: RopeFieldsProps) {
  const { startDate, endDate, hours } = fields;
  const wrong = Object.keys(reply?.error ?? {});
  const isMissing = (name: InputName) => fields[name].errors?.[0] === required;
  const firstInvalid = ROPE_INPUTS.find(({ name }) => wrong.includes(name))?.name;
  const own: { [Name in InputName]?: object } = {
    endDate: { "data-preset": presetEnd(startDate, endDate) },
    location: { list },
    hours: periodHint({ startDate: startDate.value, endDate: endDate.value, hours: hours.value }),
  };
  const [start, end, ...others] = ROPE_INPUTS.map((input) => (
    <InputField
      key={input.name}
      input={input}
      field={fields[input.name]}
      {...own[input.name]}
      autoFocus={input.name === firstInvalid}
      errorElsewhere={isMissing(input.name) ? MISSING : undefined}
    />
  ));
  return (
    <>
      <div className="pair">
        {start}
        {end}
      </div>
      {others}
      <DetailFields details={details} fields={fields.details.getFieldset()} focus={wrong[0]} />
      {ROPE_INPUTS.some(({ name }) => isMissing(name)) && (
        <p className="alert" role="alert" id={MISSING}>
          {required}
        </p>
      )}
    </>
  );
}
