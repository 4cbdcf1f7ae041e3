import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findCorrectable } from "#app/corrections/correctable.server.ts";
import { EditConflictError, edit } from "#app/corrections/edit.server.ts";
import { EditScreen } from "#app/corrections/edit-screen.tsx";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed, kindOf, recordPath } from "#app/records/kinds.ts";
import { withoutToken } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Where a technician corrects one of their own records. It stands twice in `routes.ts`, once for each kind. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindNamed(data.kind).texts.edit : "Edit"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const { user, record } = await findCorrectable(context, kind, idFrom(params.id));
  if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);
  return {
    user,
    kind: kind.name,
    record: withoutToken(record),
    shown: recordHash(kind, record),
    isOpen: record.verificationToken !== null,
  };
});

const FAILED = "Failed to save the changes. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const kind = kindOf(context);
  const id = idFrom(params.id);
  await findCorrectable(context, kind, id);
  const form = await readForm(request);
  const submission = parseWithZod(form, { schema: kind.schema });
  const reply = submission.reply();
  if (submission.status !== "success") return data({ reply, isChanged: false, toast: null }, { status: 400 });
  const { value } = submission;

  try {
    const { isChanged, hasEndedRequest } = await edit(context, kind, id, async () => value, textIn(form, "shown"));
    const text = hasEndedRequest
      ? "The request to verify it has ended. Ask again when you are ready."
      : isChanged
        ? undefined
        : "Nothing was different.";
    const toast: Toast = { kind: "success", title: kind.texts.saved, ...(text && { text }) };
    throw await redirectTo(context, recordPath(kind, id), { toast });
  } catch (error) {
    if (error instanceof EditConflictError) return data({ reply, isChanged: true, toast: null }, { status: 409 });
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: FAILED };
    return data({ reply, isChanged: false, toast }, { status: 500 });
  }
}, `${FAILED} ${GO_BACK}`);

/** A form without the hash was shown nothing that there is. */
function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}

export default function EditRecord() {
  const { kind: kindName, record, shown, isOpen } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current={kind.path} toast={answer?.toast}>
      <EditScreen
        kind={kind}
        record={record}
        shown={shown}
        isOpen={isOpen}
        isChanged={answer?.isChanged ?? false}
        reply={answer?.reply ?? null}
      />
    </SignedInLayout>
  );
}
