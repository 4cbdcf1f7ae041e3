import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import adminStyles from "#app/admin/admin.css?inline";
import { deleteRecordAsAdmin, deleteUser } from "#app/admin/deletion.server.ts";
import {
  type AdminUser,
  findAllRecords,
  findOwnedRecord,
  findUser,
  findUserWithCounts,
  listDeleted,
  listUserRows,
  type OwnedRecord,
  type UserRow,
  type UserWithCounts,
} from "#app/admin/lists.server.ts";
import {
  AdminTabs,
  deletedWith,
  hasKnownTab,
  hrefOf,
  paramsOf,
  personHref,
  recordsHref,
  tabNamed,
  type View,
  viewAt,
} from "#app/admin/view.tsx";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { batch } from "#app/db/client.server.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { type Kind, NO_VALUE } from "#app/records/kind.ts";
import { Value } from "#app/records/record-facts.tsx";
import { StateCell } from "#app/records/record-log.tsx";
import { readSteps } from "#app/records/search.server.ts";
import { ViaLegend } from "#app/records/via.tsx";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

export const handle = {
  script: true,
  fresh: true,
  css: styles + signedInStyles + dialogStyles + adminStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Admin · Hours Tracker" }];

const ROWS = 50;

/** A page of one of the lists, and the row of the delete dialog, if one is open. */
type AdminPage = {
  user: User;
  /** The user whose records are listed, or null for all users. */
  of: User | null;
  nextBefore: number | null;
} & ({ users: UserRow[]; target: UserWithCounts | null } | { records: OwnedRecord[]; target: OwnedRecord | null });

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const view = viewAt(url);
  const { timeZone } = context;
  const targetId = parseId(url.searchParams.get("delete"));
  try {
    const shown = await adminPage(context, view, targetId);
    if (!hasKnownTab(url)) {
      const toast: Toast = { kind: "error", title: "Error", text: `${NO_TAB} These are the users.` };
      throw await redirectTo(context, hrefOf(view), { toast });
    }
    if (url.searchParams.has("delete") && !shown.target) {
      const toast: Toast = { kind: "error", title: "Error", text: tabNamed(view.tab).texts.missing };
      throw await redirectTo(context, hrefOf(view), { toast });
    }
    return data({ user: shown.user, view, page: shown, timeZone });
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    return data({ user: null, view, page: null, timeZone }, { status: 500 });
  }
});

/**
 * The rows of the admin page, in one round trip. `targetId` is the row of the delete dialog, or 0.
 * @throws as `requireAdmin`
 */
async function adminPage(context: AppLoadContext, view: View, targetId: number): Promise<AdminPage> {
  const { search, before, userId } = view;
  const { kind } = tabNamed(view.tab);
  // One more than is shown, to find out whether there is a next page.
  const query = { search, before, userId, limit: ROWS + 1 };
  if (!kind) {
    const { user, list, target } = await requireAdmin(context, (viewer, db) => ({
      list: listUserRows(db, viewer, { ...query, today: toCalendarDate(context.timeZone, context.now) }),
      target: findUserWithCounts(db, viewer, targetId),
    }));
    return { user, of: null, nextBefore: nextBefore(list), users: list.slice(0, ROWS), target: target[0] ?? null };
  }
  if (view.isDeleted) {
    const { user, of, records } = await requireAdmin(context, (viewer, db) => ({
      of: findUser(db, viewer, userId ?? 0),
      records: listDeleted(db, viewer, kind, { now: context.now, userId }),
    }));
    return { user, of: of[0] ?? null, nextBefore: null, records, target: null };
  }
  const { user, of, found, target } = await requireAdmin(context, (viewer, db) => ({
    of: findUser(db, viewer, userId ?? 0),
    found: findAllRecords(db, viewer, kind, query),
    target: findOwnedRecord(db, viewer, kind, targetId),
  }));
  const list = await readSteps<OwnedRecord>(
    found,
    ({ length }) => length > ROWS,
    (from) => batch(context.db, findAllRecords(context.db, user.id, kind, query, from)),
  );
  const records = list.slice(0, ROWS);
  return { user, of: of[0] ?? null, nextBefore: nextBefore(list), records, target: target[0] ?? null };
}

/** The id after which the next page starts, or null on the last page. */
function nextBefore(list: { id: number }[]): number | null {
  return list.length > ROWS ? (list[ROWS - 1]?.id ?? null) : null;
}

