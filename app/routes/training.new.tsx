import type { MetaFunction } from "@remix-run/cloudflare";
import { NewEvidence } from "#app/evidence/new-evidence.tsx";
import { readForm } from "#app/forms/read-form.server.ts";
import { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import { saveRecord } from "#app/records/save.server.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import type { RouteHandle } from "#app/server/route.ts";

const TITLE = "Add Training";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: `${TITLE} · Hours Tracker` }];

export const loader = newRecordsLoader;

export const action = newRecordsAction(
  {
    kind: trainingKind,
    failed: "Failed to save the training. Please try again.",
    saved: { kind: "success", title: "Training saved" },
  },
  async ({ request }, form) => form.parse(await readForm(request), trainingKind.formSchema),
  async (context, values, userId, key) => {
    const { record, twins } = await saveRecord(context.db, userId, trainingKind, values, key, context.now);
    return { lastId: record.id, twins };
  },
);

export default function New() {
  return <NewEvidence kind={trainingKind} title={TITLE} />;
}
