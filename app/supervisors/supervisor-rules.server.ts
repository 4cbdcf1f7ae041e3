import { emailRule, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import type { TextRule } from "#app/forms/field-rules.ts";
import { type NewSupervisor, supervisorSchema } from "./supervisor.schema.ts";

export type SupervisorRules = Record<keyof NewSupervisor, TextRule>;

const { name, email, phone, certificationLevel, company } = supervisorSchema.shape;

/** The supervisor schema's limits and messages, for checks in the browser. */
export const supervisorRules: SupervisorRules = {
  name: textRule(name),
  email: emailRule(email),
  phone: textRule(phone),
  certificationLevel: requiredRule(certificationLevel),
  company: textRule(company),
};
