import { requireUser } from "#app/accounts/access.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { createSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { supervisorSchema } from "#app/supervisors/supervisor.schema.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";

const calls = api({
  async GET({ context }) {
    const { supervisors } = await requireUser(context, (owner, db) => ({ supervisors: listSupervisors(db, owner) }));
    return Response.json(supervisors);
  },

  async POST({ request, context }) {
    const read = () => readJson(request, supervisorSchema);
    return Response.json(await createSupervisor(context, read, idempotencyKey(request)), { status: 201 });
  },
});

export { calls as action, calls as loader };
