/** The links to edit and delete an unverified record, for its owner. */
export function Corrections({ path }: { path: string }) {
  return (
    <p className="row">
      <a className="second" href={`${path}/edit`}>
        Edit
      </a>
      <a href={`${path}/delete`}>Delete</a>
    </p>
  );
}
