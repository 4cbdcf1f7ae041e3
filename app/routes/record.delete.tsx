import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findCorrectable } from "#app/corrections/correctable.server.ts";
import { deleteRecord } from "#app/corrections/delete.server.ts";
import { DeleteDialog } from "#app/corrections/delete-dialog.tsx";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { kindNamed, kindOf, recordPath } from "#app/records/kinds.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { parseId } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindNamed(data.kind).texts.delete : "Delete"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const { user, record } = await findCorrectable(context, kind, parseId(params.id));
  if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);
  return { user, kind: kind.name, record: withoutOwner(record), isOpen: record.status === "requested" };
});

const FAILED = "Failed to delete the record. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }) => {
  const kind = kindOf(context);
  const id = parseId(params.id);
  await findCorrectable(context, kind, id);
  await deleteRecord(context, kind, id);
  const undo = `${recordPath(kind, id)}/restore`;
  const text = "For 24 hours it is in the log under the status Deleted.";
  const toast: Toast = { kind: "success", title: kind.texts.deleted, text, undo };
  return redirectTo(context, kind.path, { toast });
});

export default function DeleteRecord() {
  const { kind: kindName, record, isOpen } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current={kind.path}
      toast={answer?.failure}
      dialog={<DeleteDialog kind={kind} record={record} isOpen={isOpen} />}
    />
  );
}
