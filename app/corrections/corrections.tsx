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
