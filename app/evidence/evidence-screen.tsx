import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { EditFields } from "#app/records/edit-fields.tsx";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import type { newRecordsAction, newRecordsLoader } from "#app/records/new-records.server.ts";
import { JustSaved } from "#app/records/new-records.tsx";
import { trainingKind } from "#app/records/training/training.kind.ts";
import type { DialogFacts } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

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

interface NewEvidenceProps {
  kind: Kind;
  title: string;
}

type Action = ReturnType<typeof newRecordsAction>;
type Loader = (args: LoaderFunctionArgs) => ReturnType<typeof newRecordsLoader>;

/** The page with the form of a new training or certificate. It works without a script. */
export function NewEvidence({ kind, title }: NewEvidenceProps) {
  const { formKey } = useLoaderData<Loader>();
  const answer = useActionData<Action>();
  return (
    <SignedInLayout current={kind.tab} toast={answer?.failure}>
      <section aria-labelledby="new">
        <h1 id="new">{title}</h1>
        <form
          method="post"
          action={`${kind.path}/new/${answer?.extra?.formKey ?? formKey}`}
          className="form"
          id="edit-record"
          noValidate
        >
          <EditFields kind={kind} record={null} reply={answer?.reply ?? null} />
          <div className="row">
            <a href={kind.path}>Cancel</a>
            <button type="submit" data-busy="Saving...">
              Save
            </button>
          </div>
        </form>
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
