import type { ReactNode } from "react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { JustSaved } from "#app/records/new-records.tsx";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { Warnings } from "#app/ui/toast.tsx";
import type { DialogFacts } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";
import { EvidenceTabs } from "./evidence-tabs.tsx";

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
      <Warnings />
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
