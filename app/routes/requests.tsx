import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { findRequestList } from "#app/verification/requests/list-page.server.ts";
import listStyles from "#app/verification/requests/list-screen.css?inline";
import { RequestList } from "#app/verification/requests/list-screen.tsx";

export const handle = { css: styles + listStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Requests · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const list = await findRequestList(context, new URL(request.url));
  return { ...list, now: context.now, timeZone: context.timeZone };
});

export default function Requests() {
  const { user: _, ...list } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/requests">
      <RequestList {...list} />
    </SignedInLayout>
  );
}
