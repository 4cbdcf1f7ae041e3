import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { asText, Field } from "#app/ui/field.tsx";
import { checkRopeHours, type RopeHoursDraft, type RopeHoursRules } from "./rope-rules.ts";

export interface RopeFormProps {
  /** Whose form it is: what is typed is kept in the browser under this id until the server has it. */
  userId: number;
  /** Names this sending (see `submissionOf`); it is part of the address that the form is sent to. */
  formKey: string;
  rules: RopeHoursRules;
  /** What the server said of the last sending; it brings back all that was typed. */
  reply: SubmissionResult<string[]> | null;
  /** The key of the sending that was just saved, if one was: what the browser kept of it can go. */
  saved: string | null;
  /** Places that were logged before. */
  places: string[];
}

const MISSING = "rope-missing";

/**
 * The form of a period of rope-access work. Fields that are missing share one message, in front of the button; what
 * else is wrong stands beside its field.
 */
export default function RopeForm({ userId, formKey, rules, reply, saved, places }: RopeFormProps) {
  const [form, fields] = useForm<RopeHoursDraft>({
    id: "rope",
    lastResult: reply,
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (payload) => check(payload, rules) }),
  });
  const { startDate, endDate, location, skills, hours } = fields;
  const required = rules.hours.required;
  const all = [startDate, endDate, location, skills, hours];
  const isMissing = all.some(({ errors }) => errors?.[0] === required);
  const firstWrong = all.find(({ name }) => reply?.error?.[name])?.name;
  const about = ({ name, errors }: { name: string; errors: string[] | undefined }) => ({
    autoFocus: name === firstWrong,
    errorElsewhere: errors?.[0] === required ? MISSING : undefined,
  });
  return (
    <form
      method="post"
      action={`/rope-hours/new/${formKey}`}
      className="form"
      id={form.id}
      onSubmit={form.onSubmit}
      data-draft={`rope-${userId}`}
      data-saved={saved ?? undefined}
      noValidate
    >
      <datalist id="places">
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <div className="pair">
        <Field field={startDate} label="Start Date" type="date" {...about(startDate)} />
        <Field field={endDate} label="End Date" type="date" {...about(endDate)} />
      </div>
      <Field field={location} label="Location" list="places" {...about(location)} />
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
      <button type="submit" data-busy="Logging...">
        Log Rope Hours
      </button>
    </form>
  );
}

/** Conform's answer for what was typed: its value, or the message of each wrong field by its name. */
function check(payload: Record<string, unknown>, rules: RopeHoursRules) {
  const value = payload as unknown as RopeHoursDraft; // from our own fields
  const wrong = Object.entries(checkRopeHours(value, rules));
  return wrong.length > 0
    ? { error: Object.fromEntries(wrong.map(([name, message]) => [name, [message]])) }
    : { value };
}
