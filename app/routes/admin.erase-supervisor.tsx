import { getFormProps, useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { eraseSupervisorAsAdmin } from "#app/admin/system.server.ts";
import { SYSTEM_PATH } from "#app/admin/view.tsx";
import dialogStyles from "#app/dialogs.css?inline";
import { Field } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { Dialog } from "#app/ui/dialog.tsx";

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
    // The address is in no URL: it would remain in histories and logs.
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

const PATH = `${SYSTEM_PATH}/erase-supervisor`;

export default function EraseSupervisor() {
  const answer = useActionData<typeof action>();
  const asked = answer?.extra?.asked ?? null; // the address that the page asks about
  const [form, fields] = useForm<{ email: string }>({ id: "erase", lastResult: answer?.reply ?? null });
  return (
    <SignedInLayout
      current="/admin"
      toast={answer?.failure}
      dialog={
        asked && (
          <Dialog title="Erase a supervisor" closeHref={PATH}>
            <p>
              Erase what all accounts hold about <b>{asked}</b>?
            </p>
            <p>This cannot be undone, except from a backup.</p>
            <form method="post" action={PATH} className="row">
              <input type="hidden" name="email" value={asked} />
              <a href={PATH}>Cancel</a>
              <button type="submit" name="sure" value="yes" className="danger" data-busy="Erasing...">
                Erase
              </button>
            </form>
          </Dialog>
        )
      }
    >
      <h1>Erase a supervisor</h1>
      <p>
        For supervisors who ask for it. Their data goes from every account, in every spelling of their mailbox: saved
        supervisors, the address and the name in requests and answers, reasons, where links were opened from, emails,
        and their facts in the audit log. The name on a verified record stays, because it is the technician's evidence,
        and the log still verifies.
      </p>
      <form method="post" action={PATH} {...getFormProps(form)} className="form">
        <Field field={fields.email} label="Email of the supervisor" type="email" autoComplete="off" inputMode="email" />
        <p className="row">
          <a href={SYSTEM_PATH}>Back to the system</a>
          <button type="submit">Continue</button>
        </p>
      </form>
    </SignedInLayout>
  );
}
