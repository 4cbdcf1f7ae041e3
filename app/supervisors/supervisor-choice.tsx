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
  /** Whether a role can be enough, because the supervisor may confirm training and certificates alone. */
  hasRole?: boolean;
  /** Whether a role is enough, because no record is of hours. */
  isRoleEnough?: boolean;
}

export function SupervisorFields({ fields, firstInvalid, hasRole, isRoleEnough }: SupervisorFieldsProps) {
  const { name, email, phone, certificationLevel, company, role } = fields;
  const optionalIf = (isOptional: boolean | undefined, label: string) => (isOptional ? `${label} (Optional)` : label);
  const labelOf = (label: string) => optionalIf(isRoleEnough, label);
  const roleField = (
    <Field
      field={role}
      label={optionalIf(!isRoleEnough, "Role")}
      hint={
        isRoleEnough
          ? "Such as instructor, examiner or optician"
          : "For an instructor, the role is enough: leave phone, level and company empty."
      }
      autoComplete="off"
      autoFocus={role.name === firstInvalid}
    />
  );
  const focus = (field: { name: string }) => ({ autoFocus: field.name === firstInvalid });
  return (
    <>
      <Field field={name} label="Name" autoComplete="off" {...focus(name)} />
      <Field field={email} label="Email" type="email" autoComplete="off" {...focus(email)} />
      {isRoleEnough && roleField}
      <Field field={phone} label={labelOf("Phone")} type="tel" autoComplete="off" {...focus(phone)} />
      <Field
        field={certificationLevel}
        label={labelOf("Certification Level")}
        control={(attributes) => (
          <select {...attributes} defaultValue={asText(certificationLevel.initialValue)} {...focus(certificationLevel)}>
            <option value="">Select level</option>
            {CERTIFICATION_LEVELS.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        )}
      />
      <Field field={company} label={labelOf("Company")} autoComplete="off" {...focus(company)} />
      {hasRole && !isRoleEnough && roleField}
    </>
  );
}

export type ChoiceDraft = SupervisorDraft & {
  /** The id of a saved supervisor, or `new`. */
  supervisor: string;
  /** The error of a saved one who lacks what the records need. */
  supervisorId?: string;
};

/** A supervisor to choose. */
export interface SupervisorToAsk extends Supervisor {
  /** They said that they do not know the technician; `closed`: from their mailbox, to which the account sends no emails. */
  stranger?: "said" | "closed";
  /** The facts that the records require and they lack, in words; empty if none. */
  lacks: string;
}

/** A supervisor whom a shift card names (app/records/entry/shift-card.ts). */
export type NamedSupervisor = Partial<Record<keyof SupervisorDraft, string>>;

/** What a form begins with: the supervisor `named`, of the list or new, else the first choice. */
export function firstDraft(supervisors: SupervisorToAsk[], named: NamedSupervisor | null = null): Partial<ChoiceDraft> {
  if (!named) return { supervisor: firstChoice(supervisors) };
  const isNamed = ({ name, email }: SupervisorToAsk) => (named.email ? email === named.email : name === named.name);
  const known = supervisors.find(isNamed);
  return known ? { supervisor: String(known.id) } : { supervisor: "new", ...named };
}

/** The choice to begin with: the first supervisor who knows the technician and can verify the records, or a new one. */
export function firstChoice(supervisors: SupervisorToAsk[]): string {
  return String(supervisors.find(({ stranger, lacks }) => !stranger && !lacks)?.id ?? "new");
}

interface SupervisorChoiceProps extends SupervisorFieldsProps {
  supervisors: SupervisorToAsk[];
  fields: SupervisorFieldsProps["fields"] &
    Record<"supervisor" | "supervisorId", SupervisorFieldsProps["fields"]["name"]>;
}

/**
 * The choice of a saved supervisor, with a new one last. The style sheet shows the new supervisor's fields while that is
 * chosen.
 */
export function SupervisorChoice({ supervisors, fields, ...others }: SupervisorChoiceProps) {
  const { supervisor, supervisorId, email } = fields;
  const chosen = asText(supervisor.initialValue);
  // A saved supervisor can have an invalid address too: the technician's own, which they have changed since.
  const errors = supervisor.errors ?? supervisorId.errors ?? (chosen === "new" ? undefined : email.errors);
  return (
    <fieldset aria-describedby={errors && supervisor.errorId}>
      <legend>Supervisor</legend>
      {errors && (
        <p className="wrong" id={supervisor.errorId}>
          {errors[0]}
        </p>
      )}
      <div className="to-ask">
        {supervisors.map(({ id, name, company, role, email, stranger, lacks }) => (
          <label key={id} className="choice">
            <input
              type="radio"
              name={supervisor.name}
              value={id}
              defaultChecked={chosen === String(id)}
              autoFocus={Boolean(errors) && chosen === String(id)}
            />
            <span>
              <b>{name}</b> <span className="hint">{`${company ?? role}, ${email}`}</span>
              {stranger && (
                <span className="hint">
                  {`Said that they do not know you${stranger === "closed" ? ": no email goes to them, only the link" : ""}`}
                </span>
              )}
              {lacks && <span className="hint">{`Cannot verify hours yet. Under Supervisors, add: ${lacks}`}</span>}
            </span>
          </label>
        ))}
        <label className="choice">
          <input type="radio" name={supervisor.name} value="new" defaultChecked={chosen === "new"} />
          <span>New supervisor</span>
        </label>
      </div>
      <div className="new-supervisor">
        <SupervisorFields fields={fields} {...others} />
      </div>
    </fieldset>
  );
}
