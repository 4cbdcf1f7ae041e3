import { Fragment } from "react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName } from "#app/accounts/user.ts";
import type { AdminUser, OwnedRecord, UserWithCounts } from "#app/admin/lists.server.ts";
import { PROGRESS_PATH } from "#app/admin/progress/progress-view.ts";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { type Kind, NO_VALUE } from "#app/records/kind.ts";
import { Value } from "#app/records/record-facts.tsx";
import { StateCell } from "#app/records/record-log.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { AdminPage } from "./page.server.ts";
import { hrefOf, paramsOf, personHref, recordsHref, SYSTEM_PATH, TABS, tabNamed, USERS, type View } from "./view.ts";

/** The button that opens the dialog to delete a row. */
function DeleteCell({ id }: { id: number }) {
  return (
    <td className="full">
      <button name="delete" value={id} type="submit" className="second">
        Delete
      </button>
    </td>
  );
}

/** The lists of the admin page, and the list of progress and the state of the system, which are pages of their own. */
export function AdminTabs({ view, current }: { view: Omit<View, "tab">; current: string }) {
  const link = (name: string, href: string, label: string) => (
    <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
      {label}
    </a>
  );
  return (
    <nav aria-label="Lists">
      {TABS.map(({ name, texts }) =>
        link(
          name,
          hrefOf({ ...view, tab: name, before: null, ...(name === USERS.name && { userId: null }) }),
          texts.label,
        ),
      )}
      {link("progress", PROGRESS_PATH, "Progress")}
      {link("system", SYSTEM_PATH, "System")}
    </nav>
  );
}

/** Asks for confirmation before a row is deleted, and lists what is deleted with it. */
function DeleteDialog({ view, page }: { view: View; page: AdminPage }) {
  if (!page.target) return null;
  const { kind, texts } = tabNamed(view.tab);
  return (
    <Dialog title={`Delete ${texts.one}`} closeHref={hrefOf(view)}>
      {"users" in page && <UserFacts user={page.target} />}
      {"records" in page && kind && <RecordFacts kind={kind} record={page.target} />}
      <p>This cannot be undone.</p>
      <form method="post" action={hrefOf(view, page.target.id)} className="row">
        <a href={hrefOf(view)}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete {texts.one}
        </button>
      </form>
    </Dialog>
  );
}

function UserFacts({ user }: { user: UserWithCounts }) {
  const counts = [
    ...KINDS.map(({ name, adminTexts: { counted } }) => countText(user.counts[name] ?? 0, counted)),
    countText(user.counts.supervisors ?? 0, ["supervisor", "supervisors"]),
  ];
  return (
    <>
      <p>
        <b dir="auto">{user.name || "New User"}</b>, {user.email}
      </p>
      <p>
        Deleting a user also deletes that user's entries. This also deletes {counts.slice(0, -1).join(", ")} and{" "}
        {counts.at(-1)}.
      </p>
    </>
  );
}

function RecordFacts({ kind, record }: { kind: Kind; record: OwnedRecord }) {
  return (
    <>
      <p>
        {kind.summary(record)}, of <b dir="auto">{displayName(record.user)}</b>
      </p>
      <p>
        {record.verifiedBy ? (
          <>
            Verified by <bdi>{record.verifiedBy}</bdi>. {kind.adminTexts.losesVerification}
          </>
        ) : (
          kind.adminTexts.losesLink
        )}
      </p>
    </>
  );
}

function countText(count: number, [one, many]: readonly [string, string]): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/**
 * The table of all users' records of a kind; on narrow screens the style sheet shows each row as a card. The kind's
 * first field links to the record's page, and the owner follows it.
 */
function RecordTable({ kind, records }: { kind: Kind; records: OwnedRecord[] }) {
  const [first, ...others] = kind.shown;
  if (!first) return null;
  return (
    <>
      <table className="list">
        <thead>
          <tr>
            <th>{first.label}</th>
            <th>Technician</th>
            {others.map(({ label }) => (
              <th key={label} className={label === "Hours" ? "number" : undefined}>
                {label}
              </th>
            ))}
            <th>Supervisor Signature</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id} className={record.status}>
              <td>
                <a href={`${kind.adminPath}/${record.id}`}>
                  <Value of={first.value(record) || NO_VALUE} />
                </a>
              </td>
              <td>
                <a href={recordsHref(kind, record.user.id)}>{displayName(record.user)}</a>
              </td>
              {others.map((field) => {
                const value = field.value(record) || NO_VALUE;
                return (
                  <td key={field.label} className={"hours" in value ? "number" : undefined}>
                    <Value of={value} />
                  </td>
                );
              })}
              <StateCell status={record.status} verifiedBy={record.verifiedBy} verifiedVia={record.verifiedVia} />
              <DeleteCell id={record.id} />
            </tr>
          ))}
        </tbody>
      </table>
      <ViaLegend records={records} />
    </>
  );
}

/** The table of users; on narrow screens the style sheet shows each row as a card. */
function UserTable({ users, timeZone }: { users: AdminUser[]; timeZone: string }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Name</th>
          <th>Email</th>
          <th>Employee Number</th>
          <th>Registered</th>
          <th>Role</th>
          <th>Records</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {users.map(({ id, name, email, employeeNumber, isAdmin, createdAt, lockedAt }) => {
          const date = toCalendarDate(timeZone, createdAt);
          return (
            <tr key={id}>
              <td>
                <a href={personHref(id)}>
                  <b>{name || "New User"}</b>
                </a>
              </td>
              <td className="email">{email}</td>
              <td>{employeeNumber}</td>
              <td>
                <time dateTime={date}>{formatDate(date)}</time>
              </td>
              <td>{[isAdmin && "Admin", lockedAt && "locked"].filter(Boolean).join(", ")}</td>
              <td>
                {KINDS.map((kind) => (
                  <Fragment key={kind.name}>
                    <a href={recordsHref(kind, id)}>{kind.adminTexts.label}</a>{" "}
                  </Fragment>
                ))}
              </td>
              <DeleteCell id={id} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

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
