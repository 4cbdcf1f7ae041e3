import { type SubmissionResult, useForm } from "@conform-to/react";
import type { Entry } from "#app/records/entry/entries.server.ts";
import { DateField, HoursField, LocationField, MethodField } from "#app/records/entry/entry-fields.tsx";
import type { EntryDraft } from "#app/records/entry/entry-rules.ts";
import { type Kind, recordPath } from "#app/records/kinds.ts";
import { RecordFacts } from "#app/records/record-facts.tsx";
import { RopeFields } from "#app/records/rope-hours/rope-fields.tsx";
import { FILL_IN } from "#app/records/rope-hours/rope-hours.schema.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import type { RopeHoursDraft } from "#app/records/rope-hours/rope-rules.ts";
import { WORDS } from "./words.ts";

interface EditScreenProps {
  kind: Kind;
  /** What it says now. */
  record: Entry | RopeHours;
  /** The hash of that, which the form carries. */
  shown: string;
  /** Whether a supervisor has been asked about it. */
  isOpen: boolean;
  /** Whether it was changed since it was shown, and what was typed was not saved. */
  isChanged: boolean;
  /** What the server said of the last sending; it brings back all that was typed. */
  reply: SubmissionResult<string[]> | null;
}

/** The page on which a technician corrects one of their own records. */
export function EditScreen({ kind, record, shown, isOpen, isChanged, reply }: EditScreenProps) {
  const path = recordPath(kind, record.id);
  return (
    <section aria-labelledby="edit">
      <h1 id="edit">{WORDS[kind].edit}</h1>
      {isChanged && <ChangedNotice record={record} />}
      {isOpen && (
        <p className="notice waiting">
          A supervisor has been asked about this record. Saving a change ends that request; ask again afterwards.
        </p>
      )}
      <form method="post" action={`${path}/edit`} className="form" id="edit-record" noValidate>
        <input type="hidden" name="shown" value={shown} />
        {"method" in record ? <EntryPart record={record} reply={reply} /> : <RopePart record={record} reply={reply} />}
        <div className="row">
          <a href={path}>Cancel</a>
          <button type="submit" data-busy="Saving...">
            Save Changes
          </button>
        </div>
      </form>
    </section>
  );
}

/** What the record says now, where somebody changed it under the editor's hands. */
function ChangedNotice({ record }: { record: Entry | RopeHours }) {
  const user = { name: null, employeeNumber: null }; // who reads this knows whose it is
  return (
    <div className="notice waiting" role="alert">
      <p>
        This record was changed in another window or on another device. Nothing was saved. What you typed is still in
        the form: saving once more replaces what the record says now.
      </p>
      <RecordFacts
        record={
          "method" in record ? { type: "entry", user, entry: record } : { type: "rope_hour", user, ropeHour: record }
        }
      />
    </div>
  );
}

function EntryPart({ record, reply }: { record: Entry; reply: EditScreenProps["reply"] }) {
  const { date, location, method, hours } = record;
  const [, fields] = useForm<EntryDraft>({
    id: "edit-record",
    lastResult: reply,
    defaultValue: { date, location, method, hours: String(hours) },
  });
  const firstWrong = Object.keys(reply?.error ?? {})[0];
  const about = (field: (typeof fields)[keyof typeof fields]) => ({ field, autoFocus: field.name === firstWrong });
  return (
    <>
      <DateField {...about(fields.date)} />
      <LocationField {...about(fields.location)} />
      <MethodField {...about(fields.method)} />
      <HoursField {...about(fields.hours)} />
    </>
  );
}

function RopePart({ record, reply }: { record: RopeHours; reply: EditScreenProps["reply"] }) {
  const { startDate, endDate, location, skills, hours } = record;
  const [, fields] = useForm<RopeHoursDraft>({
    id: "edit-record",
    lastResult: reply,
    defaultValue: { startDate, endDate, location, skills, hours: String(hours) },
  });
  return <RopeFields fields={fields} required={FILL_IN} reply={reply} />;
}
