import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import type { z } from "zod";
import { isFull } from "#app/db/client.server.ts";
import { AppError, NO_ROOM } from "#app/errors.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, noteFailure, toErrorPage } from "#app/server/page.server.ts";

type Answer<Extra> = Response | FormPage<Extra>;

interface FormOptions<Extra> {
  /** The form's message after an unknown error (spec section 8). Without it such errors are shown on the error page. */
  failed?: string | ((error: unknown, form: SubmittedForm, args: ActionFunctionArgs) => string);
  /** The error page's message after an unknown error: by default `failed`, and that the typed text is still there. */
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

/** The answer of an action that does not redirect, for the form's page. */
export interface FormAnswer<Extra = never> {
  /** The typed values and the messages of the fields; null if no form was parsed. */
  reply: SubmissionResult<string[]> | null;
  /** Why the form as a whole was not accepted, or null. */
  failure: Toast | null;
  /** The other data that one page needs. */
  extra: Extra | null;
}

type FormPage<Extra> = ReturnType<typeof data<FormAnswer<Extra>>>;

interface PageOptions<Extra> {
  status?: number;
  failure?: Toast;
  fieldErrors?: Record<string, string[]>;
  extra?: Extra;
  headers?: HeadersInit;
}

/** Thrown by `SubmittedForm.parse`. `formAction` answers with the form and its messages. */
class InvalidFormError extends Error {}

export class SubmittedForm {
  readonly #title: string;
  #fields = new FormData();
  #submission: Submission<unknown, string[]> | null = null;

  /** @param title the title of a toast that says why the form was not accepted */
  constructor(title: string) {
    this.#title = title;
  }

  get isParsed(): boolean {
    return this.#submission !== null;
  }

  /** A field of the parsed form as it was sent, or null. */
  get(name: string): FormDataEntryValue | null {
    return this.#fields.get(name);
  }

  /**
   * Parses the form against a schema.
   * @throws {InvalidFormError} if it does not match, or if the pressed button asks for another row and not to submit
   */
  parse<Schema extends z.ZodType>(form: FormData, schema: Schema): z.output<Schema> {
    const submission = parseWithZod(form, { schema });
    this.#fields = form;
    this.#submission = submission;
    if (submission.status !== "success") throw new InvalidFormError();
    return submission.value;
  }

  /** The form's page, with the typed values except passwords. */
  show<Extra = never>({
    status = 200,
    failure,
    fieldErrors,
    extra,
    headers,
  }: PageOptions<Extra> = {}): FormPage<Extra> {
    const hideFields = [...this.#fields.keys()].filter((name) => /password/i.test(name));
    const reply = this.#submission?.reply({ hideFields, ...(fieldErrors && { fieldErrors }) }) ?? null;
    return data({ reply, failure: failure ?? null, extra: extra ?? null }, { status, ...(headers && { headers }) });
  }

  /** The page of a form that does not match its schema: 400, or 200 if the form was not submitted yet. */
  showInvalid(): FormPage<never> {
    return this.show({ status: this.#submission?.status === "error" ? 400 : 200 });
  }

  /** The page with an `AppError`: its messages beside the fields, or, if it names none, its message as a toast. */
  showError({ status, message, errors }: AppError): FormPage<never> {
    if (!errors) return this.showFailure(status, message);
    return this.show({
      status,
      fieldErrors: Object.fromEntries(errors.map(({ path, message }) => [path, [message]])),
    });
  }

  showFailure(status: number, text: string): FormPage<never> {
    return this.show({ status, failure: { kind: "error", title: this.#title, text } });
  }
}
