import { sql } from "drizzle-orm";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { date, id, message, target, targetItem } from "#app/api/answers.ts";
import { api, endpoints, listOf } from "#app/api/endpoint.server.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import {
  addTarget,
  changeTarget,
  deleteTarget,
  findTarget,
  parseNewTarget,
  TARGETS_MAX,
  targetQueries,
  targetsFromRows,
} from "#app/certification/own-targets.server.ts";
import { CONFIDENCES } from "#app/certification/presets/preset.ts";
import { shownPresets, TARGET_PRESETS } from "#app/certification/presets/presets.ts";
import { progressFromRows, progressQueries } from "#app/certification/progress.server.ts";
import { PART_STATES, PARTS, progressOf } from "#app/certification/progress.ts";
import { shownProgress, shownTarget, targetSchema } from "#app/certification/target.schema.ts";
import { TARGET_UNITS } from "#app/db/enumerations.ts";
import { idListSchema } from "#app/server/query.ts";

const preset = z
  .object({
    preset: z.string(),
    title: z.string(),
    standard: z.string(),
    edition: z.string(),
    items: z.array(targetItem.extend({ source: z.string(), confidence: z.enum(CONFIDENCES) })),
    notes: z.array(z.string()),
    notice: z.string(),
  })
  .meta({ id: "Preset" });

const progress = z
  .object({
    target: z.object({ id, title: z.string() }),
    parts: z.array(z.object({ part: z.enum(PARTS), state: z.enum(PART_STATES), endsOn: date.nullable() })),
    items: z.array(
      z.object({
        title: z.string(),
        unit: z.enum(TARGET_UNITS),
        required: z.number(),
        verified: z.number(),
        waiting: z.number(),
        requested: z.number(),
        pending: z.number(),
        remaining: z.number(),
        estimate: date.nullable(),
        endsOn: date.nullable(),
        notCounted: z.array(z.object({ reason: z.string(), records: z.int(), hours: z.number() })),
      }),
    ),
  })
  .meta({ id: "Progress" });

/** Which day is the last that counts is decided at each call; here only the form of the body matters. */
const targetBody = targetSchema(new Date(0));

const calls = endpoints(
  { name: "Targets", description: "The figures that a technician wants to reach, and how far they are." },
  api("/api/targets", {
    access: "user",
    heavy: "reads",
    GET: listOf({
      summary: `The user's targets, newest first, at most ${TARGETS_MAX}`,
      query: idListSchema(TARGETS_MAX),
      item: target,
      async read({ before = Number.MAX_SAFE_INTEGER }, context) {
        const { user: _, ...answers } = await requireUser(context, (owner, db) =>
          targetQueries(db, owner, sql`user_id = ${owner} AND id < ${before}`),
        );
        return targetsFromRows(answers);
      },
      cursorOf: ({ id }) => id,
      show: shownTarget,
    }),
    POST: {
      summary: "Add a target: a preset, or one's own",
      hasKey: true,
      body: z.unknown(),
      sent: z.union([z.object({ preset: z.enum(TARGET_PRESETS.map(({ preset }) => preset)) }), targetBody]),
      status: 201,
      answer: target,
      errors: ["account_full"],
      async run({ body, key, context }) {
        const { db, now, isApi } = context;
        const { user } = await requireUser(context);
        return shownTarget(await addTarget(db, user.id, parseNewTarget(body, now), { key, now, isApi }));
      },
    },
  }),
  api("/api/targets/{id}", {
    access: "user",
    GET: {
      summary: "A target",
      answer: target,
      run: async ({ id, context }) => shownTarget((await findTarget(context, id)).target),
    },
    PATCH: {
      summary: "Change a target; items that are sent replace all of them",
      body: z.unknown(),
      sent: targetBody.partial(),
      answer: target,
      before: ({ id, context }) => findTarget(context, id),
      run: async ({ id, body, context }) => shownTarget(await changeTarget(context, id, body)),
    },
    DELETE: {
      summary: "Delete a target; no record changes",
      answer: message,
      async run({ id, context }) {
        await deleteTarget(context, id);
        return { message: "Target deleted" };
      },
    },
  }),
  api("/api/target-presets", {
    access: "user",
    GET: {
      summary: "Targets to copy, with the source of each figure",
      answer: z.array(preset),
      async run({ context }) {
        await requireUser(context);
        return shownPresets();
      },
    },
  }),
  api("/api/progress", {
    access: "user",
    heavy: true,
    GET: {
      summary: "How far each target is",
      answer: z.array(progress),
      async run({ context }) {
        const today = toCalendarDate(context.timeZone, context.now);
        const { user: _, ...answers } = await requireUser(context, (owner, db) =>
          progressQueries(db, owner, { today }),
        );
        const { targets, rows } = progressFromRows(answers);
        return (await progressOf(targets, rows, today)).map(shownProgress);
      },
    },
  }),
);

export { calls as action, calls as loader };
