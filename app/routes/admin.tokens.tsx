import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { makeToken, newServiceTokenSchema, SERVICE_TOKEN_DAYS } from "#app/accounts/api-tokens.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { MadeToken, TokenForm } from "#app/accounts/token-parts.tsx";
import { displayName } from "#app/accounts/user.ts";
import { listServiceTokens, SERVICE_TOKENS_PATH, type ServiceToken } from "#app/admin/service-tokens.server.ts";
import { SYSTEM_PATH } from "#app/admin/view.tsx";
import { addDays, formatDate } from "#app/calendar-date.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { Instant } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { LinkLine } from "#app/ui/page.tsx";

/** The service tokens: their list, the form of a new one, and the page that shows it once. */
export const handle = { access: "admin", script: true, fresh: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Service tokens · Hours Tracker" }];

/** Passes on what the action says: no cache keeps the page with the token. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The most tokens that the page lists. */
const SHOWN_MAX = 500;

export const loader = page(async ({ params, context }) => {
  // The answer to the form shows the new token, or the form again, and no list: it would be one more round trip.
  const { user, ...found } = isSafe(context.visit)
    ? await requireAdmin(context, (viewer, db) => ({ tokens: listServiceTokens(db, viewer, { limit: SHOWN_MAX }) }))
    : { ...(await requireAdmin(context)), tokens: null };
  const today = context.now.toISOString().slice(0, 10);
  return {
    user,
    tokens: found.tokens,
    today,
    timeZone: context.timeZone,
    formAction: `${SERVICE_TOKENS_PATH}/${parseFormKey(params.key) ?? crypto.randomUUID()}`,
    lastDay: addDays(today, SERVICE_TOKEN_DAYS),
  };
});

export const action = formAction<{ name: string; token: string }>(
  { failed: "Failed to make the token. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const { user } = await requireAdmin(context);
    const values = form.parse(await readForm(request), newServiceTokenSchema);
    const { name, token } = await makeToken(context, user, values, parseFormKey(params.key), true);
    // Not a redirect: the token is stored nowhere, so only this answer can show it.
    return form.show({ extra: { name, token }, headers: { "Cache-Control": "no-store" } });
  },
);

export default function ServiceTokens() {
  const { tokens, today, timeZone, formAction: address, lastDay } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const made = answer?.extra;
  return (
    <SignedInLayout current="/admin">
      {made ? (
        <MadeToken {...made} />
      ) : (
        <>
          <h1>Service tokens</h1>
          <p>
            With a service token a program reads the lists of all users and records, what happened to them, and one
            user&rsquo;s data. It changes nothing. It ends when the admin who made it is no longer an admin, is locked
            or has left, is deleted or sets a new password.
          </p>
          {tokens && <TokenList tokens={tokens} today={today} timeZone={timeZone} />}
          <TokenForm
            action={address}
            title="New service token"
            lastDay={lastDay}
            reply={answer?.reply}
            message={answer?.failure?.text}
          />
        </>
      )}
      {made ? (
        <LinkLine href={SERVICE_TOKENS_PATH}>Back to the service tokens</LinkLine>
      ) : (
        <LinkLine href={SYSTEM_PATH}>Back to the system</LinkLine>
      )}
    </SignedInLayout>
  );
}

interface TokenListProps {
  tokens: ServiceToken[];
  /** The day in UTC, by which tokens end. */
  today: string;
  timeZone: string;
}

function TokenList({ tokens, today, timeZone }: TokenListProps) {
  if (tokens.length === 0) return <p>There are none.</p>;
  return (
    <form method="post" action="/admin/end-token" className="results">
      <table className="list">
        <thead>
          <tr>
            <th>Name</th>
            <th>Made by</th>
            <th>When</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ id, name, user, lastUsedAt, expiresOn }) => (
            <tr key={id}>
              <td>
                <b>{name}</b>
              </td>
              <td>{displayName(user)}</td>
              <td>
                {lastUsedAt ? (
                  <>
                    Last used <Instant at={lastUsedAt} timeZone={timeZone} />
                  </>
                ) : (
                  "Not used yet"
                )}
                , {expiresOn < today ? "ended" : "works until"}{" "}
                <time dateTime={expiresOn}>{formatDate(expiresOn)}</time>
              </td>
              <td className="full">
                <button type="submit" name="token" value={id} className="second" aria-label={`End token ${name}`}>
                  End token
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </form>
  );
}
