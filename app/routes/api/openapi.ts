import { openApiDocument } from "#app/openapi/document.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public" } satisfies RouteHandle;

export const loader = api({
  async GET({ context }) {
    const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" };
    return new Response(openApiDocument(context.origin), { headers });
  },
});
