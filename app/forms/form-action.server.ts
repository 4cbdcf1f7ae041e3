import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { isFull } from "#app/db/client.server.ts";
import { AppError, NO_ROOM } from "#app/errors.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, noteFailure, toErrorPage } from "#app/server/page.server.ts";
import { type FormPage, InvalidFormError, SubmittedForm } from "./submitted-form.server.ts";

type Answer<Extra> = Response | FormPage<Extra>;

interface FormOptions<Extra> {
  /** What the form says after an unknown error (spec section 8). Without it such errors are shown on the error page. */
  failed?: string | ((error: unknown, form: SubmittedForm, args: ActionFunctionArgs) => string);
  /** What the error page says after an unknown error: by default `failed`, and that what was typed is still there. */
  errorPage?: string;
  title?: string;
  /** Whether the form shows an `AppError` that names no field. By default the error page shows it. */
  showsErrors?: boolean;
  /** Answers an `AppError` that the page treats in its own way; undefined for all others. */
  onAppError?: (
    error: AppError,
    form: SubmittedForm,
    args: ActionFunctionArgs,
  ) => Answer<Extra> | undefined | Promise<Answer<Extra> | undefined>;
}

/**
 * The action of a form's page. `run` checks access, calls `form.parse`, does the work and returns a redirect. Errors are
 * answered here:
 *
 * - a form that does not match its schema: 400 and the form with its messages;
 * - an `AppError` with messages for fields: its status and the form with those messages;
 * - any other `AppError`: its status, on the form or on the error page (`showsErrors`); 401 redirects to the log-in;
 * - an unknown error: logged, 500 with `failed`, or with what to do if the database is full. The error page says it if the form's
 *   page cannot be loaded either: if the error came before the form was parsed and the user was known, or if the page's loader
 *   fails, too.
 */
export function formAction<Extra = never>(
  options: FormOptions<Extra>,
  run: (args: ActionFunctionArgs, form: SubmittedForm) => Promise<Answer<Extra>>,
) {
  return async (args: ActionFunctionArgs): Promise<FormPage<Extra>> => {
    const form = new SubmittedForm(options.title ?? "Error");
    const answer = await run(args, form).catch((error) => answerError(error, args, form, options));
    return answer as FormPage<Extra>; // Remix types a Response as the page's data, which it never becomes
  };
}

async function answerError<Extra>(
  error: unknown,
  args: ActionFunctionArgs,
  form: SubmittedForm,
  { failed, errorPage, showsErrors = false, onAppError }: FormOptions<Extra>,
): Promise<Answer<Extra>> {
  if (error instanceof Response) return error;
  if (error instanceof InvalidFormError) return form.showInvalid();
  if (error instanceof AppError) {
    const own = await onAppError?.(error, form, args);
    if (own) return own;
    if (error.errors || (showsErrors && error.status !== 401)) return form.showError(error);
    throw await toErrorPage(error, args);
  }
  const own = typeof failed === "function" ? failed(error, form, args) : failed;
  const text = own && isFull(error) ? NO_ROOM : own;
  const onErrorPage = (text === NO_ROOM ? null : errorPage) ?? (text && `${text} ${GO_BACK}`);
  if (text && (form.isParsed || args.context.visit.userId !== null)) {
    logError(error, args.request);
    noteFailure(args.context, onErrorPage ?? text);
    return form.showFailure(500, text);
  }
  throw await toErrorPage(error, args, onErrorPage);
}
