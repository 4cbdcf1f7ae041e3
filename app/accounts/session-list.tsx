import { formatInstant } from "#app/ui/calendar-date.ts";
import type { OwnSession } from "./own-sessions.server.ts";

/** The user's sessions as a table; on narrow screens the style sheet shows the rows as cards. */
export function SessionList({ sessions, timeZone }: { sessions: OwnSession[]; timeZone: string }) {
  return (
    <form method="post" action="/account/sessions" className="results">
      <table className="list">
        <thead>
          <tr>
            <th>Browser</th>
            <th>Place</th>
            <th>When</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ reference, isCurrent, createdAt, address, place, browser }) => (
            <tr key={reference}>
              <td>
                <b>{browser ?? "Unknown browser"}</b>
              </td>
              <td>{[place, address].filter(Boolean).join(", ") || "Unknown place"}</td>
              <td>
                Signed in <time dateTime={createdAt.toISOString()}>{formatInstant(timeZone, createdAt)}</time>
              </td>
              <td className="full">
                {isCurrent ? (
                  <b>This device</b>
                ) : (
                  <button
                    type="submit"
                    name="session"
                    value={reference}
                    className="second"
                    aria-label={formatLabel(browser, address)}
                  >
                    End session
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.length > 1 && (
        <p>
          <button type="submit" name="session" value="others" className="second">
            End all other sessions
          </button>
        </p>
      )}
    </form>
  );
}

function formatLabel(browser: string | null, address: string | null): string {
  return ["End session", browser ?? "Unknown browser", address].filter(Boolean).join(", ");
}
