import { addDays, formatDate, formatInstant } from "#app/calendar-date.ts";
import type { OwnToken } from "./api-tokens.server.ts";
import type { TokenAccess } from "./api-tokens.table.ts";

export const ACCESS_LABELS: Record<TokenAccess, string> = { read: "Read", write: "Read and write" };

/** How many days before its end a token is said to end soon. */
const SOON_DAYS = 14;

interface TokenListProps {
  tokens: OwnToken[];
  timeZone: string;
  /** The day in UTC, by which tokens end. */
  today: string;
}

/** The user's API tokens, with a warning about those that end, and the way to make one. */
export function TokenList({ tokens, timeZone, today }: TokenListProps) {
  const ended = tokens.filter(({ expiresOn }) => expiresOn < today);
  const ending = tokens.filter(({ expiresOn }) => expiresOn >= today && expiresOn <= addDays(today, SOON_DAYS));
  return (
    <>
      {ended.length + ending.length > 0 && (
        <p className="alert">
          {ended.length > 0 && `Ended: ${namesOf(ended)}. `}
          {ending.length > 0 && `Soon to end: ${namesOf(ending)}. `}
          Make another token for the program that uses it.
        </p>
      )}
      <p>
        A token lets your program use the API in your name (<a href="/api/openapi.json">its calls</a>). It cannot change
        your account or your password.
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
              {tokens.map(({ id, name, access, createdAt, lastUsedAt, expiresOn }) => (
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
      )}
      <form action="/account/tokens" className="row">
        <button type="submit" className="second">
          Make a token
        </button>
      </form>
    </>
  );
}

function namesOf(tokens: OwnToken[]): string {
  return tokens.map(({ name }) => name).join(", ");
}

function Instant({ at, timeZone }: { at: Date; timeZone: string }) {
  return <time dateTime={at.toISOString()}>{formatInstant(timeZone, at)}</time>;
}
