import { kindNamed } from "#app/records/all-kinds.ts";
import { counted } from "#app/ui/counted.ts";
import { ITEMS_MAX } from "#app/verification/verification.schema.ts";
import type { AppliedImport } from "./preview-page.server.ts";

/** What an import did, and what can be done with its records. */
export function AppliedScreen({ applied }: { applied: AppliedImport }) {
  const { id, kind: name, created, skipped, verified, askable } = applied;
  const kind = kindNamed(name);
  return (
    <>
      <section>
        <h1>Imported</h1>
        <p className="notice done">
          {counted(created, "record")} saved{skipped > 0 && `, ${skipped.toLocaleString("en")} left out`}.
        </p>
        <p className="row">
          {askable > 0 && (
            <a className="second" href={`/requests/new?all=1&kind=${name}&import=${id}`}>
              Ask a supervisor to verify these
            </a>
          )}
          <a href={kind.path}>Open the log</a>
        </p>
        {askable > ITEMS_MAX && (
          <p className="hint">
            {`A request has at most ${ITEMS_MAX} records. Come back to this page for the next ones: ${counted(askable, "record")} have no request yet.`}
          </p>
        )}
      </section>
      <details>
        <summary>Undo this import</summary>
        <p>
          This deletes the records of this import{verified > 0 && `, except ${verified} that a supervisor has verified`}
          . Open requests for them end.
        </p>
        <form method="post" action={`/import/${id}/undo`} className="row">
          <button type="submit" className="danger" data-busy="Undoing...">
            Undo import
          </button>
        </form>
      </details>
    </>
  );
}
