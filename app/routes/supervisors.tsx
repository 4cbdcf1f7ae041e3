import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";
import { NewSupervisorForm, SupervisorList } from "#app/supervisors/supervisors-screen.tsx";

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
        <NewSupervisorForm action={formAction} reply={null} />
      </details>
      <SupervisorList supervisors={supervisors} />
    </SignedInLayout>
  );
}
