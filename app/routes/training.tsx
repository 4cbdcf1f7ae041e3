import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import evidenceStyles from "#app/evidence/evidence.css?inline";
import { findEvidencePage } from "#app/evidence/evidence-page.server.ts";
import { EvidenceScreen } from "#app/evidence/evidence-screen.tsx";
import { logCss } from "#app/log-css.ts";
import { formatHours } from "#app/records/hours.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { TrainingLog } from "#app/records/training/training-log.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { State } from "#app/ui/page.tsx";

export const handle = { script: true, css: logCss(evidenceStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Training · Hours Tracker" }];

export const loader = page(({ request, context }) => findEvidencePage(context, trainingKind, request));

export default function TrainingPage() {
  const { log, isEmpty, sums, justSaved, dialog, formKey } = useLoaderData<typeof loader>();
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
