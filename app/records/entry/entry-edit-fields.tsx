import { type SubmissionResult, useForm } from "@conform-to/react";
import { DetailFields } from "#app/records/detail-fields.tsx";
import { ENTRY_DETAILS } from "#app/records/details.ts";
import type { Entry } from "./entry.schema.ts";
import { DateField, HoursField, LocationField, MethodField } from "./entry-fields.tsx";
import type { EntryDraft } from "./entry-rules.ts";

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
