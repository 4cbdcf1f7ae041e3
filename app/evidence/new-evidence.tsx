import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { EditFields } from "#app/records/edit-fields.tsx";
import type { Kind } from "#app/records/kind.ts";
import type { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";

interface NewEvidenceProps {
  kind: Kind;
  title: string;
}

type Action = ReturnType<typeof newRecordsAction>;
type Loader = (args: LoaderFunctionArgs) => ReturnType<typeof newRecordsLoader>;

/** The page with the form of a new training or certificate. It works without a script. */
export function NewEvidence({ kind, title }: NewEvidenceProps) {
  const { formKey } = useLoaderData<Loader>();
  const answer = useActionData<Action>();
  return (
    <SignedInLayout current={kind.tab} toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">{title}</h1>
        <form
          method="post"
          action={`${kind.path}/new/${answer?.extra?.formKey ?? formKey}`}
          className="form"
          id="edit-record"
          noValidate
        >
          <EditFields kind={kind} record={null} reply={answer?.reply ?? null} />
          <div className="row">
            <a href={kind.path}>Cancel</a>
            <button type="submit" data-busy="Saving...">
              Save
            </button>
          </div>
        </form>
      </section>
    </SignedInLayout>
  );
}
