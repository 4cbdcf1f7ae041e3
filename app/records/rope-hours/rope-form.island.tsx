import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { RopeFields } from "./rope-fields.tsx";
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

/** The form of a period of rope-access work. */
export default function RopeForm({ userId, formKey, rules, reply, saved, places }: RopeFormProps) {
  const [form, fields] = useForm<RopeHoursDraft>({
    id: "rope",
    lastResult: reply,
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (payload) => check(payload, rules) }),
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
      <RopeFields fields={fields} required={rules.hours.required} reply={reply} list="places" />
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
