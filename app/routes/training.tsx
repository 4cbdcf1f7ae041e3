import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import evidenceStyles from "#app/evidence/evidence.css?inline";
import { EvidenceScreen, findLog } from "#app/evidence/log.tsx";
import { logCss } from "#app/log-css.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { periodOf } from "#app/records/kind.ts";
import type { LogPage } from "#app/records/log-page.server.ts";
import { isOwn, SUMS_BY_STATUS } from "#app/records/queries.server.ts";
import { Value } from "#app/records/record-facts.tsx";
import { LogState, NothingLogged, RecordLink, RecordLog, rowAttributes } from "#app/records/record-log.tsx";
import { records } from "#app/records/records.table.ts";
import { type Training, trainingKind } from "#app/records/training/training.kind.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { State } from "#app/ui/page.tsx";

export const handle = { script: true, css: logCss(evidenceStyles, true) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Training · Hours Tracker" }];

export const loader = page((args) =>
  findLog(args, trainingKind, (owner, db) => ({
    sums: db.select(SUMS_BY_STATUS).from(records).where(isOwn(owner, trainingKind)),
  })),
);

export default function TrainingPage() {
  const { log, isEmpty, own, justSaved, dialog, formKey } = useLoaderData<typeof loader>();
  const [sums] = own.sums;
  const waiting = (sums?.requested ?? 0) + (sums?.pending ?? 0);
  const counts = !isEmpty && (
    <dl className="counts">
      <div>
        <dt>
          <State of="verified">hours verified</State>
        </dt>
        <dd>{formatHours(sums?.verified ?? 0)}</dd>
      </div>
      {waiting > 0 && (
        <div>
          <dt>
            <State of="requested">hours not verified yet</State>
          </dt>
          <dd>{formatHours(waiting)}</dd>
        </div>
      )}
    </dl>
  );
  return (
    <EvidenceScreen
      kind={trainingKind}
      add="Add training"
      lead="Courses with an instructor. Organized training is not experience: its hours are never added to your OJT hours."
      {...{ counts, justSaved, dialog, formKey }}
    >
      <TrainingLog page={log} isEmpty={isEmpty} />
    </EvidenceScreen>
  );
}

interface TrainingLogProps {
  page: LogPage<Training>;
  /** Whether the user has no training: an unfiltered first page is empty. */
  isEmpty: boolean;
}

/** The training of a technician, newest first. On narrow screens the style sheet shows each row as a card. */
function TrainingLog({ page, isEmpty }: TrainingLogProps) {
  if (isEmpty) {
    return (
      <NothingLogged kind={trainingKind} page={page}>
        No training logged yet. Every standard asks for hours of organized training: add your first course.
      </NothingLogged>
    );
  }
  return (
    <RecordLog kind={trainingKind} page={page}>
      {page.records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Period</th>
              <th>Course</th>
              <th>Method and level</th>
              <th className="number">Hours</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {page.records.map((record) => {
              const { id, course, organization, instructor, method, level, hours } = record;
              return (
                <tr key={id} {...rowAttributes(record, page)}>
                  <td>
                    <RecordLink kind={trainingKind} record={record}>
                      <Value of={periodOf(record)} />
                    </RecordLink>
                  </td>
                  <td className="full">
                    <b dir="auto">{course}</b>
                    <p className="hint" dir="auto">
                      {[organization, instructor].filter(Boolean).join(", ")}
                    </p>
                  </td>
                  <td className="full">
                    {method && <span className="plate">{methodLabel(method)}</span>} {level}
                  </td>
                  <td className="number">{formatHours(toHundredths(hours))}</td>
                  <LogState kind={trainingKind} record={record} page={page} />
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </RecordLog>
  );
}
