import type { Entry } from "#app/records/entry/entries.server.ts";
import { type Kind, recordPath } from "#app/records/kinds.ts";
import type { RopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { summaryOf } from "#app/records/summary.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { WORDS } from "./words.ts";

interface DeleteDialogProps {
  kind: Kind;
  record: Entry | RopeHours;
  /** Whether a supervisor has been asked about it. */
  isOpen: boolean;
}

/** Asks before a record is deleted. */
export function DeleteDialog({ kind, record, isOpen }: DeleteDialogProps) {
  const path = recordPath(kind, record.id);
  return (
    <Dialog title={WORDS[kind].delete} closeHref={path}>
      <p>{summaryOf(record)}</p>
      <p>
        {isOpen && "A supervisor has been asked about this record. Deleting it ends that request. "}
        You can undo this for 24 hours.
      </p>
      <form method="post" action={`${path}/delete`} className="row">
        <a href={path}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          {WORDS[kind].delete}
        </button>
      </form>
    </Dialog>
  );
}
