import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import adminStyles from "#app/admin/admin-screen.css?inline";
import systemStyles from "#app/admin/system.css?inline";
import { sendAgain, systemPage } from "#app/admin/system.server.ts";
import { SystemScreen } from "#app/admin/system-screen.tsx";
import { SYSTEM_PATH } from "#app/admin/view.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { counted } from "#app/ui/counted.ts";

/** The state of the installation, for an admin, with *Send again* for emails that failed. */
export const handle = {
  script: true,
  fresh: true,
  css: styles + signedInStyles + adminStyles + systemStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "System · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { now, timeZone } = context;
  return { ...(await systemPage(context)), now, timeZone };
});

export const action = buttonAction(
  { failed: "Failed to send again. Please try again.", failureHref: () => SYSTEM_PATH },
  async ({ request, context }) => {
    const form = await readForm(request);
    const ids = String(form.get("messages") ?? "")
      .split(",")
      .map(parseId);
    const sent = await sendAgain(context, ids);
    const title = sent === 0 ? "They wait to be sent already" : `${counted(sent, "email")} will be sent again`;
    return redirectTo(context, SYSTEM_PATH, { toast: { kind: "success", title } });
  },
);

export default function AdminSystem() {
  return <SystemScreen {...useLoaderData<typeof loader>()} />;
}
