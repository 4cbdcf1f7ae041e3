import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findCorrectable } from "#app/corrections/correctable.server.ts";
import { Corrections } from "#app/corrections/corrections.tsx";
import { deleteRecord } from "#app/corrections/delete.server.ts";
import { DeleteDialog } from "#app/corrections/delete-dialog.tsx";
import { findHistory } from "#app/corrections/history.server.ts";
import recordStyles from "#app/corrections/record-screen.css?inline";
import { RecordScreen } from "#app/corrections/record-screen.tsx";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { kindNamed, kindOf, recordPath } from "#app/records/kinds.ts";
import { parseId } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = {
  script: true,
  css: styles + signedInStyles + dialogStyles + recordStyles,
} satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindNamed(data.kind).texts.delete : "Delete"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const id = parseId(params.id);
  const { user, history } = await findHistory(context, kind, id);
  if (history.record.record.verified) throw new AppError(409, kind.texts.alreadyVerified);
  return { user, kind: kind.name, id, history, timeZone: context.timeZone };
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
  const { kind: kindName, id, history, timeZone } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current={kind.path}
      toast={answer?.failure}
      dialog={<DeleteDialog kind={kind} record={history.record.record} isOpen={history.isOpen} />}
    >
      <RecordScreen
        id={id}
        history={history}
        timeZone={timeZone}
        back={{ href: kind.path, label: kind.texts.log }}
        isOwn
      >
        <Corrections path={recordPath(kind, id)} dialog="open" />
      </RecordScreen>
    </SignedInLayout>
  );
}
