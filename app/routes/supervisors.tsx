import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { SupervisorForm } from "#app/supervisors/supervisor-form.tsx";
import { listSupervisors, type Supervisor } from "#app/supervisors/supervisors.server.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Supervisors · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user, supervisors } = await requireUser(context, (owner, db) => ({
    supervisors: listSupervisors(db, owner, { on: "page" }),
  }));
  return { user, supervisors, formAction: `/supervisors/new/${crypto.randomUUID()}` };
});

export default function Supervisors() {
  const { supervisors, formAction } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/supervisors">
      <h1>Supervisors</h1>
      {/* Above the list and closed, so that it is at hand however long the list is. */}
      <details open={supervisors.length === 0}>
        <summary>Add a supervisor</summary>
        <SupervisorForm action={formAction} reply={null} />
      </details>
      <SupervisorList supervisors={supervisors} />
    </SignedInLayout>
  );
}

/** The technician's supervisors. Each name links to the page that changes or deletes it. */
function SupervisorList({ supervisors }: { supervisors: Supervisor[] }) {
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
