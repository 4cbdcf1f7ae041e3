import { messageFor, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import { HOURS_MAX } from "#app/records/hours.ts";
import { END_AFTER_START, ropeHoursSchema, SKILLS_MAX } from "./rope-hours.schema.ts";
import type { RopeHoursRules } from "./rope-rules.ts";

const { startDate, endDate, location, skills, hours } = ropeHoursSchema.shape;

/** The rope hours schema's limits and messages, for the browser. */
export const ropeHoursRules: RopeHoursRules = {
  text: {
    startDate: requiredRule(startDate),
    endDate: requiredRule(endDate),
    location: textRule(location),
    skills: textRule(skills, SKILLS_MAX),
  },
  endAfterStart: END_AFTER_START,
  hours: {
    required: messageFor(hours, ""),
    tooFew: messageFor(hours, -1),
    max: HOURS_MAX,
    tooMany: messageFor(hours, HOURS_MAX + 1),
  },
};
