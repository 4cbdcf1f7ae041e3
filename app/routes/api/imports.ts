import { z } from "zod";
import { AppError } from "#app/errors.ts";
import { KIND_MESSAGE, kindListed } from "#app/records/kinds.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { createImport } from "#app/transfer/change-import.server.ts";
import { checkedText, decodeText } from "#app/transfer/decode.ts";

/** The one call that takes a file as it is. */
export const handle = { heavy: true, accepts: "text/csv" } satisfies RouteHandle;

const bodySchema = z.object({ text: z.string({ error: "text is required" }) }, { error: "Send text, or text/csv" });

export const action = api({
  async POST({ request, context }) {
    const view = await createImport(context, async () => {
      const kind = kindListed(new URL(request.url).searchParams.get("kind"));
      if (!kind) throw new AppError("invalid", KIND_MESSAGE);
      const isJson = request.headers.get("Content-Type")?.trim().toLowerCase().startsWith("application/json");
      const text = isJson
        ? checkedText((await readJson(request, bodySchema)).text)
        : decodeText(new Uint8Array(await request.arrayBuffer()));
      return { kind, text };
    });
    return Response.json(view, { status: 201 });
  },
});
