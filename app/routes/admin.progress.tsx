import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import adminStyles from "#app/admin/admin-screen.css?inline";
import progressStyles from "#app/admin/progress/progress.css?inline";
import { adminProgress } from "#app/admin/progress/progress-list.server.ts";
import { ProgressScreen } from "#app/admin/progress/progress-screen.tsx";
import { progressViewAt } from "#app/admin/progress/progress-view.ts";
import { AppError } from "#app/errors.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = {
  heavy: true,
  script: true,
  fresh: true,
  css: styles + signedInStyles + adminStyles + progressStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress of all technicians · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const view = progressViewAt(new URL(request.url));
  try {
    const { user, ...page } = await adminProgress(context, view);
    return data({ user, view, page });
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    return data({ user: null, view, page: null }, { status: 500 });
  }
});

export default function AdminProgress() {
  const { view, page } = useLoaderData<typeof loader>();
  return <ProgressScreen view={view} page={page} />;
}
