import type { FieldMetadata } from "@conform-to/react";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { asText, Field } from "#app/forms/field.tsx";
import type { NewSupervisor } from "#app/supervisors/supervisor.schema.ts";
import type { Supervisor } from "./supervisors.server.ts";

export type SupervisorDraft = Record<keyof NewSupervisor, string>;

interface SupervisorFieldsProps {
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

export type ChoiceDraft = SupervisorDraft & {
  /** The id of a saved supervisor, or `new`. */
  supervisor: string;
};

interface SupervisorChoiceProps {
  supervisors: Supervisor[];
  fields: SupervisorFieldsProps["fields"] & Record<"supervisor", SupervisorFieldsProps["fields"]["name"]>;
  firstInvalid: string | undefined;
}

/**
 * The choice of a saved supervisor, with a new one last. The style sheet shows the new supervisor's fields while that is
 * chosen.
 */
export function SupervisorChoice({ supervisors, fields, firstInvalid }: SupervisorChoiceProps) {
  const { supervisor, email } = fields;
  const chosen = asText(supervisor.initialValue);
  // A saved supervisor can have an invalid address too: the technician's own, which they have changed since.
  const errors = supervisor.errors ?? (chosen === "new" ? undefined : email.errors);
  return (
    <fieldset aria-describedby={errors && supervisor.errorId}>
      <legend>Supervisor</legend>
      <div className="choices">
        {supervisors.map(({ id, name, company, email }) => (
          <label key={id} className="choice">
            <input type="radio" name={supervisor.name} value={id} defaultChecked={chosen === String(id)} />
            <span>
              <b>{name}</b> <span className="hint">{`${company}, ${email}`}</span>
            </span>
          </label>
        ))}
        <label className="choice">
          <input type="radio" name={supervisor.name} value="new" defaultChecked={chosen === "new"} />
          <span>New supervisor</span>
        </label>
      </div>
      {errors && (
        <p className="wrong" id={supervisor.errorId}>
          {errors[0]}
        </p>
      )}
      <div className="new-supervisor">
        <SupervisorFields fields={fields} firstInvalid={firstInvalid} />
      </div>
    </fieldset>
  );
}
