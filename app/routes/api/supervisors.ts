import { requireUser } from "#app/accounts/access.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { answerList, idListSchema, LIST_MAX } from "#app/server/list.server.ts";
import { createSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { supervisorSchema } from "#app/supervisors/supervisor.schema.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";

const calls = api({
  GET: ({ request, context }) =>
    answerList(
      { request, context },
      {
        schema: idListSchema(LIST_MAX),
        access: requireUser,
        read: async (query) => {
          const { supervisors } = await requireUser(context, (owner, db) => ({
            supervisors: listSupervisors(db, owner, query),
          }));
          return supervisors;
        },
        cursorOf: ({ id }) => id,
      },
    ),

  async POST({ request, context }) {
    const read = () => readJson(request, supervisorSchema);
    return Response.json(await createSupervisor(context, read, idempotencyKey(request)), { status: 201 });
  },
});

export { calls as action, calls as loader };
