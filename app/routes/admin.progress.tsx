import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import adminStyles from "#app/admin/admin.css?inline";
import {
  type AdminProgressPage,
  adminProgress,
  type TechnicianProgress,
} from "#app/admin/progress/progress-list.server.ts";
import {
  columnLabel,
  PROGRESS_CSV_PATH,
  PROGRESS_PATH,
  type ProgressView,
  percentOf,
  progressHref,
  progressViewAt,
  sortHref,
  sortsOf,
} from "#app/admin/progress/progress-view.ts";
import { AdminTabs, recordsHref } from "#app/admin/view.tsx";
import { formatDate } from "#app/calendar-date.ts";
import { NOTICE } from "#app/certification/presets/preset.ts";
import { PRESETS } from "#app/certification/presets/presets.ts";
import { AppError } from "#app/errors.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

export const handle = {
  heavy: true,
  script: true,
  fresh: true,
  css: styles + signedInStyles + adminStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress of all technicians · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const view = progressViewAt(new URL(request.url));
  try {
    const { user, ...page } = await adminProgress(context, view);
    return data({ user, view, page });
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    return data({ user: null, view, page: null }, { status: 500 });
  }
});

/** All technicians' hours, and how far each is towards the figures of a preset. */
export default function AdminProgress() {
  const { view, page } = useLoaderData<typeof loader>();
  const { preset, search } = view;
  return (
    <SignedInLayout current="/admin">
      <h1>Admin</h1>
      <search>
        <ViewForm view={view} />
      </search>
      <section aria-label="Progress">
        <p className="unseen" id="found" aria-live="polite">
          {page && search && `${page.hasNext ? "More than " : ""}${page.technicians.length} found`}
        </p>
        <div id="results" className="results">
          <AdminTabs current="progress" />
          <p className="hint">
            OJT and rope hours until today in one sum. Waiting: requested from a supervisor. Other hours that are not
            verified are in no column.{" "}
            {preset && (
              <>
                Each figure of {preset.title} has a column with the percent that is verified; waiting hours do not
                count. {NOTICE}{" "}
              </>
            )}
            Sorting by another column than the name adds up every technician's records.
          </p>
          {page ? <List view={view} page={page} /> : <Failed view={view} />}
        </div>
      </section>
    </SignedInLayout>
  );
}

function ViewForm({ view: { search, preset, sort, isDescending } }: { view: ProgressView }) {
  return (
    <form action={PROGRESS_PATH} className="search progress-search" data-live="found results">
      <div className="field">
        <label htmlFor="search">Search</label>
        <input type="search" id="search" name="search" defaultValue={search} autoComplete="off" />
      </div>
      <div className="field">
        <label htmlFor="preset">Compare With</label>
        <select id="preset" name="preset" defaultValue={preset?.preset ?? ""}>
          <option value="">No standard</option>
          {PRESETS.map(({ preset, title }) => (
            <option key={preset} value={preset}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="sort">Sort By</label>
        <select id="sort" name="sort" defaultValue={sort}>
          {sortsOf(preset).map((name) => (
            <option key={name} value={name}>
              {columnLabel(name, preset)}
            </option>
          ))}
        </select>
      </div>
      {sort !== "name" && !isDescending && <input type="hidden" name="order" value="asc" />}
      <button type="submit">Show</button>
    </form>
  );
}

function List({ view, page }: { view: ProgressView; page: Omit<AdminProgressPage, "user"> }) {
  if (page.technicians.length === 0) {
    return <p className="empty">{view.search ? `No technicians match “${view.search}”.` : "No more technicians."}</p>;
  }
  return (
    <>
      <ProgressTable view={view} technicians={page.technicians} />
      <p className="row">
        {view.page > 1 && <a href={progressHref({ ...view, page: view.page - 1 })}>Previous 50</a>}
        {page.hasNext && <a href={progressHref({ ...view, page: view.page + 1 })}>Next 50</a>}
        <a href={progressHref({ ...view, page: 1 }, PROGRESS_CSV_PATH)}>Export CSV</a>
      </p>
    </>
  );
}

function Failed({ view }: { view: ProgressView }) {
  return (
    <>
      <p className="alert" role="alert">
        Error loading progress. Please try again.
      </p>
      <p>
        <a href={progressHref(view)}>Try again</a>
      </p>
    </>
  );
}

/** The table of technicians; on narrow screens the style sheet shows each row as a card with the columns' names. */
function ProgressTable({ view, technicians }: { view: ProgressView; technicians: TechnicianProgress[] }) {
  const { preset, sort, isDescending } = view;
  const order = isDescending ? "descending" : "ascending";
  return (
    <table className="list progress-list">
      <thead>
        <tr>
          {sortsOf(preset).map((name) => (
            <th
              key={name}
              className={name === "name" ? undefined : "number"}
              aria-sort={name === sort ? order : undefined}
            >
              <a href={sortHref(view, name)}>{columnLabel(name, preset)}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {technicians.map(({ id, name, email, employeeNumber, verified, waiting, last, items }) => (
          <tr key={id}>
            <td className="full">
              <a href={recordsHref(entryKind, id)} dir="auto">
                {name || email}
              </a>
              {employeeNumber && <span className="hint"> {employeeNumber}</span>}
            </td>
            <Cell label={columnLabel("verified", preset)}>{formatHours(verified)}</Cell>
            <Cell label={columnLabel("waiting", preset)}>{formatHours(waiting)}</Cell>
            <Cell label={columnLabel("last", preset)}>
              {last ? <time dateTime={last}>{formatDate(last)}</time> : "None"}
            </Cell>
            {preset?.items.map(({ title, required }, index) => (
              <Cell key={title} label={title}>{`${percentOf(items[index] ?? 0, required)} %`}</Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="number">
      <span className="cell-label">{label}</span> {children}
    </td>
  );
}
