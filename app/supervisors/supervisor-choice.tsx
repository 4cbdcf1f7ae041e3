import { asText } from "#app/forms/field.tsx";
import { type SupervisorDraft, SupervisorFields, type SupervisorFieldsProps } from "./supervisor-fields.tsx";
import type { Supervisor } from "./supervisors.server.ts";

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
