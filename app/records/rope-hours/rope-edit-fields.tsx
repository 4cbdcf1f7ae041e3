import { type SubmissionResult, useForm } from "@conform-to/react";
import { formDetails, ROPE_DETAILS } from "#app/records/details.ts";
import { RopeFields } from "./rope-fields.tsx";
import type { RopeHours } from "./rope-hours.schema.ts";
import { FILL_IN } from "./rope-hours.schema.ts";
import type { RopeHoursDraft } from "./rope-rules.ts";

interface RopeEditFieldsProps {
  record: RopeHours;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

export function RopeEditFields({ record, reply }: RopeEditFieldsProps) {
  const { startDate, endDate, location, skills, hours, details } = record;
  const [, fields] = useForm<RopeHoursDraft>({
    id: "edit-record",
    lastResult: reply,
    defaultValue: { startDate, endDate, location, skills, hours: String(hours), details },
  });
  return <RopeFields fields={fields} details={formDetails(ROPE_DETAILS)} required={FILL_IN} reply={reply} />;
}
