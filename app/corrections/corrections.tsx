interface CorrectionsProps {
  /** The record's page. */
  path: string;
  /** Whether the dialog of *Delete* is in front of the page, or was just closed (app/ui/dialog.tsx). */
  dialog?: "open" | "closed" | null;
}

export function Corrections({ path, dialog }: CorrectionsProps) {
  return (
    <p className="row">
      <a className="second" href={`${path}/edit`}>
        Edit
      </a>
      <a href={`${path}/delete`} data-at={dialog ? "" : undefined} autoFocus={dialog === "closed"}>
        Delete
      </a>
    </p>
  );
}
