import { type Kind, recordPath } from "#app/records/kinds.ts";

/** What the owner can do with a record: all of it while nobody has verified it. */
export function Corrections({ kind, id, isVerified }: { kind: Kind; id: number; isVerified: boolean }) {
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
      {!isVerified && <a href={`${path}/delete`}>Delete</a>}
    </p>
  );
}
