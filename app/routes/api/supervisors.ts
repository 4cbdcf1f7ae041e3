import { requireUser } from "#app/accounts/access.server.ts";
import { listEarlierAddresses } from "#app/accounts/earlier-addresses.server.ts";
import { batch } from "#app/db/client.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { supervisorSchema } from "#app/supervisors/supervisor.schema.ts";
import { addSupervisor, listSupervisors, refuseEarlierAddress } from "#app/supervisors/supervisors.server.ts";

const calls = api({
  async GET({ context }) {
    const { supervisors } = await requireUser(context, (owner, db) => ({ supervisors: listSupervisors(db, owner) }));
    return Response.json(supervisors);
  },

  async POST({ request, context }) {
    const { user, earlier } = await requireUser(context, (owner, db) => ({
      earlier: listEarlierAddresses(db, owner),
    }));
    const supervisor = await readJson(request, supervisorSchema);
    refuseEarlierAddress(context, { id: user.id, earlier }, supervisor);
    const key = idempotencyKey(request);
    const { inserted, stored } = await batch(context.db, addSupervisor(context.db, user, supervisor, key, context.now));
    return Response.json(inserted[0] ?? stored[0], { status: 201 });
  },
});

export { calls as action, calls as loader };
