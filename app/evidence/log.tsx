import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner, Queries } from "#app/db/client.server.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { ENTRIES_MAX } from "#app/records/entry/entry.kind.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { logPageQueries, logQueryFrom, readLogPage } from "#app/records/log-page.server.ts";
import { JustSaved } from "#app/records/new-records.tsx";
import { savedTogether } from "#app/records/queries.server.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { parseId } from "#app/server/query.ts";
import { LAST_DECLINE, LAST_END } from "#app/verification/decision.server.ts";
import {
  asksToRequest,
  type DialogFacts,
  dialogFromRows,
  dialogQueries,
  VerificationDialog,
} from "#app/verification/requests/request-dialog.tsx";

/**
 * The page of a log: its records, what was just saved, and the dialog; and `own`, the rows of what the page reads besides.
 * `more` gets the id of the record that was just saved, or 0.
 */
export async function findLog<Row extends AnyRecord, More extends Queries>(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  kind: Kind<Row>,
  more: (owner: Owner, db: Db, page: { url: URL; today: string; savedId: number }) => More,
) {
  const url = new URL(request.url);
  const query = logQueryFrom(kind, url);
  const source = { now: context.now, decline: LAST_DECLINE, ended: LAST_END };
  const today = toCalendarDate(context.timeZone, context.now);
  // Only right after saving: the address may be opened again, or kept.
  const savedId = context.flash?.saved ? parseId(url.searchParams.get("saved")) : 0;
  const {
    user,
    log,
    own,
    justSaved = [],
    ...requestable
  } = await requireUser(context, (owner, db) => ({
    log: logPageQueries(db, owner, kind, query, source),
    own: more(owner, db, { url, today, savedId }),
    ...(savedId && { justSaved: savedTogether(db, owner, kind, savedId, ENTRIES_MAX) }),
    ...dialogQueries(db, owner, kind, url),
  }));
  if (asksToRequest(url)) await askForName(context, request, user);
  const page = await readLogPage(context, user.id, kind, query, source, log);
  return {
    user,
    log: page,
    own,
    isEmpty: page.records.length === 0 && Object.keys(query.params).length === 0,
    formKey: newFormKey(user.id),
    today,
    justSaved,
    saved: context.flash?.saved ?? null,
    hasUndo: Boolean(context.flash?.toast?.undo),
    dialog: await dialogFromRows(context, kind, url, requestable),
  };
}

interface EvidenceScreenProps {
  kind: Kind;
  /** Of the link to the form. */
  add: string;
  /** Above the log. */
  lead?: string;
  counts: ReactNode;
  justSaved: AnyRecord[];
  dialog: DialogFacts | null;
  formKey: string;
  children: ReactNode;
}

/** The page of a log of training or certificates. */
export function EvidenceScreen({ kind, add, lead, counts, justSaved, dialog, formKey, children }: EvidenceScreenProps) {
  return (
    <SignedInLayout current={kind.tab} dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
      <div className="apart">
        <h1>{kind.texts.log}</h1>
        <a className="second act" href={`${kind.path}/new`}>
          {add}
        </a>
      </div>
      <EvidenceTabs current={kind.path} />
      <JustSaved kind={kind} saved={justSaved} />
      {lead && <p className="hint">{lead}</p>}
      {counts}
      {counts && (
        <p>
          <a href={`${trainingKind.path}/exports`}>Export training and certificates</a>
        </p>
      )}
      <section id="log" aria-label="Log">
        {children}
      </section>
    </SignedInLayout>
  );
}

const PARTS = [
  ["/progress", "Targets"],
  [trainingKind.path, trainingKind.texts.log],
  [certificateKind.path, certificateKind.texts.log],
] as const;

/** The pages of what a certification asks for. */
export function EvidenceTabs({ current }: { current: string }) {
  return (
    <nav className="parts" aria-label="Parts of progress">
      {PARTS.map(([href, label]) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
