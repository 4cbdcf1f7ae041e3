import { displayName } from "#app/accounts/user.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { OwnedEntry, OwnedRopeHours } from "./lists.server.ts";
import type { AdminPage, UserWithCounts } from "./page.server.ts";
import { TAB_TEXTS } from "./tabs.ts";
import { hrefOf, type View } from "./view.ts";

/** Asks before a row is deleted, and says what goes with it. */
export function DeleteDialog({ view, page }: { view: View; page: AdminPage }) {
  if (!page.target) return null;
  const what = TAB_TEXTS[page.tab].one;
  return (
    <Dialog title={`Delete ${what}`} closeHref={hrefOf(view)}>
      {page.tab === "users" && page.target && <AboutUser user={page.target} />}
      {page.tab === "entries" && page.target && <AboutEntry entry={page.target} />}
      {page.tab === "rope-hours" && page.target && <AboutRopeHours ropeHours={page.target} />}
      <p>This cannot be undone.</p>
      <form method="post" action={hrefOf(view, page.target.id)} className="row">
        <a href={hrefOf(view)}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete {what}
        </button>
      </form>
    </Dialog>
  );
}

function AboutUser({ user }: { user: UserWithCounts }) {
  return (
    <>
      <p>
        <b dir="auto">{user.name || "New User"}</b>, {user.email}
      </p>
      <p>
        Deleting a user also deletes that user's entries. With this one go {counted(user.entries, "entry", "entries")},{" "}
        {counted(user.ropeHours, "rope hours record", "rope hours records")} and{" "}
        {counted(user.supervisors, "supervisor", "supervisors")}.
      </p>
    </>
  );
}

function AboutEntry({ entry }: { entry: OwnedEntry }) {
  const { date, location, method, hours, verifiedBy, user } = entry;
  return (
    <>
      <p>
        {formatDate(date)}, <bdi>{location}</bdi>: {formatHours(toHundredths(hours))} hours {methodLabel(method)} of{" "}
        <b dir="auto">{displayName(user)}</b>
      </p>
      <p>
        {verifiedBy ? (
          <>
            Its verification by <bdi>{verifiedBy}</bdi> goes with it.
          </>
        ) : (
          "A link to verify it ends."
        )}
      </p>
    </>
  );
}

function AboutRopeHours({ ropeHours }: { ropeHours: OwnedRopeHours }) {
  const { startDate, endDate, location, hours, verifiedBy, user } = ropeHours;
  return (
    <>
      <p>
        {formatDate(startDate)} to {formatDate(endDate)}, <bdi>{location}</bdi>: {formatHours(toHundredths(hours))} rope
        hours of <b dir="auto">{displayName(user)}</b>
      </p>
      <p>
        {verifiedBy ? (
          <>
            Their verification by <bdi>{verifiedBy}</bdi> goes with them.
          </>
        ) : (
          "A link to verify them ends."
        )}
      </p>
    </>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
