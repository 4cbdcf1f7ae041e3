import type { SubmissionResult } from "@conform-to/react";

/** How a record was answered in a form that came back. */
export interface TypedAnswer {
  answer: string;
  reason: string;
  /** What is wrong with it. */
  error: string | undefined;
}

/**
 * The answers of a submitted form by what was shown: if a record was decided elsewhere meanwhile, the page that comes back
 * has one row less than the form that was sent.
 */
export function typedAnswers(reply: SubmissionResult<string[]> | null | undefined): Map<string, TypedAnswer> {
  const items = reply?.initialValue?.items;
  if (!Array.isArray(items)) return new Map();
  return new Map(
    items.map((item, index) => {
      const { shown, answer, reason } = typeof item === "object" && !Array.isArray(item) ? item : {};
      const errors = ["reason", "answer"].flatMap((name) => reply?.error?.[`items[${index}].${name}`] ?? []);
      return [keyIn(shown), { answer: textOf(answer), reason: textOf(reason), error: errors[0] }];
    }),
  );
}

/** The record's key in what a form sends of it: the text before the hash. */
export function keyIn(shown: unknown): string {
  return textOf(shown).split(":", 2).join(":");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
