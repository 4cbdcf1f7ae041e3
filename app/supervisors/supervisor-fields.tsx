import type { FieldMetadata } from "@conform-to/react";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { asText, Field } from "#app/forms/field.tsx";
import type { NewSupervisor } from "./supervisor.schema.ts";

export type SupervisorDraft = Record<keyof NewSupervisor, string>;

export interface SupervisorFieldsProps {
  fields: Record<
    keyof SupervisorDraft,
    Pick<FieldMetadata<string>, "id" | "name" | "errors" | "errorId" | "initialValue" | "required">
  >;
  /** The first field with an error, which gets the focus. */
  firstInvalid: string | undefined;
}

export function SupervisorFields({ fields, firstInvalid }: SupervisorFieldsProps) {
  const { name, email, phone, certificationLevel, company } = fields;
  const focus = (field: { name: string }) => ({ autoFocus: field.name === firstInvalid });
  return (
    <>
      <Field field={name} label="Name" autoComplete="off" {...focus(name)} />
      <Field field={email} label="Email" type="email" autoComplete="off" {...focus(email)} />
      <Field field={phone} label="Phone" type="tel" autoComplete="off" {...focus(phone)} />
      <Field
        field={certificationLevel}
        label="Certification Level"
        control={(attributes) => (
          <select {...attributes} defaultValue={asText(certificationLevel.initialValue)} {...focus(certificationLevel)}>
            <option value="">Select level</option>
            {CERTIFICATION_LEVELS.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        )}
      />
      <Field field={company} label="Company" autoComplete="off" {...focus(company)} />
    </>
  );
}
