import type { FieldMetadata, SubmissionResult } from "@conform-to/react";
import { asText, Field } from "#app/forms/field.tsx";
import type { RopeHoursDraft } from "./rope-rules.ts";

interface RopeFieldsProps {
  fields: { [Name in keyof RopeHoursDraft]: FieldMetadata<string, RopeHoursDraft> };
  /** The message of whatever is missing. */
  required: string;
  /** What the server said of the last sending: the first field that it found wrong has the focus. */
  reply: SubmissionResult<string[]> | null;
  /** The id of a list of places to choose from. */
  list?: string;
}

const MISSING = "rope-missing";

/**
 * The fields of a period of rope-access work, wherever it is written. Those that are missing share one message, in
 * front of the button; what else is wrong stands beside its field.
 */
export function RopeFields({ fields, required, reply, list }: RopeFieldsProps) {
  const { startDate, endDate, location, skills, hours } = fields;
  const all = [startDate, endDate, location, skills, hours];
  const isMissing = all.some(({ errors }) => errors?.[0] === required);
  const firstInvalid = all.find(({ name }) => reply?.error?.[name])?.name;
  const about = ({ name, errors }: { name: string; errors: string[] | undefined }) => ({
    autoFocus: name === firstInvalid,
    errorElsewhere: errors?.[0] === required ? MISSING : undefined,
  });
  return (
    <>
      <div className="pair">
        <Field field={startDate} label="Start Date" type="date" {...about(startDate)} />
        <Field field={endDate} label="End Date" type="date" {...about(endDate)} />
      </div>
      <Field field={location} label="Location" list={list} {...about(location)} />
      <Field
        field={skills}
        label="Skills"
        errorElsewhere={about(skills).errorElsewhere}
        control={(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            defaultValue={asText(skills.initialValue)}
            autoFocus={about(skills).autoFocus}
          />
        )}
      />
      <Field
        field={hours}
        label="Hours"
        type="number"
        inputMode="decimal"
        min={0}
        step={0.1}
        placeholder="0.0"
        {...about(hours)}
      />
      {isMissing && (
        <p className="alert" role="alert" id={MISSING}>
          {required}
        </p>
      )}
    </>
  );
}
