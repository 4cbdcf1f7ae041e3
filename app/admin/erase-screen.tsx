import type { SubmissionResult } from "@conform-to/react";
import { getFormProps, useForm } from "@conform-to/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Field } from "#app/forms/field.tsx";
import type { Toast } from "#app/server/flash.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { SYSTEM_PATH } from "./view.ts";

const PATH = `${SYSTEM_PATH}/erase-supervisor`;

interface EraseScreenProps {
  reply: SubmissionResult<string[]> | null | undefined;
  /** The address that the page asks about, or null. */
  asked: string | null;
  toast: Toast | null | undefined;
}

/** The form that erases a supervisor from every account. It asks first. */
export function EraseScreen({ reply, asked, toast }: EraseScreenProps) {
  const [form, fields] = useForm<{ email: string }>({ id: "erase", lastResult: reply ?? null });
  return (
    <SignedInLayout
      current="/admin"
      toast={toast}
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
