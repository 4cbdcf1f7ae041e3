import { type Kind, recordPath, type ShownRecord } from "#app/records/kinds.ts";
import { RecordBrief } from "#app/records/record-brief.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface DeleteDialogProps {
  kind: Kind;
  record: ShownRecord;
  isOpen: boolean;
}

export function DeleteDialog({ kind, record, isOpen }: DeleteDialogProps) {
  const path = recordPath(kind, record.id);
  return (
    <Dialog title={kind.texts.delete} closeHref={`${path}?at=delete`}>
      <RecordBrief kind={kind} record={record} />
      <p>
        {isOpen && "A supervisor has been asked about this record. Deleting it ends that request. "}
        You can undo this for 24 hours.
      </p>
      <form method="post" action={`${path}/delete`} className="row">
        <a href={`${path}?at=delete`}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          {kind.texts.delete}
        </button>
      </form>
    </Dialog>
  );
}
