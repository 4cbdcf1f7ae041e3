import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { useEffect, useRef } from "react";
import type { FormDetail } from "#app/records/details.ts";
import { RopeFields } from "./rope-fields.tsx";
import type { RopeHoursRules } from "./rope-hours.kind.ts";
import { checkRopeHours, followStart, type RopeHoursDraft } from "./rope-rules.ts";

interface RopeFormProps {
  /** The user's id. The browser keeps unsaved values under it. */
  userId: number;
  /** Identifies the submission (see `submissionOf`). It is part of the form's URL. */
  formKey: string;
  rules: RopeHoursRules;
  details: FormDetail[];
  /** The user's current date, `YYYY-MM-DD`: the start of a new period. */
  today: string;
  /** The values that the form begins with (`draftOf`). */
  draft: Partial<RopeHoursDraft>;
  /** The server's answer to the last submission, with the values that were typed. */
  reply: SubmissionResult<string[]> | null;
  /** The key of the submission that was just saved: its draft can be removed. */
  saved: string | null;
}

export default function RopeForm({ userId, formKey, today, rules, details, draft, reply, saved }: RopeFormProps) {
  const [form, fields] = useForm<RopeHoursDraft>({
    id: "rope_hour",
    lastResult: reply,
    defaultValue: draft,
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(formData, { resolve: (payload) => check(payload, rules) }),
  });
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const start = element.current?.elements.namedItem("startDate") as HTMLInputElement | null; // a form of rope hours has it
    // It may have been changed before this script came.
    if (element.current && start && start.value !== start.defaultValue) followStart(element.current, start);
  }, []);
  return (
    <form
      ref={element}
      method="post"
      action={`/rope-hours/new/${formKey}`}
      className="form"
      id={form.id}
      onSubmit={form.onSubmit}
      onChange={({ target, currentTarget }) => followStart(currentTarget, target as EventTarget & HTMLInputElement)}
      data-draft={userId}
      data-saved={saved ?? undefined}
      data-today={today}
      noValidate
    >
      <RopeFields fields={fields} details={details} required={rules.hours.required} reply={reply} list="places" />
      <button type="submit" data-busy="Logging...">
        Log Rope Hours
      </button>
    </form>
  );
}

/** The result for Conform: the value, or the error message of each invalid field by name. */
function check(payload: Record<string, unknown>, rules: RopeHoursRules) {
  const value = payload as unknown as RopeHoursDraft; // the fields of this form
  const wrong = Object.entries(checkRopeHours(value, rules));
  return wrong.length > 0
    ? { error: Object.fromEntries(wrong.map(([name, message]) => [name, [message]])) }
    : { value };
}
