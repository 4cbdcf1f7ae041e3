import { requireUser } from "#app/accounts/access.server.ts";
import { createExport, newExportSchema } from "#app/proof/create-export.server.ts";
import { exportJson } from "#app/proof/export-form.server.ts";
import { listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";
import { answerList, idListSchema, SHORT_LIST_MAX } from "#app/server/list.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true } satisfies RouteHandle;

const calls = api({
  GET: ({ request, context }) =>
    answerList(
      { request, context },
      {
        schema: idListSchema(SHORT_LIST_MAX),
        access: requireUser,
        read: async (query) => {
          const { exports } = await requireUser(context, (owner, db) => ({ exports: listExports(db, owner, query) }));
          return exports;
        },
        cursorOf: ({ id }) => id,
        show: (row) => listedExport(context, row),
      },
    ),

  async POST({ request, context }) {
    const choose = async () => ({ ...(await readJson(request, newExportSchema)), key: idempotencyKey(request) });
    return Response.json(exportJson(await createExport(context, choose)), { status: 201 });
  },
});

export { calls as action, calls as loader };
