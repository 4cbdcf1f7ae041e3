import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AppError } from "#app/errors.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { findInbox } from "#app/supervisor-mail/inbox.server.ts";
import mailboxStyles from "#app/verification/notices/mailbox.css?inline";
import { InboxScreen } from "#app/verification/notices/mailbox-screens.tsx";

export const handle = { access: "public", secret: true, css: styles + mailboxStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Records that wait for you · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  try {
    const waiting = await findInbox(context, mailedToken(params.token));
    const requests = waiting.map(({ requestedAt, expiresAt: _, ...one }) => ({
      ...one,
      askedOn: requestedAt.toISOString().slice(0, 10),
    }));
    return data({ requests, failure: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return data({ requests: [], failure: error.message }, { status: error.status });
  }
});

export default function InboxOfAddress() {
  return <InboxScreen {...useLoaderData<typeof loader>()} />;
}
