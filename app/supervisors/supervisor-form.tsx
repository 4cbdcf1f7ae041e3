import { useForm } from "@conform-to/react";
import type { Reply } from "#app/forms/field.tsx";
import { type SupervisorDraft, SupervisorFields } from "./supervisor-choice.tsx";
import type { Supervisor } from "./supervisors.server.ts";

interface SupervisorFormProps {
  action: string;
  reply: Reply;
  /** The supervisor to change; without one the form adds one. */
  supervisor?: Supervisor;
}

export function SupervisorForm({ action, reply, supervisor }: SupervisorFormProps) {
  const [form, fields] = useForm<SupervisorDraft>({
    id: "supervisor",
    lastResult: reply,
    ...(supervisor && { defaultValue: draftOf(supervisor) }),
  });
  return (
    <form method="post" action={action} className="form" id={form.id} noValidate>
      <SupervisorFields fields={fields} firstInvalid={Object.keys(reply?.error ?? {})[0]} hasRole />
      {supervisor ? (
        <div className="row">
          <a href="/supervisors">Cancel</a>
          <button type="submit" data-busy="Saving...">
            Save Changes
          </button>
        </div>
      ) : (
        <button type="submit" data-busy="Saving...">
          Add Supervisor
        </button>
      )}
    </form>
  );
}

function draftOf({ name, email, phone, certificationLevel, company, role }: Supervisor): SupervisorDraft {
  const others = { phone: phone ?? "", certificationLevel: certificationLevel ?? "", company: company ?? "" };
  return { name, email, ...others, role: role ?? "" };
}
