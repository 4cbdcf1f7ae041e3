import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { requireSameUser } from "#app/accounts/same-user.server.ts";
import { withNestedDetails } from "#app/records/details.ts";
import { answerRecords } from "#app/records/list-call.server.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { ropeHoursSchema } from "#app/records/rope-hours/rope-hours.schema.ts";
import { addRopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { api, idempotencyKey, readJson } from "#app/server/api.server.ts";

const calls = api({
  GET: (args) => answerRecords(args, ropeHoursKind),

  async POST({ request, context }) {
    const { user } = await requireUser(context);
    requireSameUser(request, user);
    const record = await readJson(request, z.preprocess(withNestedDetails, ropeHoursSchema));
    const key = idempotencyKey(request);
    const { ropeHours } = await addRopeHours(context.db, user.id, record, key, context.now);
    return Response.json(ropeHours, { status: 201 });
  },
});

export { calls as action, calls as loader };
