import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findHistoryForAdmin } from "#app/admin/lists.server.ts";
import { listHref, recordsHref } from "#app/admin/view.tsx";
import { historyPageOf } from "#app/corrections/history.server.ts";
import recordStyles from "#app/corrections/record-screen.css?inline";
import { RecordScreen } from "#app/corrections/record-screen.tsx";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = {
  script: true,
  fresh: true,
  css: styles + signedInStyles + recordStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Record · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const id = parseId(params.id);
  const { user, history } = await findHistoryForAdmin(context, kindOf(context), id, historyPageOf(context.url));
  return { user, id, history, timeZone: context.timeZone };
});

const accountHref = (accountId: number) => recordsHref(entryKind, accountId);

export default function AdminRecordPage() {
  const { id, history, timeZone } = useLoaderData<typeof loader>();
  const kind = kindNamed(history.record.kind);
  return (
    <SignedInLayout current="/admin">
      <RecordScreen
        id={id}
        history={history}
        timeZone={timeZone}
        back={{ href: listHref(kind), label: kind.adminTexts.label }}
        isOwn={false}
        accountHref={accountHref}
      />
    </SignedInLayout>
  );
}
