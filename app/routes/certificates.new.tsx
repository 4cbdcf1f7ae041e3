import type { MetaFunction } from "@remix-run/cloudflare";
import { NewEvidence } from "#app/evidence/new-evidence.tsx";
import { readForm } from "#app/forms/read-form.server.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import { saveRecord } from "#app/records/save.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

const TITLE = "Add a Certificate or Test";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: `${TITLE} · Hours Tracker` }];

export const loader = newRecordsLoader;

export const action = newRecordsAction(
  {
    kind: certificateKind,
    failed: "Failed to save the certificate. Please try again.",
    saved: { kind: "success", title: "Certificate saved" },
  },
  async ({ request }, form) => form.parse(await readForm(request), certificateKind.formSchema),
  async (context, values, userId, key) => {
    const { record, twins } = await saveRecord(context.db, userId, certificateKind, values, key, context.now);
    return { lastId: record.id, twins };
  },
);

export default function New() {
  return <NewEvidence kind={certificateKind} title={TITLE} />;
}
