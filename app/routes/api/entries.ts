import { requireUser } from "#app/accounts/access.server.ts";
import { requireSameUser } from "#app/accounts/same-user.server.ts";
import { addEntries } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { newEntriesSchema } from "#app/records/entry/entry.schema.ts";
import { answerRecords } from "#app/records/list-call.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";

const calls = api({
  GET: (args) => answerRecords(args, entryKind),

  async POST({ request, context }) {
    const { user } = await requireUser(context);
    requireSameUser(request, user);
    const list = await readJson(request, newEntriesSchema);
    const key = idempotencyKey(request);
    const { entries } = await addEntries(context.db, user.id, list, key, context.now);
    return Response.json(entries, { status: 201 });
  },
});

export { calls as action, calls as loader };
