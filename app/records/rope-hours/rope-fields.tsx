import type { FieldMetadata, SubmissionResult } from "@conform-to/react";
import { addDays, isCalendarDate } from "#app/calendar-date.ts";
import { asText, Field, NumberField } from "#app/forms/field.tsx";
import { DetailFields } from "#app/records/detail-fields.tsx";
import type { FormDetail } from "#app/records/details.ts";
import { END_DATE_HINT, periodHint, type RopeHoursDraft } from "./rope-rules.ts";

interface RopeFieldsProps {
  fields: Omit<{ [Name in keyof RopeHoursDraft]-?: FieldMetadata<string, RopeHoursDraft> }, "details"> & {
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

/** The end if it is the day after the start, as nobody has to choose it: it follows the start (`followStart`). */
function presetEnd(...dates: [{ initialValue?: unknown }, { initialValue?: unknown }]): string | undefined {
  const [start, end] = dates.map(({ initialValue }) => asText(initialValue) ?? "");
  return start && isCalendarDate(start) && end === addDays(start, 1) ? end : undefined;
}

/** The fields of rope hours. Missing ones share one message above the button; other errors are beside the field. */
export function RopeFields({ fields, details, required, reply, list }: RopeFieldsProps) {
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
        <Field
          field={endDate}
          label="End Date"
          type="date"
          data-preset={presetEnd(startDate, endDate)}
          {...about(endDate)}
        />
      </div>
      <p className="hint">{END_DATE_HINT}</p>
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
      <NumberField
        field={hours}
        label="Hours"
        placeholder="0.0"
        {...periodHint({ startDate: startDate.value, endDate: endDate.value, hours: hours.value })}
        {...about(hours)}
      />
      <DetailFields
        details={details}
        fields={fields.details.getFieldset()}
        focus={Object.keys(reply?.error ?? {})[0]}
      />
      {isMissing && (
        <p className="alert" role="alert" id={MISSING}>
          {required}
        </p>
      )}
    </>
  );
}
