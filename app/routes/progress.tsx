import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import progressStyles from "#app/certification/progress.css?inline";
import { findProgress } from "#app/certification/progress-page.server.ts";
import { ProgressScreen } from "#app/certification/progress-screen.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, css: progressStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress · Hours Tracker" }];

export const loader = page(({ request, context }) => findProgress(context, new URL(request.url)));

export default function Progress() {
  const { user: _, ...progress } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/progress">
      <ProgressScreen {...progress} />
    </SignedInLayout>
  );
}
