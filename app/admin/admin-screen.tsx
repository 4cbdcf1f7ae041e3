import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName } from "#app/accounts/user.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import type { AdminPage } from "./page.server.ts";
import { RecordTable } from "./record-table.tsx";
import { tabNamed } from "./tabs.ts";
import { UserTable } from "./user-table.tsx";
import { hrefOf, paramsOf, type View } from "./view.ts";

interface AdminScreenProps {
  view: View;
  /** Null if it could not be loaded. */
  page: AdminPage | null;
  timeZone: string;
}

/**
 * The admin screen (spec section 2): a search and the lists of users and records. While the admin types,
 * `search.client.ts` loads the elements named in `data-live` from the form's URL.
 */
export function AdminScreen({ view, page, timeZone }: AdminScreenProps) {
  const { label, hint } = tabNamed(view.tab).texts;
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
          <AdminTabs view={view} current={view.tab} />
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
  const { kind, texts } = tabNamed(view.tab);
  if (rowsOf(page).length === 0) return <p className="empty">{nothingOf(view)}</p>;
  const params = new URLSearchParams(paramsOf({ ...view, before: null }));
  return (
    <form action="/admin" className="results">
      {paramsOf(view).map(hiddenInput)}
      {"users" in page && <UserTable users={page.users} timeZone={timeZone} />}
      {"records" in page && kind && <RecordTable kind={kind} records={page.records} />}
      <p className="row">
        <a href={`/api/admin/export.csv?${params}`}>Download this list (CSV)</a>
      </p>
      {(page.nextBefore !== null || before !== null) && (
        <p className="row">
          {before !== null && <a href={hrefOf({ ...view, before: null })}>Newest</a>}
          {page.nextBefore !== null && (
            <a href={hrefOf({ ...view, before: page.nextBefore })}>{`Older ${texts.many}`}</a>
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
        Error loading {tabNamed(view.tab).texts.many}. Please try again.
      </p>
      <p>
        <a href={hrefOf(view)}>Try again</a>
      </p>
    </>
  );
}

function nothingOf({ tab, search, before }: View): string {
  const { many } = tabNamed(tab).texts;
  if (search) return `No ${many} match “${search}”.`;
  return before === null ? `No ${many} yet.` : `No older ${many}.`;
}

/** The number of results, for screen readers. */
function summaryOf({ tab, search }: View, page: AdminPage): string {
  if (!search) return "";
  const { length } = rowsOf(page);
  const count = page.nextBefore === null ? String(length) : `More than ${length}`;
  return `${count} found in ${tabNamed(tab).texts.many}`;
}

function rowsOf(page: AdminPage): { id: number }[] {
  return "users" in page ? page.users : page.records;
}
