import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { page } from "#app/server/page.server.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";
import { SupervisorList } from "#app/supervisors/supervisors-screen.tsx";

export const meta: MetaFunction = () => [{ title: "Supervisors · Hours Tracker" }];

export const loader = page(({ context }) =>
  requireUser(context, (owner, db) => ({ supervisors: listSupervisors(db, owner) })),
);

export default function Supervisors() {
  const { supervisors } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/supervisors">
      <h1>Supervisors</h1>
      <SupervisorList supervisors={supervisors} />
    </SignedInLayout>
  );
}
