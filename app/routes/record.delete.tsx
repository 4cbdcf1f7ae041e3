import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findCorrectable } from "#app/corrections/correctable.server.ts";
import { deleteRecord } from "#app/corrections/delete.server.ts";
import { DeleteDialog } from "#app/corrections/delete-dialog.tsx";
import { WORDS } from "#app/corrections/words.ts";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { kindOf, recordPath, SCREENS } from "#app/records/kinds.ts";
import { parseId } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Where a technician deletes one of their own records. It stands twice in `routes.ts`, once for each kind. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? WORDS[data.kind].delete : "Delete"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const { user, record } = await findCorrectable(context, kind, parseId(params.id));
  if (record.verified) throw new AppError(409, SCREENS[kind].verified);
  const { verificationToken, ...rest } = record;
  return { user, kind, record: rest, isOpen: verificationToken !== null };
});

const FAILED = "Failed to delete the record. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }) => {
  const kind = kindOf(context);
  const id = parseId(params.id);
  await findCorrectable(context, kind, id);
  await deleteRecord(context, kind, id);
  const undo = `${recordPath(kind, id)}/restore`;
  const toast: Toast = { kind: "success", title: WORDS[kind].deleted, undo };
  return redirectTo(context, `${SCREENS[kind].path}?deleted=${id}`, { toast });
});

export default function DeleteRecord() {
  const { kind, record, isOpen } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current={SCREENS[kind].path}
      toast={answer?.failure}
      dialog={<DeleteDialog kind={kind} record={record} isOpen={isOpen} />}
    />
  );
}
