import type { MetaFunction } from "@remix-run/cloudflare";
import { NewEvidence } from "#app/evidence/evidence-screen.tsx";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { newRecordAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

const TITLE = "Add a Certificate or Test";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: `${TITLE} · Hours Tracker` }];

export const loader = newRecordsLoader;

export const action = newRecordAction({
  kind: certificateKind,
  failed: "Failed to save the certificate. Please try again.",
  saved: { kind: "success", title: "Certificate saved" },
});

export default function New() {
  return <NewEvidence kind={certificateKind} title={TITLE} />;
}
