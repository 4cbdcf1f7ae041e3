import { type SubmissionResult, useForm } from "@conform-to/react";
import { type SupervisorDraft, SupervisorFields } from "#app/supervisors/supervisor-choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { NewSupervisor } from "./supervisor.schema.ts";
import type { Supervisor } from "./supervisors.server.ts";

/** The technician's supervisors. Each name links to the page that changes or deletes it. */
export function SupervisorList({ supervisors }: { supervisors: Supervisor[] }) {
  if (supervisors.length === 0) {
    return <p className="empty">No supervisors yet. Add one here, or when you first ask them to verify a record.</p>;
  }
  return (
    <>
      <p className="hint">Select a supervisor to change or delete them.</p>
      <table className="list">
        <thead>
          <tr>
            <th>Name</th>
            <th>Company and role</th>
            <th>Certification Level</th>
            <th>Email</th>
            <th>Phone</th>
          </tr>
        </thead>
        <tbody>
          {supervisors.map(({ id, name, company, certificationLevel, email, phone, role }) => (
            <tr key={id}>
              <td>
                <a className="main-link" href={`/supervisors/${id}`}>
                  {name}
                </a>
              </td>
              <td>{[company, role].filter(Boolean).join(", ")}</td>
              <td>{certificationLevel}</td>
              <td>{email}</td>
              <td>{phone}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface NewSupervisorFormProps {
  /** The URL of this copy of the form. */
  action: string;
  /** The typed values and errors of the last attempt. */
  reply: SubmissionResult<string[]> | null;
}

export function NewSupervisorForm({ action, reply }: NewSupervisorFormProps) {
  const [form, fields] = useForm<SupervisorDraft>({ id: "supervisor", lastResult: reply });
  return (
    <form method="post" action={action} className="form" id={form.id} noValidate>
      <SupervisorFields fields={fields} firstInvalid={Object.keys(reply?.error ?? {})[0]} hasRole />
      <button type="submit" data-busy="Saving...">
        Add Supervisor
      </button>
    </form>
  );
}

interface SupervisorFormProps {
  supervisor: Supervisor;
  /** The typed values and errors of the last attempt. */
  reply: SubmissionResult<string[]> | null;
}

export function SupervisorForm({ supervisor: { id, ...supervisor }, reply }: SupervisorFormProps) {
  const [form, fields] = useForm<SupervisorDraft>({
    id: "supervisor",
    lastResult: reply,
    defaultValue: draftOf(supervisor),
  });
  return (
    <form method="post" action={`/supervisors/${id}`} className="form" id={form.id} noValidate>
      <SupervisorFields fields={fields} firstInvalid={Object.keys(reply?.error ?? {})[0]} hasRole />
      <div className="row">
        <a href="/supervisors">Cancel</a>
        <button type="submit" data-busy="Saving...">
          Save Changes
        </button>
      </div>
    </form>
  );
}

function draftOf(supervisor: NewSupervisor): SupervisorDraft {
  const { name, email, phone, certificationLevel, company, role } = supervisor;
  const others = { phone: phone ?? "", certificationLevel: certificationLevel ?? "", company: company ?? "" };
  return { name, email, ...others, role: role ?? "" };
}

/** Asks for confirmation before a supervisor is deleted. */
export function DeleteSupervisorDialog({ supervisor: { id, name, company, role } }: { supervisor: Supervisor }) {
  const path = `/supervisors/${id}`;
  return (
    <Dialog title="Delete Supervisor" closeHref={path}>
      <p>
        <b>{name}</b>, {company ?? role}
      </p>
      <p>
        Records that they have verified keep their name. Links that you sent them still work: to end a link, withdraw
        the request on the record's page.
      </p>
      <form method="post" action={`${path}/delete`} className="row">
        <a href={path}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete Supervisor
        </button>
      </form>
    </Dialog>
  );
}
