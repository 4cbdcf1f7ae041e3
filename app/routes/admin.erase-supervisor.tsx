import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { EraseScreen } from "#app/admin/erase-screen.tsx";
import { eraseSupervisorAsAdmin } from "#app/admin/system.server.ts";
import { SYSTEM_PATH } from "#app/admin/view.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

/** Erases a supervisor who asks for it: a form for the address, then the question, then the act. */
export const handle = {
  heavy: true,
  script: true,
  fresh: true,
  css: styles + signedInStyles + dialogStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Erase a supervisor · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireAdmin(context);
  return { user };
});

export const action = formAction<{ asked: string }>(
  { failed: "Failed to erase. Please try again.", title: "Not erased", showsErrors: true },
  async ({ request, context }, form) => {
    const sent = await readForm(request);
    const { email } = form.parse(sent, resetRequestSchema);
    // The address is in no URL: it would stand in histories and logs.
    if (sent.get("sure") !== "yes") {
      await requireAdmin(context);
      return form.show({ status: 200, extra: { asked: email } });
    }
    const { message: text, accounts } = await eraseSupervisorAsAdmin(context, email);
    const toast =
      accounts > 0
        ? ({ kind: "success", title: "Erased", text } as const)
        : ({ kind: "error", title: "Not erased", text } as const);
    return redirectTo(context, SYSTEM_PATH, { toast });
  },
);

export default function EraseSupervisor() {
  const answer = useActionData<typeof action>();
  return <EraseScreen reply={answer?.reply} asked={answer?.extra?.asked ?? null} toast={answer?.failure} />;
}
