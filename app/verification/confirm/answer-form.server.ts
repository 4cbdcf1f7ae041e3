import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { AppError } from "#app/errors.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { isBlank } from "#app/plain-text.ts";
import { type FoundLink, keyOf, viaOf } from "#app/verification/link.server.ts";
import { formHash } from "#app/verification/link-view.server.ts";
import {
  certificationFields,
  certificationOf,
  ITEMS_MAX,
  reason,
  supervisorName,
} from "#app/verification/verification.schema.ts";
import type { Answers } from "./confirm.server.ts";

/*
 * The forms of a link's page. The hash of each record that was shown is sent with them.
 */

const person = { supervisorName, ...certificationFields };

/** A reason beside a verification contradicts it, and a verification is final. */
const noReason = (message: string) =>
  z
    .string()
    .optional()
    .refine((text) => text === undefined || isBlank(text), { message });

const shown = z.string().optional();

/** The form of a link for one record: verified … */
export const verifyForm = z.object({
  ...person,
  shown,
  reason: noReason("You wrote what is not right. Press Decline, or clear this text"),
});

/** … or declined. */
export const declineForm = z.object({ ...person, shown, reason });

/** The list in the form of a link for several records. */
export const ITEMS: FormList = { name: "items", columns: ["shown", "answer", "reason"], rowsMax: ITEMS_MAX };

/** The form of a link for several records. The reason of a record that is left for later is ignored. */
export const severalForm = z.object({
  ...person,
  reason: noReason("You wrote why all are declined. Press Decline all, or clear this text"),
  items: z
    .array(
      z.discriminatedUnion(
        "answer",
        [
          z.object({
            answer: z.literal("verify"),
            shown: z.string(),
            reason: noReason("You wrote what is not right. Choose Not right, or clear this text"),
          }),
          z.object({ answer: z.literal("decline"), shown: z.string(), reason }),
          z.object({ answer: z.literal("skip"), shown: z.string(), reason: z.string().optional() }),
        ],
        { error: "Choose an answer" },
      ),
    )
    .max(ITEMS_MAX),
});

/** The answers of a submitted form for one record, which is `link`'s first item. */
export function answersForOne(
  { secret, url }: AppLoadContext,
  { request, items }: FoundLink,
  body: z.output<typeof verifyForm>,
  isDeclined: boolean,
): Answers {
  const keys = items.slice(0, 1).map(keyOf);
  return {
    ...personOf(body),
    via: viaOf(secret, request, url),
    declined: new Map(isDeclined ? keys.map((key) => [key, body.reason ?? ""]) : []),
    shown: new Map(items.slice(0, 1).map((item) => [keys[0] ?? "", fullHash(item.shown, body.shown)])),
  };
}

/**
 * The answers of a submitted form for several records.
 * @throws {AppError} 400 for a form that none of our pages sends
 */
export function answersForSeveral(
  { secret, url }: AppLoadContext,
  { request, items }: FoundLink,
  body: z.output<typeof severalForm>,
): Answers {
  const hashes = new Map(items.map((item) => [formHash(item), item.shown]));
  const list = body.items.map((item) => ({ ...item, key: /^\w+:\d+(?=:)/.exec(item.shown)?.[0] ?? "" }));
  if (new Set(list.map(({ key }) => key)).size < list.length)
    throw new AppError("invalid", "A record was answered twice");
  return {
    ...personOf(body),
    via: viaOf(secret, request, url),
    declined: new Map(list.flatMap((item) => (item.answer === "decline" ? [[item.key, item.reason]] : []))),
    skipped: new Set(list.flatMap(({ key, answer }) => (answer === "skip" ? [key] : []))),
    shown: new Map(list.map(({ key, shown }) => [key, hashes.get(shown) ?? ""])),
  };
}

function personOf({ supervisorName, ...fields }: z.output<typeof verifyForm> | z.output<typeof severalForm>) {
  const { scheme, level, number } = fields;
  const certification = certificationOf({ scheme, level, number });
  return { supervisorName, ...(certification && { certification }) };
}

/** The item's hash if it is the one that was shown, else a text that is no hash. */
function fullHash(hash: string, sent: string | undefined): string {
  return sent === hash ? hash : "";
}
