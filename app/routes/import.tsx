import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { checkedText, decodeText } from "#app/transfer/decode.ts";
import { createImport } from "#app/transfer/open-import.server.ts";
import previewStyles from "#app/transfer/preview.css?inline";
import { listImports } from "#app/transfer/stored-import.server.ts";
import { UploadScreen, uploadForm } from "#app/transfer/upload-screen.tsx";

export const handle = { heavy: true, script: true, css: styles + signedInStyles + previewStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Import · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user, recent } = await requireUser(context, (owner, db) => ({ recent: listImports(db, owner) }));
  return { user, recent, timeZone: context.timeZone };
});

export const action = formAction(
  { failed: "Failed to read the rows. Please try again.", showsErrors: true },
  async ({ request, context }, form) => {
    const { kind, text, file } = form.parse(await readForm(request), uploadForm);
    const { id } = await createImport(context, {
      kind: kindNamed(kind),
      text: file ? decodeText(new Uint8Array(await file.arrayBuffer())) : checkedText(text),
    });
    return redirectTo(context, `/import/${id}`);
  },
);

export default function Import() {
  const answer = useActionData<typeof action>();
  const { user: _, ...shown } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/account">
      <UploadScreen {...shown} reply={answer?.reply ?? null} message={answer?.failure?.text} />
    </SignedInLayout>
  );
}
