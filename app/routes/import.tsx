import { useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formatInstant } from "#app/calendar-date.ts";
import { asText, Field, type Reply } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { createImport } from "#app/transfer/open-import.server.ts";
import previewStyles from "#app/transfer/preview.css?inline";
import { uploadOfFile, uploadOfText } from "#app/transfer/source.ts";
import { listImports } from "#app/transfer/stored-import.server.ts";
import { Alert } from "#app/ui/page.tsx";

export const handle = { heavy: true, script: true, css: styles + signedInStyles + previewStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Import · Hours Tracker" }];

/** The form of an upload: a file, or pasted text if there is none. */
const uploadForm = z
  .object({
    kind: z.enum(
      KINDS.map(({ name }) => name),
      { error: "Choose what the rows are" },
    ),
    file: z
      .instanceof(File)
      .optional()
      .transform((file) => (file && (file.name !== "" || file.size > 0) ? file : undefined)),
    text: z.string().default(""),
  })
  .refine(({ file, text }) => file !== undefined || text.trim() !== "", {
    path: ["file"],
    message: "Choose a file, or paste rows below",
  });

export const loader = page(async ({ context }) => {
  const { user, recent } = await requireUser(context, (owner, db) => ({ recent: listImports(db, owner) }));
  return { user, recent, timeZone: context.timeZone };
});

export const action = formAction(
  { failed: "Failed to read the rows. Please try again.", showsErrors: true },
  async ({ request, context }, form) => {
    const { kind, text, file } = form.parse(await readForm(request), uploadForm);
    const { id } = await createImport(context, {
      kind: kindNamed(kind),
      upload: file ? uploadOfFile(new Uint8Array(await file.arrayBuffer())) : uploadOfText(text),
    });
    return redirectTo(context, `/import/${id}`);
  },
);

/** Takes a file or pasted rows, and leads to their preview. */
export default function Import() {
  const { recent, timeZone } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/account">
      <UploadForm reply={answer?.reply} message={answer?.failure?.text} />
      <section aria-labelledby="earlier">
        <h2 id="earlier">Earlier years</h2>
        <p>No list of every job? Enter the hours of earlier years as one sum for each method.</p>
        <p className="row">
          <a className="second" href="/import/brought-forward">
            Bring hours forward
          </a>
        </p>
      </section>
      {recent.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">Your imports</h2>
          <ul className="results">
            {recent.map((one) => (
              <li key={one.id} className="apart">
                <span>
                  {kindNamed(one.kind).adminTexts.label}, {formatInstant(timeZone, one.createdAt)}:{" "}
                  {one.created === null ? "not imported yet" : `${one.created.toLocaleString("en")} imported`}
                </span>
                <a href={`/import/${one.id}`}>
                  Open
                  <span className="unseen"> the import of {formatInstant(timeZone, one.createdAt)}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SignedInLayout>
  );
}

interface UploadFormProps {
  reply: Reply;
  message: string | undefined;
}

function UploadForm({ reply, message }: UploadFormProps) {
  const [form, fields] = useForm<{ kind: string; file: string; text: string }>({
    id: "upload",
    lastResult: reply,
    defaultValue: { kind: "entry" },
  });
  return (
    <form method="post" action="/import" encType="multipart/form-data" id={form.id} className="form" noValidate>
      <h1>Import hours</h1>
      <p>
        From a spreadsheet, another app or your own export. You see every row and every problem first: nothing is saved
        before that.
      </p>
      <Field
        field={fields.kind}
        label="What are you importing?"
        control={(attributes) => (
          <select {...attributes} defaultValue={asText(fields.kind.initialValue)}>
            {KINDS.map(({ name, texts }) => (
              <option key={name} value={name}>
                {texts.rows}
              </option>
            ))}
          </select>
        )}
      />
      <Field
        field={fields.file}
        label="Excel or CSV file"
        type="file"
        accept=".xlsx,.xlsm,.csv,.tsv,.txt,text/csv,text/plain"
      />
      <Field
        field={fields.text}
        label="Or rows copied from a spreadsheet, with their header"
        control={(attributes) => (
          <textarea {...attributes} rows={6} defaultValue={asText(fields.text.initialValue)} spellCheck={false} />
        )}
      />
      <details>
        <summary>Accepted formats</summary>
        <p className="hint">
          One row for each job, with columns such as Date, Job site, Technique and Hrs; or one column for each method,
          as the form has. At most 5,000 rows and 1 MiB. Dates in any order, hours as 7.5, 7,5 or 7:30, or as Start, End
          and Break.
        </p>
      </details>
      <Alert message={message} />
      <button type="submit" data-busy="Reading...">
        Check rows
      </button>
    </form>
  );
}
