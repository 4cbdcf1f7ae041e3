import { type Kind, recordPath } from "#app/records/kinds.ts";

interface CorrectionsProps {
  kind: Kind;
  id: number;
  isVerified: boolean;
  /** Whether the dialog of *Delete* is in front of the page, or was just closed (app/ui/dialog.tsx). */
  dialog?: "open" | "closed" | null;
}

/** What the owner can do with a record: all of it while nobody has verified it. */
export function Corrections({ kind, id, isVerified, dialog }: CorrectionsProps) {
  const path = recordPath(kind, id);
  return (
    <p className="row">
      {!isVerified && (
        <a className="second" href={`${path}/edit`}>
          Edit
        </a>
      )}
      <a className="second" href={`${kind.path}?again=${id}`}>
        Log again
      </a>
      {!isVerified && (
        <a href={`${path}/delete`} data-at={dialog ? "" : undefined} autoFocus={dialog === "closed"}>
          Delete
        </a>
      )}
    </p>
  );
}