const NO_TAB = "There is no such list.";

/** Deletes the row of the dialog at /admin?delete={id}. */
export const action = buttonAction(
  {
    failed: ({ request }) => ({
      title: `Failed to delete ${tabNamed(viewAt(new URL(request.url)).tab).texts.one}`,
      text: "If it is still in the list, please try again.",
    }),
    failureHref: ({ request }) => hrefOf(viewAt(new URL(request.url))),
    // The list is shown with the message; the error page would hide it.
    onAppError: ({ status, message }, fail) => (status === 404 ? fail(message) : undefined),
  },
  async ({ request, context }) => {
    const url = new URL(request.url);
    const view = viewAt(url);
    if (!hasKnownTab(url)) {
      await requireAdmin(context);
      throw new AppError("not_found", NO_TAB); // the id is not a user's
    }
    const id = parseId(url.searchParams.get("delete"));
    const { kind, texts } = tabNamed(view.tab);
    if (kind) await deleteRecordAsAdmin(context, kind, id);
    else await deleteUser(context, id);
    const undo = kind && {
      text: "You can undo this for 24 hours: below the list is what was deleted.",
      undo: `${kind.adminPath}/${id}/restore`,
    };
    return redirectTo(context, hrefOf(view), { toast: { kind: "success", title: texts.deleted, ...undo } });
  },
);

/**
 * The page (spec section 2): a search and the lists of users and records. While the admin types,
 * `search.client.ts` loads the elements named in `data-live` from the form's URL.
 */
