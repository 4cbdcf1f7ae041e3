import type { SubmissionResult } from "@conform-to/react";
import { recordPath } from "#app/records/all-kinds.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { RecordFacts } from "#app/records/record-facts.tsx";

interface EditScreenProps {
  kind: Kind;
  record: AnyRecord;
  /** Its hash, which is sent with the form. */
  shown: string;
  isOpen: boolean;
  /** Whether the edit was refused because the record had changed. */
  isChanged: boolean;
  reply: SubmissionResult<string[]> | null;
}

export function EditScreen({ kind, record, shown, isOpen, isChanged, reply }: EditScreenProps) {
  const path = recordPath(kind, record.id);
  return (
    <section aria-labelledby="edit">
      <h1 id="edit">{kind.texts.edit}</h1>
      {isChanged && <ChangedNotice kind={kind} record={record} />}
      {isOpen && (
        <p className="notice waiting">
          A supervisor has been asked about this record. Saving a change ends that request; ask again afterwards.
        </p>
      )}
      <form method="post" action={`${path}/edit`} className="form" id="edit-record" noValidate>
        <input type="hidden" name="shown" value={shown} />
        <kind.EditFields record={record} reply={reply} />
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

function ChangedNotice({ kind, record }: Pick<EditScreenProps, "kind" | "record">) {
  return (
    <div className="notice waiting" role="alert">
      <p>
        This record was changed in another window or on another device. Nothing was saved. What you typed is still in
        the form: if you save again, it replaces the values below.
      </p>
      <RecordFacts kind={kind} record={record} />
    </div>
  );
}
