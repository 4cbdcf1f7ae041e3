import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { addTarget, parseNewTarget } from "#app/certification/own-targets.server.ts";
import { shownTarget } from "#app/certification/shown-target.ts";
import { targetQueries, targetsFromRows } from "#app/certification/target-queries.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";

const calls = api({
  async GET({ context }) {
    const { user: _, ...answers } = await requireUser(context, (owner, db) => targetQueries(db, owner));
    return Response.json(targetsFromRows(answers).map(shownTarget));
  },

  async POST({ request, context }) {
    const { db, now } = context;
    const { user } = await requireUser(context);
    const values = parseNewTarget(await readJson(request, z.unknown()), now);
    const target = await addTarget(db, user.id, values, { key: idempotencyKey(request), now });
    return Response.json(shownTarget(target), { status: 201 });
  },
});

export { calls as action, calls as loader };
