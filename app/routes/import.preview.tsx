import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import type { User } from "#app/accounts/user.ts";
import { groupBy } from "#app/db/client.server.ts";
import { isOfImport } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { isKeptForOwner } from "#app/records/any-record.server.ts";
import { DAY_MAX } from "#app/records/hours.ts";
import { IS_LIVE } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { encodingSamples, isGuessed } from "#app/transfer/encodings.ts";
import { meaningOf } from "#app/transfer/file-rows.ts";
import { boxesOf, CHOICES, changeFrom, LISTED_MAX, previewForm } from "#app/transfer/import-form.ts";
import { viewOf } from "#app/transfer/import-view.server.ts";
import { changeImport, checkedChange } from "#app/transfer/open-import.server.ts";
import previewStyles from "#app/transfer/preview.css?inline";
import { chosenRecords, leftOut, type Reading } from "#app/transfer/preview.ts";
import { type PreviewPage, PreviewScreen } from "#app/transfer/preview-screen.tsx";
import type { ImportRecord } from "#app/transfer/read-row.ts";
import { bytesOf } from "#app/transfer/source.ts";
import {
  doubtfulOf,
  duplicatesOf,
  findImport,
  hoursByDay,
  type ImportRow,
  NO_IMPORT,
  readStored,
} from "#app/transfer/stored-import.server.ts";
import { editedRecords } from "#app/transfer/undo-import.server.ts";
import { counted } from "#app/ui/counted.ts";
import { ITEMS_MAX } from "#app/verification/verification.schema.ts";

