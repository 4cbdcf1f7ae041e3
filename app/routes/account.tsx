import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountScreen } from "#app/accounts/account-screen.tsx";
import { listTokens } from "#app/accounts/api-tokens.server.ts";
import { lacksName, renewalEmailsOf } from "#app/accounts/details.server.ts";
import { asksToConfirm } from "#app/accounts/email-confirmation.server.ts";
import { listSessions } from "#app/accounts/own-sessions.server.ts";
import { ExportList } from "#app/proof/export-list.tsx";
import { listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Account · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const { user, sessions, tokens, exports, renewal } = await requireUser(context, (owner, db) => ({
    sessions: listSessions(context, owner, db),
    tokens: listTokens(db, owner),
    exports: listExports(db, owner),
    renewal: renewalEmailsOf(db, owner),
  }));
  return {
    user,
    sessions,
    tokens,
    timeZone: context.timeZone,
    today: context.now.toISOString().slice(0, 10),
    asksToConfirm: asksToConfirm(context, user),
    renewalEmails: renewal[0]?.renewalEmails ?? true,
    lacksName: await lacksName(context, request, user),
    exports: exports.map((row) => listedExport(context, row)),
  };
});

export default function Account() {
  const { exports, ...account } = useLoaderData<typeof loader>();
  return <AccountScreen {...account} exports={<ExportList exports={exports} timeZone={account.timeZone} />} />;
}
