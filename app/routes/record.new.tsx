import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { EditFields } from "#app/records/edit-fields.tsx";
import { newRecordAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The page with the form of a new training or certificate. It works without a script; hours have forms of their own. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindNamed(data.kind).texts.new.title : "Add"} · Hours Tracker` },
];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await newRecordsLoader(args)),
  kind: kindOf(args.context).name,
});

export const action = (args: ActionFunctionArgs) => newRecordAction(kindOf(args.context))(args);

export default function NewRecord() {
  const { kind: name, formKey } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const kind = kindNamed(name);
  return (
    <SignedInLayout current={kind.tab} toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">{kind.texts.new.title}</h1>
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
