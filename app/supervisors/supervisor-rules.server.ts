import type { TextRule } from "#app/forms/field-rules.ts";
import { emailRule, optionalRule, textRule } from "#app/forms/fields.ts";
import { NEEDED_MESSAGES, type NewSupervisor, type SupervisorNeed, supervisorShape } from "./supervisor.schema.ts";

export type SupervisorRules = Record<keyof NewSupervisor, TextRule>;

const { name, email, ...others } = supervisorShape;

/** The supervisor schema's limits and messages, for checks in the browser. `needs` are the fields that must be filled in. */
export function supervisorRules(needs: readonly SupervisorNeed[]): SupervisorRules {
  const rule = (field: SupervisorNeed): TextRule => ({
    ...(needs.includes(field) && { required: NEEDED_MESSAGES[field] }),
    ...(field !== "certificationLevel" && optionalRule(others[field])),
  });
  return {
    name: textRule(name),
    email: emailRule(email),
    phone: rule("phone"),
    certificationLevel: rule("certificationLevel"),
    company: rule("company"),
    role: rule("role"),
  };
}
