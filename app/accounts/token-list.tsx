import { formatInstant } from "#app/ui/calendar-date.ts";
import type { OwnToken } from "./api-tokens.server.ts";
import type { TokenAccess } from "./api-tokens.table.ts";

export const ACCESS_LABELS: Record<TokenAccess, string> = { read: "Read", write: "Read and write" };

/** The user's API tokens, and the way to make one. */
export function TokenList({ tokens, timeZone }: { tokens: OwnToken[]; timeZone: string }) {
  return (
    <>
      <p>
        A token lets a program of yours use the API in your name (<a href="/api/openapi.json">its calls</a>). It cannot
        change your account or your password.
      </p>
      {tokens.length > 0 && (
        <form method="post" action="/account/end-token" className="results">
          <table className="list">
            <thead>
              <tr>
                <th>Name</th>
                <th>Access</th>
                <th>When</th>
                <th>Actions</th>
              </tr>
            </thead>
            <tbody>
              {tokens.map(({ id, name, access, createdAt, lastUsedAt }) => (
                <tr key={id}>
                  <td>
                    <b>{name}</b>
                  </td>
                  <td>{ACCESS_LABELS[access]}</td>
                  <td>
                    Made <Instant at={createdAt} timeZone={timeZone} />,{" "}
                    {lastUsedAt ? (
                      <>
                        last used <Instant at={lastUsedAt} timeZone={timeZone} />
                      </>
                    ) : (
                      "not used yet"
                    )}
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
      )}
      <form action="/account/tokens" className="row">
        <button type="submit" className="second">
          Make a token
        </button>
      </form>
    </>
  );
}

function Instant({ at, timeZone }: { at: Date; timeZone: string }) {
  return <time dateTime={at.toISOString()}>{formatInstant(timeZone, at)}</time>;
}
