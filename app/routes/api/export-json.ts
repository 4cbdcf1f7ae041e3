import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { exportJson } from "#app/transfer/export-json.server.ts";

export const handle = { heavy: true } satisfies RouteHandle;

export const loader = api({ GET: ({ context }) => exportJson(context) });