export default function Admin() {
  const { view, page, timeZone } = useLoaderData<typeof loader>();
  const { label, hint } = tabNamed(view.tab).texts;
  return (
    <SignedInLayout current="/admin" dialog={page?.target && <DeleteDialog view={view} page={page} />}>
      <h1>Admin</h1>
      <div className="tabs-line">
        <AdminTabs view={view} current={view.tab} />
        <search>
          <form action="/admin" className="search" data-live="found tabs results">
            {paramsOf({ ...view, search: "", before: null, isDeleted: false }).map(hiddenInput)}
            <label htmlFor="search" className="unseen">
              Search
            </label>
            <input
              type="search"
              id="search"
              name="search"
              defaultValue={view.search}
              autoComplete="off"
              placeholder={hint}
            />
            <button type="submit" className="second">
              Search
            </button>
          </form>
        </search>
      </div>
      <section aria-label={label}>
        <p className="unseen" id="found" aria-live="polite">
          {page && summaryOf(view, page)}
        </p>
        <div id="results" className="results">
          {view.isDeleted && (
            <p>
              Deleted within 24 hours, by an admin or by the technician. <i>Undo</i> brings a record back as it was, a
              verified one too; its requests have ended.{" "}
              <a href={hrefOf({ ...view, isDeleted: false })}>Show those that exist</a>
            </p>
          )}
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

interface ListProps {
  view: View;
  page: AdminPage;
  timeZone: string;
}

function List({ view, page, timeZone }: ListProps) {
  const { before, isDeleted } = view;
  const { kind, texts } = tabNamed(view.tab);
  const deletedLink = kind && !isDeleted && (
    <a href={hrefOf({ ...view, search: "", before: null, isDeleted: true })}>Deleted within 24 hours</a>
  );
  if (rowsOf(page).length === 0) {
    return (
      <>
        <p className="empty">{nothingOf(view)}</p>
        {deletedLink && <p className="row">{deletedLink}</p>}
      </>
    );
  }
  const params = new URLSearchParams(paramsOf({ ...view, before: null }));
  return (
    <form action="/admin" className="results">
      {paramsOf(view).map(hiddenInput)}
      {"users" in page && <UserTable users={page.users} timeZone={timeZone} />}
      {"records" in page && kind && <RecordTable kind={kind} records={page.records} isDeleted={isDeleted} />}
      {!isDeleted && (
        <p className="row">
          <a href={`/api/admin/export.xlsx?${params}`}>Download this list (Excel)</a>
          <a href={`/api/admin/export.csv?${params}`}>Download this list (CSV)</a>
          {deletedLink}
        </p>
      )}
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

function nothingOf({ tab, search, before, isDeleted }: View): string {
  const { many } = tabNamed(tab).texts;
  if (isDeleted) return `No ${many} were deleted within 24 hours.`;
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

/** The users, one line each; on narrow screens a line has the name, the email and the state. */
function UserTable({ users, timeZone }: { users: UserRow[]; timeZone: string }) {
  return (
    <table className="list users">
      <thead>
        <tr>
          <th>Name</th>
          <th>Email</th>
          <th>Employee Number</th>
          <th>Registered</th>
          <th>Role</th>
          <th className="number">Verified</th>
          <th>Last entry</th>
          <th>Actions</th>
          <th>
            <span className="unseen">More</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => {
          const { id, name, email, employeeNumber, createdAt, verified, last } = user;
          return (
            <tr key={id}>
              <td>
                <a href={personHref(id)} dir="auto">
                  <b>{name || "New User"}</b>
                </a>
              </td>
              <td className="email">{email}</td>
              <td className="wide">{employeeNumber}</td>
              <td className="wide">
                <Day date={toCalendarDate(timeZone, createdAt)} />
              </td>
              <td>{stateOf(user)}</td>
              <td className="wide number">{formatHours(verified)}</td>
              <td className="wide">{last && <Day date={last} />}</td>
              <DeleteCell id={id} />
              <td className="dots">
                <RowMenu user={user} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Day({ date }: { date: string }) {
  return <time dateTime={date}>{formatDate(date)}</time>;
}

/** The role of a user, and whether they are locked or have left. */
function stateOf({ isAdmin, lockedAt, leftOn }: AdminUser): string {
  return [isAdmin && "Admin", leftOn ? `left ${formatDate(leftOn)}` : lockedAt && "locked"].filter(Boolean).join(", ");
}

/** Shows the other acts for a user: their records, and *Has left*. Only one of these menus is open at a time. */
function RowMenu({ user }: { user: AdminUser }) {
  return (
    <details name="row">
      <summary aria-label={`More for ${displayName(user)}`}>⋯</summary>
      <div>
        {KINDS.map((kind) => (
          <a key={kind.name} href={recordsHref(kind, user.id)}>
            {kind.adminTexts.label}
          </a>
        ))}
        {!user.leftOn && <a href={`${personHref(user.id)}#left`}>Has left</a>}
      </div>
    </details>
  );
}

/**
 * The table of all users' records of a kind; on narrow screens the style sheet shows each row as a card. The kind's
 * first field links to the record's page, and the owner follows it.
 */
function RecordTable({ kind, records, isDeleted }: { kind: Kind; records: OwnedRecord[]; isDeleted: boolean }) {
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
                {isDeleted ? (
                  <Value of={first.value(record) || NO_VALUE} />
                ) : (
                  <a href={`${kind.adminPath}/${record.id}`}>
                    <Value of={first.value(record) || NO_VALUE} />
                  </a>
                )}
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
              {isDeleted ? (
                <UndoCell action={`${kind.adminPath}/${record.id}/restore`} />
              ) : (
                <DeleteCell id={record.id} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <ViaLegend records={records} />
    </>
  );
}

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

function UndoCell({ action }: { action: string }) {
  return (
    <td className="full">
      <button type="submit" formAction={action} formMethod="post" className="second" data-busy="Restoring...">
        Undo
      </button>
    </td>
  );
}

/** Asks for confirmation before a row is deleted, and lists what is deleted with it. */
function DeleteDialog({ view, page }: { view: View; page: AdminPage }) {
  if (!page.target) return null;
  const { kind, texts } = tabNamed(view.tab);
  return (
    <ConfirmDialog
      title={`Delete ${texts.one}`}
      closeHref={hrefOf(view)}
      action={hrefOf(view, page.target.id)}
      busy="Deleting..."
    >
      {"users" in page && <UserFacts user={page.target} />}
      {"records" in page && kind && <RecordFacts kind={kind} record={page.target} />}
      <p>{kind ? "You can undo this for 24 hours." : "This cannot be undone."}</p>
    </ConfirmDialog>
  );
}

function UserFacts({ user }: { user: UserWithCounts }) {
  return (
    <>
      <p>
        <b dir="auto">{user.name || "New User"}</b>, {user.email}
      </p>
      <p>{deletedWith(user.counts)}</p>
      <p>
        If they have left, <a href={`${personHref(user.id)}#left`}>Has left</a> locks the account and keeps every
        record.
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
          record.status === "requested" && kind.adminTexts.losesLink
        )}
      </p>
    </>
  );
}
