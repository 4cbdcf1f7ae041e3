import { type Kind, recordPath } from "#app/records/kinds.ts";

/** The notice on the log page after a deletion, with a button that undoes it. Unlike the toast it stays. */
export function DeletedNotice({ kind, id }: { kind: Kind; id: number }) {
  return (
    <form method="post" action={`${recordPath(kind, id)}/restore`} className="apart">
      <p>{kind.texts.deleted}. You can undo this for 24 hours.</p>
      <button type="submit" className="second" data-busy="Restoring...">
        Undo
      </button>
    </form>
  );
}
