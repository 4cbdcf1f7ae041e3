import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import styles from "#app/certification/progress.css?inline";
import { findProgress } from "#app/certification/progress-page.server.ts";
import printStyles from "#app/certification/summary.css?inline";
import { Summary } from "#app/certification/summary.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, css: styles + printStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress summary · Hours Tracker" }];

export const loader = page(({ request, context }) => findProgress(context, new URL(request.url)));

export default function ProgressSummary() {
  const summary = useLoaderData<typeof loader>();
  return (
    <main>
      <Summary {...summary} />
    </main>
  );
}
