import { z } from "zod";
import { api, parseId, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { changeImport, parseChange } from "#app/transfer/change-import.server.ts";
import { undoImport } from "#app/transfer/undo-import.server.ts";

export const handle = { heavy: true } satisfies RouteHandle;

export const action = api({
  async PATCH({ request, params, context }) {
    let sent: Promise<unknown> | undefined;
    const read = () => (sent ??= readJson(request, z.unknown()));
    return Response.json(
      await changeImport(context, parseId(params.id), async (row) => parseChange(row, await read())),
    );
  },

  async DELETE({ params, context }) {
    return Response.json(await undoImport(context, parseId(params.id)));
  },
});
