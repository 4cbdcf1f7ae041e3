import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName } from "#app/accounts/user.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EntryTable } from "./entry-table.tsx";
import type { AdminPage } from "./page.server.ts";
import { RopeHoursTable } from "./rope-hours-table.tsx";
import { TAB_TEXTS, TABS } from "./tabs.ts";
import { UserTable } from "./user-table.tsx";
import { hrefOf, paramsOf, type View } from "./view.ts";

interface AdminScreenProps {
  view: View;
  /** Null where it could not be read. */
  page: AdminPage | null;
  /** In which days are told. */
  timeZone: string;
}

/**
 * The admin screen (spec section 2): one search, three lists. As somebody types, `search.client.ts` brings the elements
 * named in `data-live` from the address that the form leads to.
 */
export function AdminScreen({ view, page, timeZone }: AdminScreenProps) {
  const { label, hint } = TAB_TEXTS[view.tab];
  return (
    <SignedInLayout current="/admin" dialog={page?.target && <DeleteDialog view={view} page={page} />}>
      <h1>Admin</h1>
      <search>
        <form action="/admin" className="search" data-live="found results">
          {paramsOf({ ...view, search: "", before: null }).map(hiddenInput)}
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
          {hint}
        </p>
      </search>
      <section aria-label={label}>
        <p className="unseen" id="found" aria-live="polite">
          {page && summaryOf(view, page)}
        </p>
        <div id="results" className="results">
          <nav aria-label="Lists">
            {TABS.map((tab) => (
              <a
                key={tab}
                href={hrefOf({ ...view, tab, before: null, ...(tab === "users" && { userId: null }) })}
                aria-current={tab === view.tab ? "page" : undefined}
              >
                {TAB_TEXTS[tab].label}
              </a>
            ))}
          </nav>
          {page?.of && (
            <p>
              Only of <b dir="auto">{displayName(page.of)}</b>
              {page.of.name && <> ({page.of.email})</>}.{" "}
              <a href={hrefOf({ ...view, userId: null, before: null })}>Show everybody's</a>
            </p>
          )}
          {page ? <List view={view} page={page} timeZone={timeZone} /> : <Failed view={view} />}
        </div>
      </section>
    </SignedInLayout>
  );
}

function List({ view, page, timeZone }: AdminScreenProps & { page: AdminPage }) {
  const { before } = view;
  if (page.rows.length === 0) return <p className="empty">{nothingOf(view)}</p>;
  return (
    <form action="/admin" className="results">
      {paramsOf(view).map(hiddenInput)}
      {page.tab === "users" && <UserTable users={page.rows} timeZone={timeZone} />}
      {page.tab === "entries" && <EntryTable entries={page.rows} />}
      {page.tab === "rope-hours" && <RopeHoursTable ropeHours={page.rows} />}
      {(page.nextBefore !== null || before !== null) && (
        <p className="row">
          {before !== null && <a href={hrefOf({ ...view, before: null })}>Newest</a>}
          {page.nextBefore !== null && (
            <a href={hrefOf({ ...view, before: page.nextBefore })}>{`Older ${TAB_TEXTS[page.tab].many}`}</a>
          )}
        </p>
      )}
    </form>
  );
}

function hiddenInput([name, value]: [name: string, value: string]) {
  return <input key={name} type="hidden" name={name} value={value} />;
}

function Failed({ view }: { view: View }) {
  return (
    <>
      <p className="alert" role="alert">
        Error loading {TAB_TEXTS[view.tab].many}. Please try again.
      </p>
      <p>
        <a href={hrefOf(view)}>Try again</a>
      </p>
    </>
  );
}

function nothingOf({ tab, search, before }: View): string {
  const { many } = TAB_TEXTS[tab];
  if (search) return `No ${many} match “${search}”.`;
  return before === null ? `No ${many} yet.` : `No older ${many}.`;
}

/** What a search found, for somebody who does not see the list change. */
function summaryOf({ tab, search }: View, { rows, nextBefore }: AdminPage): string {
  if (!search) return "";
  const count = nextBefore === null ? String(rows.length) : `More than ${rows.length}`;
  return `${count} found in ${TAB_TEXTS[tab].many}`;
}
