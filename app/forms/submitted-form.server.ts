import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/cloudflare";
import type { z } from "zod";
import type { AppError } from "#app/errors.ts";
import type { Toast } from "#app/server/flash.ts";

/** What an action that does not redirect returns to the form's page. */
export interface FormAnswer<Extra = never> {
  /** The typed values and the messages of the fields; null if no form was parsed. */
  reply: SubmissionResult<string[]> | null;
  /** Why the form as a whole was not accepted, or null. */
  failure: Toast | null;
  /** What one page needs beside that. */
  extra: Extra | null;
}

export type FormPage<Extra> = ReturnType<typeof data<FormAnswer<Extra>>>;

interface PageOptions<Extra> {
  status?: number;
  failure?: Toast;
  fieldErrors?: Record<string, string[]>;
  extra?: Extra;
  headers?: HeadersInit;
}

/** Thrown by `SubmittedForm.parse`. `formAction` answers with the form and its messages. */
export class InvalidFormError extends Error {}

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
