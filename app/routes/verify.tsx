import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { TooManyConflictsError } from "#app/db/conflict.server.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { confirm, findLink, RecordChangedError } from "#app/verification/confirm/confirm.server.ts";
import { noteOpening } from "#app/verification/confirm/opening.server.ts";
import { VerifyScreen } from "#app/verification/confirm/verify-screen.tsx";
import { visibleLink } from "#app/verification/link.server.ts";
import { thanksFor } from "#app/verification/record.ts";
import { confirmationSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verify hours · Hours Tracker" }];

const STATUS = { open: 200, unknown: 404, verified: 409 };

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const link = await findLink(context, token);
  noteOpening(context, link);
  const shown = link.state === "open" ? link.shown : null;
  return data({ token, link: visibleLink(link), shown, timeZone: context.timeZone }, { status: STATUS[link.state] });
});

/** Spec section 8. */
const FAILED = {
  kind: "error",
  title: "Verification failed",
  text: "An error occurred during verification",
} satisfies Toast;

/** What an attempt that failed brings to the page. */
interface Attempt {
  reply: SubmissionResult<string[]> | null;
  toast: Toast | null;
  notAsShown: string | null;
}
const NOTHING: Attempt = { reply: null, toast: null, notAsShown: null };

export const action = page(async ({ request, params, context }) => {
  const token = params.token ?? "";
  const { state, record, isOwn } = await findLink(context, token);
  // The page of a link that cannot be used says so, with who verified the record and when.
  if (state === "unknown") return data(NOTHING, { status: 404 });
  if (state === "verified") throw await redirectTo(context, `/verify/${token}`);
  if (isOwn) throw new AppError(403, "These are your own hours, so you can't verify them.");
  const submission = parseWithZod(await readForm(request), { schema: confirmationSchema });
  if (submission.status !== "success") return data({ ...NOTHING, reply: submission.reply() }, { status: 400 });

  try {
    const { supervisorName, shown = "" } = submission.value;
    await confirm(context, token, supervisorName, shown);
    const toast: Toast = { kind: "success", title: "Verification successful", text: thanksFor(record) };
    throw await redirectTo(context, `/success?token=${token}`, { toast });
  } catch (error) {
    if (error instanceof Response) throw error;
    // The loader then shows the record as it is now.
    if (error instanceof RecordChangedError) {
      return data({ ...NOTHING, reply: submission.reply(), notAsShown: error.message }, { status: 409 });
    }
    if (error instanceof TooManyConflictsError) {
      const toast: Toast = { ...FAILED, text: error.message };
      return data({ ...NOTHING, reply: submission.reply(), toast }, { status: error.status });
    }
    if (error instanceof AppError) throw await redirectTo(context, `/verify/${token}`);
    logError(error, request);
    return data({ ...NOTHING, reply: submission.reply(), toast: FAILED }, { status: 500 });
  }
}, `${FAILED.text}. Please try again.`);

export default function Verify() {
  return <VerifyScreen {...useLoaderData<typeof loader>()} {...useActionData<typeof action>()} />;
}
