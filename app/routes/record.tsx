import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { findHistory, historyPageOf } from "#app/corrections/history.server.ts";
import recordStyles from "#app/corrections/record-screen.css?inline";
import { Corrections, RecordScreen } from "#app/corrections/record-screen.tsx";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { canBeRevoked } from "#app/records/certificates/certificate.kind.ts";
import { type Entry, entryKind } from "#app/records/entry/entry.kind.ts";
import { ShareShift } from "#app/records/entry/share-shift.tsx";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { verificationOf } from "#app/verification/record.ts";

export const handle = { script: true, css: styles + signedInStyles + recordStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Record · Hours Tracker" }];

export const loader = page(async ({ request, params, context }) => {
  const id = parseId(params.id);
  const { user, history } = await findHistory(context, kindOf(context), id, historyPageOf(context.url));
  const isClosed = new URL(request.url).searchParams.get("at") === "delete";
  return { user, id, history, isClosed, timeZone: context.timeZone };
});

export default function RecordPage() {
  const { id, history, isClosed, timeZone } = useLoaderData<typeof loader>();
  const { kind: name, record } = history.record;
  const kind = kindNamed(name);
  return (
    <SignedInLayout current={kind.tab}>
      <RecordScreen
        id={id}
        history={history}
        timeZone={timeZone}
        back={{ href: kind.path, label: kind.texts.log }}
        isOwn
      >
        <Corrections
          kind={kind}
          id={id}
          isVerified={verificationOf(record) !== null}
          canBeRevoked={canBeRevoked(kind, record)}
          dialog={isClosed ? "closed" : null}
        >
          {kind.name === entryKind.name && (
            <ShareEntry entry={record as Entry} to={history.request?.supervisor?.email} />
          )}
        </Corrections>
      </RecordScreen>
    </SignedInLayout>
  );
}

/** Shares the shift of an entry, with the supervisor who was asked about it. */
function ShareEntry({ entry, to }: { entry: Entry; to: string | undefined }) {
  const { date, location, method, details } = entry;
  return (
    <ShareShift job={{ date, location, method, ...(details.jobNumber && { jobNumber: details.jobNumber }) }}>
      {to && <input type="hidden" name="supervisor" value={to} />}
      <button type="submit" className="second" data-busy="Sharing...">
        Share this shift
      </button>
    </ShareShift>
  );
}
