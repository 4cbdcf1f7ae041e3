import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Shell } from "#app/accounts/shell.tsx";
import { findHistoryForAdmin } from "#app/admin/history.server.ts";
import { idFrom } from "#app/http/api.server.ts";
import { page } from "#app/http/page.server.ts";
import { kindAt } from "#app/verification/kind.ts";
import { RecordScreen } from "#app/verification/record-screen.tsx";

/** Anybody's record, for an admin to read. It stands twice in `routes.ts`, once for each kind of record. */
export const meta: MetaFunction = () => [{ title: "Record · Hours Tracker" }];

export const loader = page(async ({ request, params, context }) => {
  const id = idFrom(params.id);
  const { user, history } = await findHistoryForAdmin(context, kindAt(new URL(request.url)), id);
  return { user, id, history, timeZone: context.timeZone };
});

export default function AdminRecordPage() {
  const { id, history, timeZone } = useLoaderData<typeof loader>();
  return (
    <Shell current="/admin">
      <RecordScreen id={id} history={history} timeZone={timeZone} isOwn={false} />
    </Shell>
  );
}
