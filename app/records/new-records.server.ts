import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import type { SubmittedForm } from "#app/forms/submitted-form.server.ts";
import type { Flash, Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { Kind } from "./kind.ts";

/**
 * The loader of the page to which a log's form is sent, and on which it comes back with its messages. It needs no log
 * and, once the user is known, no database: what was typed comes back even when that fails.
 */
export const newRecordsLoader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return { user, formKey: parseFormKey(params.key) ?? crypto.randomUUID() };
});

interface NewRecordsForm {
  kind: Kind;
  /** The path of the form, before its key. */
  path: string;
  /** What the form says after an unknown error, and the toast of a saved form (spec section 8). */
  failed: string;
  saved: Toast;
}

/** What was saved: the id of the last record, and what the log says of them. */
interface SavedRecords {
  lastId: number;
  warnings?: Flash["warnings"];
}

/**
 * The action of that page: `save` parses the form and saves its records, and the technician is led to the log. Records
 * that were saved with the same key and deleted since come back in the form with a new key, so that saving once more
 * logs them again.
 */
export function newRecordsAction(
  { kind, path, failed, saved }: NewRecordsForm,
  save: (args: ActionFunctionArgs, form: SubmittedForm, userId: number, key: string | null) => Promise<SavedRecords>,
) {
  // As the form has it, however the request spells it: the browser forgets the draft of this path.
  const formPath = ({ params }: ActionFunctionArgs) => `${path}/${parseFormKey(params.key)}`;
  return formAction(
    {
      failed,
      onAppError: (error, form, args) => {
        if (!(error instanceof SubmissionDeletedError)) return undefined;
        const text = `${error.message} Save once more to log them again.`;
        const failure: Toast = { kind: "error", title: "Not saved", text };
        const extra = { formKey: crypto.randomUUID(), saved: formPath(args) };
        return form.show({ status: error.status, failure, extra });
      },
    },
    async (args, form) => {
      const { user } = await requireUser(args.context);
      const { lastId, warnings } = await save(args, form, user.id, parseFormKey(args.params.key));
      // An address that only this save has: a second fetch of the form's own would replace the browser's copy of it, and
      // Back would bring a new key with the old records.
      return redirectTo(args.context, `${kind.path}?saved=${lastId}`, {
        toast: saved,
        saved: formPath(args),
        warnings,
      });
    },
  );
}
