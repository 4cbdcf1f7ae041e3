import { requireUser } from "#app/accounts/access.server.ts";
import { createExport } from "#app/proof/create-export.server.ts";
import { newExportSchema } from "#app/proof/export.schema.ts";
import { exportJson } from "#app/proof/export-form.server.ts";
import { listExports, listedExport } from "#app/proof/own-exports.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";

const calls = api({
  async GET({ context }) {
    const { exports } = await requireUser(context, (owner, db) => ({ exports: listExports(db, owner) }));
    return Response.json(exports.map((row) => listedExport(context, row)));
  },

  async POST({ request, context }) {
    const choose = async () => ({ ...(await readJson(request, newExportSchema)), key: idempotencyKey(request) });
    return Response.json(exportJson(await createExport(context, choose)), { status: 201 });
  },
});

export { calls as action, calls as loader };
