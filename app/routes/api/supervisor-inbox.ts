import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { askForInbox, INBOX_ASKED } from "#app/verification/telling/inbox.server.ts";
import { inboxSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    const { email } = await readJson(request, inboxSchema);
    await askForInbox(context, email);
    return Response.json({ message: INBOX_ASKED });
  },
});
