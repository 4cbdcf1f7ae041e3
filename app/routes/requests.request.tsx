import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import recordStyles from "#app/corrections/record-screen.css?inline";
import dialogStyles from "#app/dialogs.css?inline";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { findRequestPage } from "#app/verification/requests/request-page.server.ts";
import requestStyles from "#app/verification/requests/request-screen.css?inline";
import { RequestScreen, WithdrawDialog } from "#app/verification/requests/request-screen.tsx";
import sumsStyles from "#app/verification/sums.css?inline";

export const handle = {
  script: true,
  css: styles + signedInStyles + dialogStyles + recordStyles + sumsStyles + requestStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Request · Hours Tracker" }];

/** `?withdraw=1` opens the dialog that asks before the request is withdrawn. */
export const loader = page(async ({ request, params, context }) => {
  const facts = await findRequestPage(context, parseId(params.id));
  const { searchParams } = new URL(request.url);
  const asksToWithdraw = searchParams.has("withdraw") && facts.request.endedAt === null;
  const wasClosed = searchParams.get("at") === "withdraw";
  return {
    ...facts,
    asksToWithdraw,
    ...((asksToWithdraw || wasClosed) && { withdrawLink: { "data-at": "", autoFocus: !asksToWithdraw } }),
    timeZone: context.timeZone,
  };
});

export default function RequestPage() {
  const { user: _, asksToWithdraw, ...facts } = useLoaderData<typeof loader>();
  const waiting = facts.items.filter(({ state }) => state === "waiting").length;
  return (
    <SignedInLayout
      current="/requests"
      dialog={asksToWithdraw && <WithdrawDialog id={facts.request.id} waiting={waiting} />}
    >
      <RequestScreen {...facts} />
    </SignedInLayout>
  );
}
