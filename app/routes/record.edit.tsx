import type { SubmissionResult } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { EditConflictError, edit, findCorrectable } from "#app/corrections/correct.server.ts";
import { DeclinedNotice } from "#app/corrections/record-screen.tsx";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { canBeRevoked } from "#app/records/certificates/certificate.kind.ts";
import { EditFields } from "#app/records/edit-fields.tsx";
import { type AnyRecord, type Kind, recordPath } from "#app/records/kind.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { RecordFacts } from "#app/records/record-facts.tsx";
import { recordHash } from "#app/records/record-hash.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import type { Decision } from "#app/verification/decision.server.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindNamed(data.kind).texts.edit : "Edit"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const { user, record, decision } = await findCorrectable(context, kind, parseId(params.id));
  if (record.verified && !canBeRevoked(kind, record))
    throw new AppError("already_verified", kind.texts.alreadyVerified);
  return {
    user,
    kind: kind.name,
    record: withoutOwner(record),
    shown: recordHash(kind, record),
    isOpen: record.status === "requested",
    declined: record.status === "declined" ? decision : null,
    timeZone: context.timeZone,
  };
});

export const action = formAction(
  {
    failed: "Failed to save the changes. Please try again.",
    onAppError: (error, form) =>
      error instanceof EditConflictError ? form.show({ status: error.status, extra: { isChanged: true } }) : undefined,
  },
  async ({ request, params, context }, form) => {
    const kind = kindOf(context);
    const id = parseId(params.id);
    await findCorrectable(context, kind, id);
    const record = form.parse(await readForm(request), kind.formSchema);
    const { isChanged, hasEndedRequest } = await edit(context, kind, id, record, {
      shown: String(form.get("shown") ?? ""),
    });
    const text = hasEndedRequest
      ? "The request to verify it has ended. Ask again when you are ready."
      : isChanged
        ? undefined
        : "There were no changes.";
    const toast: Toast = { kind: "success", title: kind.texts.saved, ...(text && { text }) };
    return redirectTo(context, recordPath(kind, id), { toast });
  },
);

export default function EditRecord() {
  const { kind: kindName, record, shown, isOpen, declined, timeZone } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current={kind.tab} toast={answer?.failure}>
      <EditScreen
        kind={kind}
        record={record}
        shown={shown}
        isOpen={isOpen}
        declined={declined}
        timeZone={timeZone}
        isChanged={answer?.extra?.isChanged ?? false}
        reply={answer?.reply ?? null}
      />
    </SignedInLayout>
  );
}

interface EditScreenProps {
  kind: Kind;
  record: AnyRecord;
  /** Its hash, which is sent with the form. */
  shown: string;
  isOpen: boolean;
  /** The supervisor's decision about a declined record. */
  declined: Decision | null;
  timeZone: string;
  /** Whether the edit was refused because the record had changed. */
  isChanged: boolean;
  reply: SubmissionResult<string[]> | null;
}

function EditScreen({ kind, record, shown, isOpen, declined, timeZone, isChanged, reply }: EditScreenProps) {
  const path = recordPath(kind, record.id);
  return (
    <section aria-labelledby="edit">
      <h1 id="edit">{record.verified ? "Revoked Certificate" : kind.texts.edit}</h1>
      {record.verified && <RecordFacts kind={kind} record={record} />}
      {isChanged && <ChangedNotice kind={kind} record={record} />}
      {declined && <DeclinedNotice decision={declined} timeZone={timeZone} />}
      {isOpen && (
        <p className="notice waiting">
          A supervisor has been asked about this record. Saving a change ends that request; ask again afterwards.
        </p>
      )}
      <form method="post" action={`${path}/edit`} className="form" id="edit-record" noValidate>
        <input type="hidden" name="shown" value={shown} />
        <EditFields kind={kind} record={record} reply={reply} />
        <div className="row">
          <a href={path}>Cancel</a>
          <button type="submit" data-busy="Saving...">
            Save Changes
          </button>
        </div>
      </form>
    </section>
  );
}

function ChangedNotice({ kind, record }: Pick<EditScreenProps, "kind" | "record">) {
  return (
    <div className="notice waiting" role="alert">
      <p>
        This record was changed in another window or on another device. Nothing was saved. Your changes are still in the
        form: if you save again, they replace the values below.
      </p>
      <RecordFacts kind={kind} record={record} />
    </div>
  );
}
