import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { deleteRecord, findCorrectable, undoSaving } from "#app/corrections/correct.server.ts";
import { findHistory } from "#app/corrections/history.server.ts";
import recordStyles from "#app/corrections/record-screen.css?inline";
import { Corrections, RecordScreen } from "#app/corrections/record-screen.tsx";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { type Kind, recordPath } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { RecordBrief } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { isSafe } from "#app/server/request-line.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

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
  // After a failed attempt the record may be gone: then the page has only what the action has read.
  const found = isSafe(context.visit) ? await findHistory(context, kind, id) : null;
  const { user, record } = found
    ? { user: found.user, record: found.history.record.record }
    : await findCorrectable(context, kind, id).then(({ user, record }) => ({ user, record: withoutOwner(record) }));
  if (record.verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
  return { user, kind: kind.name, id, record, history: found?.history ?? null, timeZone: context.timeZone };
});

const FAILED = "Failed to delete the record. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ request, params, context }) => {
  const kind = kindOf(context);
  const id = parseId(params.id);
  if ((await readForm(request)).has("together")) {
    return redirectTo(context, kind.path, { toast: undoneToast(kind, await undoSaving(context, kind, id)) });
  }
  await findCorrectable(context, kind, id);
  await deleteRecord(context, kind, id);
  const undo = `${recordPath(kind, id)}/restore`;
  const toast: Toast = { kind: "success", title: kind.texts.deleted, text: `For 24 hours it is ${KEPT}`, undo };
  return redirectTo(context, kind.path, { toast });
});

const KEPT = "in the log under the status Deleted.";

/** The message after *Undo* of records that were saved together. */
function undoneToast({ adminTexts }: Kind, { deleted, kept }: Awaited<ReturnType<typeof undoSaving>>): Toast {
  const countOf = (count: number) => `${count} ${adminTexts.counted[count === 1 ? 0 : 1]}`;
  const stays = `${countOf(kept)} ${kept === 1 ? "was edited or requested since and stays" : "were edited or requested since and stay"}.`;
  const text = [deleted > 0 && `For 24 hours they are ${KEPT}`, kept > 0 && stays].filter(Boolean).join(" ");
  return { kind: "success", title: `${countOf(deleted)} deleted`, ...(text && { text }) };
}

export default function DeleteRecord() {
  const { kind: kindName, id, record, history, timeZone } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  const path = recordPath(kind, id);
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current={kind.tab}
      toast={answer?.failure}
      dialog={
        <ConfirmDialog
          title={kind.texts.delete}
          closeHref={`${path}?at=delete`}
          action={`${path}/delete`}
          busy="Deleting..."
        >
          <RecordBrief kind={kind} record={record} />
          <p>
            {record.status === "requested" &&
              "A supervisor has been asked about this record. Deleting it ends that request. "}
            You can undo this for 24 hours.
          </p>
        </ConfirmDialog>
      }
    >
      {history && (
        <RecordScreen
          id={id}
          history={history}
          timeZone={timeZone}
          back={{ href: kind.path, label: kind.texts.log }}
          isOwn
        >
          <Corrections kind={kind} id={id} isVerified={false} dialog="open" />
        </RecordScreen>
      )}
    </SignedInLayout>
  );
}
