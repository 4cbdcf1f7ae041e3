import { type FieldMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import { LEVELS, METHODS } from "#app/db/enumerations.ts";
import { asText, Field, NumberField, SelectField } from "#app/forms/field.tsx";
import { PARTS } from "#app/records/certificates/certificate.kind.ts";
import { STANDARD_LIST, StandardList } from "#app/records/certificates/certificate-fields.tsx";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel } from "#app/records/kind.ts";
import { Alert } from "#app/ui/page.tsx";
import { type ItemDraft, MEASURES, NEW_ITEM, type TargetDraft } from "./target-form.ts";

interface TargetFormProps {
  /** Where the form posts to, and the page to go back to. */
  action: string;
  draft: TargetDraft;
  /** The typed values and errors of the last attempt, or the form with an item added or removed. */
  reply: SubmissionResult<string[]> | null;
  /** Whether the page shows the figures of a preset and their source above the form, which can be saved as it is. */
  isOfPreset?: boolean;
}

/** A target and its items. Every button sends the form, so it needs no script. */
export function TargetForm({ action, draft, reply, isOfPreset = false }: TargetFormProps) {
  const [form, fields] = useForm<TargetDraft>({ id: "target", lastResult: reply, defaultValue: draft });
  const items = fields.items.getFieldList();
  const firstInvalid = reply?.status === "error" ? Object.keys(reply.error ?? {})[0] : undefined;
  const isMoved = reply?.intent?.type === "insert" || reply?.intent?.type === "remove";
  const focus = ({ name }: { name: string }) => ({ autoFocus: name === firstInvalid });
  const { title, standard, edition, since, source } = fields;
  const sinceField = (
    <>
      <Field field={since} label="Records Count From (Optional)" type="date" {...focus(since)} />
      <p className="hint wide">
        Records dated before this day do not count. For your next level, use the day of your certificate.
      </p>
    </>
  );
  const save = (
    <>
      <button type="submit" data-busy="Saving...">
        Save Target
      </button>
      <a href="/progress">Cancel</a>
    </>
  );
  const editor = (
    <>
      <div className="target-facts">
        <Field field={title} label="Title" {...focus(title)} />
        <StandardList />
        <Field field={standard} label="Standard (Optional)" list={STANDARD_LIST} {...focus(standard)} />
        {!isOfPreset && sinceField}
        {isOfPreset && <input type="hidden" name={source.name} defaultValue={asText(source.initialValue)} />}
        <Folded
          title={isOfPreset ? "Edition" : "Edition and source"}
          fields={isOfPreset ? [edition] : [edition, source]}
        >
          <Field field={edition} label="Edition (Optional)" {...focus(edition)} />
          {!isOfPreset && (
            <div className="wide">
              <Field
                field={source}
                label="Source (Optional)"
                control={(attributes) => (
                  <textarea {...attributes} rows={4} defaultValue={asText(source.initialValue)} {...focus(source)} />
                )}
              />
            </div>
          )}
        </Folded>
      </div>
      {items.map((item, index) => (
        <Item key={item.key} item={item} number={index + 1} isNew={isMoved && index === items.length - 1} focus={focus}>
          <button
            className="second"
            aria-label={`Remove item ${index + 1}`}
            disabled={items.length === 1}
            {...form.remove.getButtonProps({ name: fields.items.name, index })}
          >
            Remove
          </button>
        </Item>
      ))}
      <Alert message={fields.items.errors?.[0]} />
      <div className="row">
        <button className="second" {...form.insert.getButtonProps({ name: fields.items.name, defaultValue: NEW_ITEM })}>
          Add Another Item
        </button>
        {save}
      </div>
    </>
  );
  return (
    <form method="post" action={action} id={form.id} className="target-form" noValidate>
      {/* Enter in a field presses the form's first button, which must be Save. */}
      <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
        Save Target
      </button>
      {isOfPreset ? (
        <>
          <div className="target-facts">{sinceField}</div>
          <div className="row">{save}</div>
          <details>
            <summary>Change the title or the figures</summary>
            <div className="target-editor">{editor}</div>
          </details>
        </>
      ) : (
        editor
      )}
    </form>
  );
}

interface FoldedProps {
  title: string;
  fields: Pick<FieldMetadata<unknown>, "errors" | "initialValue">[];
  children: React.ReactNode;
}

/** Fields that few targets need, closed unless one is wrong. The title says how many are filled in. */
function Folded({ title, fields, children }: FoldedProps) {
  const filled = fields.filter(({ initialValue }) => asText(initialValue)).length;
  return (
    <details className="folded wide" open={fields.some(({ errors }) => errors?.length)}>
      <summary>{filled > 0 ? `${title} (${filled} filled in)` : title}</summary>
      <div>{children}</div>
    </details>
  );
}

interface ItemProps {
  item: FieldMetadata<ItemDraft>;
  number: number;
  /** Whether it gets the focus: it was just added, or the one after it was removed. */
  isNew: boolean;
  focus: (field: { name: string }) => { autoFocus: boolean };
  children: React.ReactNode;
}

function Item({ item, number, isNew, focus, children }: ItemProps) {
  const fields = item.getFieldset();
  const { title, measure, required, clause, part, level, withinYears, workedAs, standard } = fields;
  // The schema's messages for what the form puts together from several fields.
  const { methods, unit } = fields as unknown as Record<"methods" | "unit", FieldMetadata<unknown>>;
  const methodsError = methods.errors?.[0];
  return (
    <fieldset className="target-item">
      <legend>{`Item ${number}`}</legend>
      <div className="wide">
        <Field field={title} label="Title" autoFocus={isNew || focus(title).autoFocus} />
      </div>
      <NumberField field={required} label="Figure" {...focus(required)} />
      <Field
        field={{
          ...measure,
          id: measure.id,
          name: measure.name,
          initialValue: measure.initialValue,
          required: false,
          errors: unit.errors,
          errorId: unit.errorId,
        }}
        label="Counts"
        control={(attributes) => (
          <select {...attributes} defaultValue={asText(measure.initialValue)}>
            {MEASURES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      />
      <SelectField
        field={part}
        label="Part of the Examination"
        choices={PARTS.map((one) => [one, choiceLabel(one)] as const)}
        {...focus(part)}
      />
      <fieldset className="boxes" aria-describedby={methodsError && methods.errorId}>
        <legend>NDT Methods</legend>
        {METHODS.map((method) => (
          <label key={method}>
            <input
              type="checkbox"
              name={fields[method].name}
              defaultChecked={fields[method].initialValue === "on"}
              aria-invalid={methodsError ? true : undefined}
            />
            {methodLabel(method)}
          </label>
        ))}
        {methodsError && (
          <p className="wrong" id={methods.errorId}>
            {methodsError}
          </p>
        )}
      </fieldset>
      <Folded title="More about what counts" fields={[clause, level, workedAs, standard, withinYears]}>
        <Field field={clause} label="Clause (Optional)" {...focus(clause)} />
        <SelectField
          field={level}
          label="Level (Optional)"
          choices={LEVELS.map((one) => [one, one] as const)}
          {...focus(level)}
        />
        <SelectField
          field={workedAs}
          label="Worked As (Optional)"
          choices={LEVELS.map((one) => [one, one] as const)}
          {...focus(workedAs)}
        />
        <Field field={standard} label="Standard (Optional)" list={STANDARD_LIST} {...focus(standard)} />
        <NumberField field={withinYears} label="Of the Last Years (Optional)" {...focus(withinYears)} />
      </Folded>
      {children}
    </fieldset>
  );
}
