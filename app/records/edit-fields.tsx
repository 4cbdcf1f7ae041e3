import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import type { Entry } from "#app/records/entry/entry.kind.ts";
import { FILL_IN, type RopeHours } from "#app/records/rope-hours/rope-hours.kind.ts";
import { CertificateFields } from "./certificates/certificate-fields.tsx";
import { DetailFields } from "./detail-fields.tsx";
import { ENTRY_DETAILS, formDetails, ROPE_DETAILS } from "./details.ts";
import { DateField, HoursField, LocationField, MethodField } from "./entry/entry-fields.tsx";
import type { EntryDraft } from "./entry/entry-rules.ts";
import type { Kind, ShownRecord } from "./kind.ts";
import { RopeFields } from "./rope-hours/rope-fields.tsx";
import type { RopeHoursDraft } from "./rope-hours/rope-rules.ts";
import { TrainingFields } from "./training/training-fields.tsx";

interface FieldsOf<Row> {
  record: Row;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/** The inputs of each kind. A method, as those of `Kind`, takes the records of one kind. */
const INPUTS: { [kind: string]: { Inputs(props: FieldsOf<ShownRecord | null>): ReactNode } } = {
  entry: { Inputs: EntryFields },
  rope_hour: { Inputs: RopeHoursFields },
  training: { Inputs: TrainingFields },
  certificate: { Inputs: CertificateFields },
};

/**
 * The inputs of the page that edits a record, with its values or those that were sent; without a record those of a new
 * training or certificate. New hours have a form of their own. They are no part of `Kind`, which a server's call and an email need
 * without any form.
 */
export function EditFields({ kind, ...props }: FieldsOf<ShownRecord | null> & { kind: Kind }) {
  const found = INPUTS[kind.name];
  if (!found) throw new Error(`records of the kind ${kind.name} cannot be edited`);
  return <found.Inputs {...props} />;
}

function EntryFields({ record: { date, location, method, hours, details }, reply }: FieldsOf<Entry>) {
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

function RopeHoursFields({ record, reply }: FieldsOf<RopeHours>) {
  const { startDate, endDate, location, skills, hours, details } = record;
  const [, fields] = useForm<RopeHoursDraft>({
    id: "edit-record",
    lastResult: reply,
    defaultValue: { startDate, endDate, location, skills, hours: String(hours), details },
  });
  return <RopeFields fields={fields} details={formDetails(ROPE_DETAILS)} required={FILL_IN} reply={reply} />;
}
