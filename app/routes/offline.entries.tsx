import type { MetaFunction } from "@remix-run/cloudflare";
import offlineStyles from "#app/offline/offline.css?inline";
import { OfflineEntries } from "#app/offline/offline-screen.tsx";
import type { RouteHandle } from "#app/server/route.ts";

/** The form that the service worker keeps for when there is no signal. It is the same for everyone. */
export const handle = { access: "public", script: "offline", css: offlineStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "No signal · OJT Hours · Hours Tracker" }];

export default function Offline() {
  return <OfflineEntries />;
}
