import { api } from "#app/server/api.server.ts";
import { exportJson } from "#app/transfer/export-json.server.ts";

export const loader = api({ GET: ({ context }) => exportJson(context) });
