import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import type { FormEvent } from "react";
import type { FormDetail } from "#app/records/details.ts";
import { addDays, isCalendarDate } from "#app/ui/calendar-date.ts";
import { RopeFields } from "./rope-fields.tsx";
import { checkRopeHours, type RopeHoursDraft, type RopeHoursRules } from "./rope-rules.ts";

export interface RopeFormProps {
  /** The user's id. The browser keeps unsaved values under it. */
  userId: number;
  /** Identifies the submission (see `submissionOf`). It is part of the form's URL. */
  formKey: string;
  rules: RopeHoursRules;
  details: FormDetail[];
  /** What an earlier job or the shift of an OJT entry fills in. */
  draft?: Partial<RopeHoursDraft> | null;
  /** The server's answer to the last submission, with the values that were typed. */
  reply: SubmissionResult<string[]> | null;
  /** The key of the submission that was just saved: its draft can be removed. */
  saved: string | null;
  /** Locations of earlier records, as suggestions. */
  places: string[];
}

export default function RopeForm({ userId, formKey, rules, details, draft, reply, saved, places }: RopeFormProps) {
  const [form, fields] = useForm<RopeHoursDraft>({
    id: "rope_hour",
    lastResult: reply,
    ...(draft && { defaultValue: draft }),
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
      onChange={followStart}
      data-draft={userId}
      data-saved={saved ?? undefined}
      noValidate
    >
      <datalist id="places">
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <RopeFields fields={fields} details={details} required={rules.hours.required} reply={reply} list="places" />
      <button type="submit" data-busy="Logging...">
        Log Rope Hours
      </button>
    </form>
  );
}

/** An end that nobody has chosen follows the start: the period of one day ends on the next. */
function followStart({ target, currentTarget }: FormEvent<HTMLFormElement>): void {
  const start = target as EventTarget & HTMLInputElement; // the target is a field
  const end = currentTarget.elements.namedItem("endDate");
  if (start.name !== "startDate" || !(end instanceof HTMLInputElement) || !isCalendarDate(start.value)) return;
  if (end.value === "" || end.dataset.preset === end.value) end.value = end.dataset.preset = addDays(start.value, 1);
}

/** The result for Conform: the value, or the error message of each invalid field by name. */
function check(payload: Record<string, unknown>, rules: RopeHoursRules) {
  const value = payload as unknown as RopeHoursDraft; // the fields of this form
  const wrong = Object.entries(checkRopeHours(value, rules));
  return wrong.length > 0
    ? { error: Object.fromEntries(wrong.map(([name, message]) => [name, [message]])) }
    : { value };
}
