import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AppError } from "#app/errors.ts";
import { mailedToken } from "#app/mail/links.ts";
import { countRecords } from "#app/records/kind.ts";
import { CalendarDay } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { findInbox } from "#app/supervisor-mail/inbox.server.ts";
import { PublicLayout } from "#app/ui/page.tsx";
import mailboxStyles from "#app/verification/notices/mailbox.css?inline";

export const handle = { access: "public", secret: true, css: styles + mailboxStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Waiting for your answer · Hours Tracker" }];

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

/** All requests that wait for an address, or why the link does not work. */
export default function InboxOfAddress() {
  const { requests, failure } = useLoaderData<typeof loader>();
  return (
    <PublicLayout>
      <h1>Waiting for your answer</h1>
      {failure && (
        <p className="alert">
          {failure} <a href="/inbox">Send a new link</a>
        </p>
      )}
      {!failure && requests.length === 0 && <p className="empty">Nothing waits for you. Thank you.</p>}
      <ul className="inbox">
        {requests.map(({ id, technician, records, askedOn, path }) => (
          <li key={id}>
            <div>
              <b dir="auto">{technician ?? "A technician"}</b>
              <p className="hint">
                asked on <CalendarDay date={askedOn} />
              </p>
            </div>
            <a className="second" href={path}>{`Check ${countRecords(records)}`}</a>
          </li>
        ))}
      </ul>
    </PublicLayout>
  );
}
