import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import evidenceStyles from "#app/evidence/evidence.css?inline";
import { findEvidencePage } from "#app/evidence/evidence-page.server.ts";
import { EvidenceScreen } from "#app/evidence/evidence-screen.tsx";
import { logCss } from "#app/log-css.ts";
import { certificateKind, SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { CertificateLog } from "#app/records/certificates/certificate-log.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true, css: logCss(evidenceStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Certificates and tests · Hours Tracker" }];

export const loader = page(async ({ request, context }) => ({
  ...(await findEvidencePage(context, certificateKind, request)),
  soonDays: SOON_DAYS,
}));

export default function Certificates() {
  const { log, isEmpty, sums, today, soonDays, justSaved, dialog, formKey } = useLoaderData<typeof loader>();
  const counts = !isEmpty && sums && (
    <dl className="counts">
      <div>
        <dt>
          <span className="done state">valid</span>
        </dt>
        <dd>{sums.valid}</dd>
      </div>
      <div>
        <dt>
          <span className="ends state">{`of these ending within ${soonDays} days`}</span>
        </dt>
        <dd>{sums.ending}</dd>
      </div>
      <div>
        <dt>
          <span className="over state">ended</span>
        </dt>
        <dd>{sums.ended}</dd>
      </div>
    </dl>
  );
  return (
    <EvidenceScreen kind={certificateKind} add="Add certificate" {...{ counts, justSaved, dialog, formKey }}>
      <CertificateLog page={log} isEmpty={isEmpty} today={today} soonDays={soonDays} />
    </EvidenceScreen>
  );
}
