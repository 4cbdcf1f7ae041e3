import { Shell } from "#app/accounts/shell.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EntryTable } from "./entry-table.tsx";
import type { AdminPage } from "./page.server.ts";
import { UserTable } from "./user-table.tsx";
import { hrefOf, paramsOf, type Tab, type View } from "./view.ts";

interface AdminScreenProps {
  view: View;
  /** Null where it could not be read. */
  page: AdminPage | null;
  /** In which days are told. */
  timeZone: string;
}

const TABS: { tab: Tab; label: string }[] = [
  { tab: "users", label: "Users" },
  { tab: "entries", label: "Entries" },
];

/**
 * The admin screen (spec section 2): one search, two lists. As somebody types, `search.client.ts` brings the elements
 * named in `data-live` from the address that the form leads to.
 */
export function AdminScreen({ view, page, timeZone }: AdminScreenProps) {
  return (
    <Shell current="/admin" dialog={page?.target && <DeleteDialog view={view} page={page} />}>
      <h1>Admin</h1>
      <search>
        <form action="/admin" className="search" data-live="found results">
          {view.tab === "entries" && <input type="hidden" name="tab" value="entries" />}
          <div className="field">
            <label htmlFor="search">Search</label>
            <input
              type="search"
              id="search"
              name="search"
              defaultValue={view.search}
              autoComplete="off"
              aria-describedby="searched"
            />
          </div>
          <button type="submit">Search</button>
        </form>
        <p className="hint" id="searched">
          {view.tab === "users" ? "By name, email or employee number." : "By location, method or who verified."}
        </p>
      </search>
      <section aria-label={view.tab === "users" ? "Users" : "Entries"}>
        <p className="unseen" id="found" aria-live="polite">
          {page && summaryOf(view, page)}
        </p>
        <div id="results" className="results">
          <nav aria-label="Lists">
            {TABS.map(({ tab, label }) => (
              <a
                key={tab}
                href={hrefOf({ ...view, tab, before: null })}
                aria-current={tab === view.tab ? "page" : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          {page ? <List view={view} page={page} timeZone={timeZone} /> : <Failed view={view} />}
        </div>
      </section>
    </Shell>
  );
}

function List({ view, page, timeZone }: AdminScreenProps & { page: AdminPage }) {
  const { search, before } = view;
  if (page.rows.length === 0) return <p className="empty">{nothingOf(view)}</p>;
  return (
    <form action="/admin" className="results">
      {paramsOf(view).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {page.tab === "users" ? <UserTable users={page.rows} timeZone={timeZone} /> : <EntryTable entries={page.rows} />}
      {(page.nextBefore !== null || before !== null) && (
        <p className="row">
          {before !== null && <a href={hrefOf({ tab: page.tab, search, before: null })}>Newest</a>}
          {page.nextBefore !== null && (
            <a href={hrefOf({ tab: page.tab, search, before: page.nextBefore })}>
              {page.tab === "users" ? "Older users" : "Older entries"}
            </a>
          )}
        </p>
      )}
    </form>
  );
}

function Failed({ view }: { view: View }) {
  return (
    <>
      <p className="alert" role="alert">
        Error loading {view.tab}. Please try again.
      </p>
      <p>
        <a href={hrefOf(view)}>Try again</a>
      </p>
    </>
  );
}

function nothingOf({ tab, search, before }: View): string {
  if (search) return `No ${tab} match “${search}”.`;
  return before === null ? `No ${tab} yet.` : `No older ${tab}.`;
}

/** What a search found, for somebody who does not see the list change. */
function summaryOf({ tab, search }: View, { rows, nextBefore }: AdminPage): string {
  if (!search) return "";
  const count = nextBefore === null ? String(rows.length) : `More than ${rows.length}`;
  return `${count} found in ${tab}`;
}
