import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Shell } from "#app/accounts/shell.tsx";
import { Corrections } from "#app/corrections/corrections.tsx";
import { idFrom } from "#app/http/api.server.ts";
import { page } from "#app/http/page.server.ts";
import { findHistory } from "#app/verification/history.server.ts";
import { kindOf, recordPath, SCREENS } from "#app/verification/kind.ts";
import { verificationOf } from "#app/verification/record.ts";
import { RecordScreen } from "#app/verification/record-screen.tsx";

/** One of one's own records. It stands twice in `routes.ts`, once for each kind of record. */
export const meta: MetaFunction = () => [{ title: "Record · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const id = idFrom(params.id);
  const { user, history } = await findHistory(context, kindOf(context), id);
  return { user, id, history, timeZone: context.timeZone };
});

export default function RecordPage() {
  const { id, history, timeZone } = useLoaderData<typeof loader>();
  return (
    <Shell current={SCREENS[history.kind].path}>
      <RecordScreen id={id} history={history} timeZone={timeZone} isOwn>
        {!verificationOf(history.record) && <Corrections path={recordPath(history.kind, id)} />}
      </RecordScreen>
    </Shell>
  );
}
