import { z } from "zod";
import { targetSchema } from "#app/certification/target.schema.ts";
import { METHODS, TARGET_UNITS } from "#app/db/enumerations.ts";
import { date, id, instant, message } from "./answers.ts";
import { type DescribedCalls, MAKES, OWN } from "./call.ts";

const kind = z.enum(["entry", "rope_hour"]);

const item = z.object({
  ...{ title: z.string(), clause: z.string(), unit: z.enum(TARGET_UNITS), kind },
  ...{ methods: z.array(z.enum(METHODS)), required: z.number() },
});

export const target = z
  .object({
    ...{ id, title: z.string(), standard: z.string(), source: z.string(), since: date.nullable(), createdAt: instant },
    items: z.array(item),
  })
  .meta({ id: "Target" });

const preset = z
  .object({
    ...{ preset: z.string(), title: z.string(), standard: z.string() },
    items: z.array(item.extend({ source: z.string(), confidence: z.enum(["high", "medium"]) })),
    ...{ notes: z.array(z.string()), notice: z.string() },
  })
  .meta({ id: "Preset" });

const progress = z
  .object({
    target: z.object({ id, title: z.string() }),
    items: z.array(
      z.object({
        ...{ title: z.string(), unit: z.enum(TARGET_UNITS), required: z.number(), verified: z.number() },
        ...{ waiting: z.number(), remaining: z.number(), estimate: date.nullable() },
        notCounted: z.array(z.object({ reason: z.string(), records: z.int(), hours: z.number() })),
      }),
    ),
  })
  .meta({ id: "Progress" });

/** Which day is the last that counts is decided at each call; here only the form of the body matters. */
const targetBody = targetSchema(new Date(0));
const newTarget = z.union([z.object({ preset: z.string() }), targetBody]);

/** The calls of targets and progress. */
export const CERTIFICATION_CALLS: DescribedCalls = {
  "GET /api/targets": { summary: "The user's targets", ...OWN, answer: z.array(target) },
  "POST /api/targets": {
    summary: "Add a target",
    ...MAKES,
    body: newTarget,
    answer: target,
  },
  "PATCH /api/targets/{id}": { summary: "Change it", ...OWN, body: targetBody.partial(), answer: target },
  "DELETE /api/targets/{id}": { summary: "Delete a target", ...OWN, answer: message },
  "GET /api/target-presets": { summary: "Targets to copy", ...OWN, answer: z.array(preset) },
  "GET /api/progress": { summary: "How far each target is", ...OWN, answer: z.array(progress) },
};
