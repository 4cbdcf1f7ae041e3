import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireAnonymous } from "#app/accounts/access.server.ts";
import { RESET_REQUESTED, requestReset } from "#app/accounts/reset.server.ts";
import { ResetRequestScreen } from "#app/accounts/reset-screens.tsx";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Reset your password · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const isSent = new URL(request.url).searchParams.has("sent");
  if (!isSent) await requireAnonymous(context);
  return { done: isSent ? RESET_REQUESTED : null };
});

export const action = page(async ({ request, context }) => {
  const submission = parseWithZod(await readForm(request), { schema: resetRequestSchema });
  if (submission.status !== "success") return data({ reply: submission.reply(), toast: null }, { status: 400 });

  try {
    await requestReset(context, submission.value.email);
    throw await redirectTo(context, "/reset-password?sent");
  } catch (error) {
    if (error instanceof Response || error instanceof AppError) throw error;
    logError(error, request);
    return data({ reply: submission.reply(), toast: FAILED }, { status: 500 });
  }
});

/** Spec section 8. */
const FAILED: Toast = {
  kind: "error",
  title: "Failed to send reset link",
  text: "An error occurred. Please try again.",
};

export default function ResetRequest() {
  const { done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <ResetRequestScreen done={done} reply={answer?.reply} toast={answer?.toast} />;
}
