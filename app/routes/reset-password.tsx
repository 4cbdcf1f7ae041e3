import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireAnonymous } from "#app/accounts/access.server.ts";
import { RESET_REQUESTED, requestReset } from "#app/accounts/reset.server.ts";
import { ResetRequestScreen } from "#app/accounts/reset-screens.tsx";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Reset your password · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const isSent = new URL(request.url).searchParams.has("sent");
  if (!isSent) await requireAnonymous(context);
  return { done: isSent ? RESET_REQUESTED : null };
});

export const action = formAction(
  { title: "Failed to send reset link", failed: "An error occurred. Please try again." },
  async ({ request, context }, form) => {
    const { email } = form.parse(await readForm(request), resetRequestSchema);
    await requestReset(context, email);
    return redirectTo(context, "/reset-password?sent");
  },
);

export default function ResetRequest() {
  const { done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <ResetRequestScreen done={done} reply={answer?.reply} toast={answer?.failure} />;
}
