import { type SubmissionResult, useForm } from "@conform-to/react";
import { LEVELS, METHODS } from "#app/db/enumerations.ts";
import { Field, NumberField, SelectField } from "#app/forms/field.tsx";
import { methodLabel } from "#app/records/entry/methods.ts";
import { periodHint } from "#app/records/rope-hours/rope-rules.ts";
import type { Training } from "./training.kind.ts";

type Draft = Partial<
  Record<"startDate" | "endDate" | "course" | "organization" | "instructor" | "method" | "level" | "hours", string>
>;

interface TrainingFieldsProps {
  /** Null for a new one. */
  record: Training | null;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/** The fields of a training. */
export function TrainingFields({ record, reply }: TrainingFieldsProps) {
  const [, fields] = useForm<Draft>({ id: "edit-record", lastResult: reply, defaultValue: record && draftOf(record) });
  const focus = Object.keys(reply?.error ?? {})[0];
  const { startDate, endDate, course, hours } = fields;
  const typed = { startDate: startDate.value, endDate: endDate.value, course: course.value, hours: hours.value };
  const about = (name: keyof Draft) => ({ field: fields[name], autoFocus: focus === name });
  return (
    <>
      <Field {...about("course")} label="Course" />
      <div className="pair">
        <Field {...about("organization")} label="Organization" />
        <Field {...about("instructor")} label="Instructor (Optional)" />
      </div>
      <div className="pair">
        <Field {...about("startDate")} label="Start Date" type="date" />
        <Field {...about("endDate")} label="End Date" type="date" />
      </div>
      <div className="pair">
        <SelectField
          {...about("method")}
          label="NDT Method (Optional)"
          choices={METHODS.map((method) => [method, methodLabel(method)])}
        />
        <SelectField {...about("level")} label="Level (Optional)" choices={LEVELS.map((level) => [level, level])} />
      </div>
      <NumberField {...about("hours")} label="Hours" placeholder="0.0" {...periodHint(typed)} />
    </>
  );
}

function draftOf({ startDate, endDate, course, organization, instructor, method, level, hours }: Training): Draft {
  return {
    ...{ startDate, endDate, course, organization, hours: String(hours) },
    ...{ instructor: instructor ?? "", method: method ?? "", level: level ?? "" },
  };
}
