import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";
import { OtherUserError, requireUser } from "#app/accounts/access.server.ts";
import { formatDate } from "#app/calendar-date.ts";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import { formAction, type SubmittedForm } from "#app/forms/form-action.server.ts";
import { isOfAnotherUser, newFormKey, parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { type Toast, type Warning, withEarlier } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { type Certificate, certificateKind } from "./certificates/certificate.kind.ts";
import { longTermText } from "./certificates/terms.ts";
import { longPeriodText } from "./hours.ts";
import { type AnyRecord, type Kind, recordPath } from "./kind.ts";
import { type Duplicate, type Holder, requireHolder, saveRecord } from "./save.server.ts";

/**
 * The loader of the page that a log's form posts to, which shows the form with its errors. After the user check this
 * page needs no database, so the typed values are shown again even if the database fails.
 */
export const newRecordsLoader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return { user, formKey: parseFormKey(params.key) ?? newFormKey(user.id) };
});

type NewRecordsForm = { kind: Kind } & Pick<Kind["texts"]["new"], "failed" | "saved">;

interface SavedRecords {
  lastId: number;
  duplicates: Duplicate[];
  /** About their dates and hours. */
  warnings?: Warning[];
  /** Whom the next page asks to verify the only record. */
  supervisor?: Record<string, string> | null;
}

/**
 * Returns the warnings about new records that equal others. Two honestly equal records are allowed, so this is no
 * error.
 */
export function duplicateWarnings(kind: Kind, duplicates: readonly Duplicate[]): Warning[] {
  const [subject, same] = kind.texts.twice;
  return duplicates.map(({ id, date }) => ({
    text: `${subject} in your log twice: same day (${formatDate(date)}), ${same}.`,
    href: recordPath(kind, id),
    link: "See the other record",
  }));
}

/** Asks about a period with more hours than it has, and about a certificate with a longer term than its scheme gives. */
export function periodWarnings(kind: Kind, record: AnyRecord): Warning[] {
  const text = longPeriodText(record) ?? (kind === certificateKind ? longTermText(record as Certificate) : null);
  return text ? [{ text, href: recordPath(kind, record.id), link: "See the record" }] : [];
}

/**
 * The action of that page: `parse` reads the form, `save` saves its records, then the user is redirected to the log. In
 * two cases the form is shown with a new key, so that saving again adds the records: if they were saved with the same
 * key and deleted since, and if another user opened the form and someone else has signed in on the device since.
 */
export function newRecordsAction<Values>(
  { kind, failed, saved }: NewRecordsForm,
  parse: (args: ActionFunctionArgs, form: SubmittedForm) => Promise<Values>,
  save: (context: AppLoadContext, values: Values, account: Holder, key: string | null) => Promise<SavedRecords>,
) {
  return formAction(
    {
      failed,
      onAppError: async (error, form, args) => {
        if (error.code === "account_full") {
          const failure: Toast = { kind: "error", title: "Not saved", text: error.message };
          return form.show({ status: error.status, failure });
        }
        const isOthers = error instanceof OtherUserError;
        if (!isOthers && !(error instanceof SubmissionDeletedError)) return undefined;
        const advice = isOthers ? "If they are yours, save once more." : "Save once more to log them again.";
        const failure: Toast = { kind: "error", title: "Not saved", text: `${error.message} ${advice}` };
        const { user } = await requireUser(args.context);
        const extra = { formKey: newFormKey(user.id), saved: isOthers ? null : parseFormKey(args.params.key) };
        return form.show({ status: error.status, failure, extra });
      },
    },
    async (args, form) => {
      const { user, account } = await requireHolder(args.context, kind);
      const key = parseFormKey(args.params.key);
      const values = await parse(args, form);
      if (isOfAnotherUser(key, user.id)) throw new OtherUserError();
      const { lastId, duplicates, warnings = [], supervisor } = await save(args.context, values, account, key);
      // A URL for this save only: opening the log's own URL would replace the browser's copy of it, and Back would then
      // show the old values with a new key.
      return redirectTo(args.context, `${kind.path}?${supervisor ? "request" : "saved"}=${lastId}`, {
        toast: { kind: "success", ...saved },
        ...(key && { saved: key }),
        ...(supervisor && { supervisor }),
        warnings: withEarlier(args.context.flash, [...duplicateWarnings(kind, duplicates), ...warnings]),
      });
    },
  );
}

/** The same of a page that saves one record, whose form has the fields of its kind. */
export function newRecordAction<Row extends AnyRecord, Values extends object>(kind: Kind<Row, Values>) {
  return newRecordsAction(
    { kind, ...kind.texts.new },
    async ({ request }, submitted) => submitted.parse(await readForm(request), kind.formSchema),
    async (context, values, account, key) => {
      const { record, duplicates } = await saveRecord(context.db, account, kind, values, key, context.now);
      return { lastId: record.id, duplicates, warnings: periodWarnings(kind, record) };
    },
  );
}
