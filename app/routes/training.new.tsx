import type { MetaFunction } from "@remix-run/cloudflare";
import { NewEvidence } from "#app/evidence/evidence-screen.tsx";
import { newRecordAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import type { RouteHandle } from "#app/server/route.ts";

const TITLE = "Add Training";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: `${TITLE} · Hours Tracker` }];

export const loader = newRecordsLoader;

export const action = newRecordAction({
  kind: trainingKind,
  failed: "Failed to save the training. Please try again.",
  saved: { kind: "success", title: "Training saved" },
});

export default function New() {
  return <NewEvidence kind={trainingKind} title={TITLE} />;
}