export const handle = { heavy: true, script: true, css: styles + signedInStyles + previewStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Import · Hours Tracker" }];

/** An import that was applied: what it did, and what became of its records. */
interface AppliedImport {
  id: number;
  kind: string;
  created: number;
  skipped: number;
  verified: number;
  /** How many of its records that are not verified were edited since. */
  edited: number;
  /** How many of its records a supervisor can be asked to verify and is not. */
  askable: number;
}

type Shown = { user: User } & ({ view: PreviewPage; applied: null } | { view: null; applied: AppliedImport });

/** The preview of an import, or what it did. */
export const loader = page(async ({ params, context }): Promise<Shown> => {
  const id = parseId(params.id);
  const { user, found, counts, edited } = await requireUser(context, (owner, db) => ({
    found: findImport(db, owner, id),
    edited: editedRecords(db, owner, id),
    counts: db
      .select({
        verified: sql<number>`coalesce(sum(verified), 0)`.as("verified_count"),
        askable: sql<number>`coalesce(sum(verified = 0 AND requested_at IS NULL AND NOT ${isKeptForOwner()}), 0)`.as(
          "askable",
        ),
      })
      .from(records)
      .where(sql`user_id = ${owner} AND ${isOfImport(id)} AND ${IS_LIVE}`),
  }));
  const [row] = found;
  if (!row) throw new AppError("not_found", NO_IMPORT);
  if (row.created === null || row.skipped === null) return { user, view: await previewOf(context, row), applied: null };
  const { kind, created, skipped } = row;
  const [count = { verified: 0, askable: 0 }] = counts;
  return { user, view: null, applied: { id, kind, created, skipped, edited: edited[0]?.count ?? 0, ...count } };
});

function longDaysOf(row: ImportRow, reading: Reading): PreviewPage["longDays"] {
  const chosen = chosenRecords(reading.records, doubtfulOf(row, reading), row.skip);
  return Object.entries(hoursByDay(reading.kind, chosen))
    .map(([date, hundredths]) => ({ date, hundredths: hundredths + (row.days[date] ?? 0) }))
    .filter(({ hundredths }) => hundredths > DAY_MAX)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** The encodings that the text of a file may have, each with the first places as they would be; none if it is certain. */
function encodingsOf(row: ImportRow, { table, choice, source: { encoding } }: Reading): PreviewPage["encodings"] {
  if (!isGuessed(encoding)) return [];
  const at = choice.mapping.indexOf("location");
  const places = table.rows.flatMap(({ cells }) => cells[at] ?? []);
  return encodingSamples(bytesOf(row), encoding, places);
}

async function previewOf(context: AppLoadContext, row: ImportRow): Promise<PreviewPage> {
  const reading = await readStored(row);
  const view = viewOf(context, row, reading);
  const recordsOf = groupBy(reading.records, ({ row }) => row);
  const duplicates = duplicatesOf(row, reading);
  const places = new Map(reading.records.map((record, index) => [record, index]));
  const isIn = (positions: ReadonlySet<number>) => (record: ImportRecord) => positions.has(places.get(record) ?? -1);
  const why = new Map(view.possibleTotals.map(({ row, message }) => [row, message]));
  const boxes = boxesOf(view).map((row) => {
    const all = recordsOf.get(row) ?? [];
    const total = why.get(row) ?? null;
    const own = total === null ? all.filter(isIn(duplicates)) : all;
    return { row, total, records: own.map(({ values }) => values), isPart: own.length < all.length };
  });
  const left = leftOut(reading.records, doubtfulOf(row, reading), row.skip);
  const leftRecords = view.rows.map(({ row }) => (recordsOf.get(row) ?? []).map(isIn(left)));
  const saved = new Set(reading.records.filter((record) => !isIn(left)(record)).map(({ row }) => row));
  const { isReadable, asks, wrong, unnamed, read, totals, unknownMethods } = reading;
  return {
    ...view,
    boxes: boxes.slice(0, LISTED_MAX),
    moreBoxes: boxes.slice(LISTED_MAX).map(({ row }) => row),
    leftRecords,
    skipped: view.skip.filter((row) => !saved.has(row)).length,
    encodings: encodingsOf(row, reading),
    isReadable,
    asks,
    ownTimeZone: context.timeZone,
    wrong: wrong - unnamed,
    unnamed,
    totals: totals.map(({ number }) => number),
    others: view.count - totals.length - read.length,
    words: unknownMethods.length,
    longDays: longDaysOf(row, reading),
    open: unknownMethods.filter(({ word }) => !meaningOf(view.values.method, word)).length,
  };
}

/** Changes the columns, the order of the dates or the skipped rows. */
export const action = formAction(
  { failed: "Failed to update the preview. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const id = parseId(params.id);
    const fields = form.parse(await readForm(request, CHOICES), previewForm);
    await changeImport(context, id, (row, view) => checkedChange(row, view ? changeFrom(view, fields) : {}));
    return redirectTo(context, `/import/${id}`);
  },
);

export default function ImportPreview() {
  const { view, applied } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const message = answer?.failure?.text ?? Object.values(answer?.reply?.error ?? {})[0]?.[0];
  return (
    <SignedInLayout current="/account">
      {view ? <PreviewScreen view={view} message={message} /> : applied && <AppliedScreen applied={applied} />}
    </SignedInLayout>
  );
}

/** Shows the result of an import, and the acts on its records. */
function AppliedScreen({ applied }: { applied: AppliedImport }) {
  const { id, kind: name, created, skipped, verified, edited, askable } = applied;
  const kind = kindNamed(name);
  return (
    <>
      <section>
        <h1>Imported</h1>
        <p className="notice done">
          {counted(created, "record")} saved{skipped > 0 && `, ${skipped.toLocaleString("en")} left out`}.
        </p>
        <p className="row">
          {askable > 0 && (
            <a className="second" href={`/requests/new?all=1&kind=${name}&import=${id}`}>
              Ask a supervisor to verify these
            </a>
          )}
          <a href={kind.path}>Open the log</a>
        </p>
        {askable > ITEMS_MAX && (
          <p className="hint">
            {`A request has at most ${ITEMS_MAX} records. Come back to this page for the next ones: ${counted(askable, "record")} have no request yet.`}
          </p>
        )}
      </section>
      <details>
        <summary>Undo this import</summary>
        <p>
          This deletes the records of this import{verified > 0 && `, except ${verified} that a supervisor has verified`}
          . Open requests for them end.
        </p>
        <form method="post" action={`/import/${id}/undo`} className="row">
          {edited > 0 && (
            <label className="row">
              <input type="checkbox" name="edited" />
              <span>Also delete {counted(edited, "record")} that you edited since</span>
            </label>
          )}
          <button type="submit" className="danger" data-busy="Undoing...">
            Undo import
          </button>
        </form>
      </details>
    </>
  );
}
