import { type FieldMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import { LEVELS, METHODS, type Method, type TargetUnit } from "#app/db/enumerations.ts";
import { asText, Field, NumberField, SelectField } from "#app/forms/field.tsx";
import { KINDS } from "#app/records/all-kinds.ts";
import { PARTS } from "#app/records/certificates/certificate.kind.ts";
import { STANDARD_LIST, StandardList } from "#app/records/edit-fields.tsx";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel, hasDetail, hasField } from "#app/records/kind.ts";
import { Alert } from "#app/ui/page.tsx";
import type { Target, TargetItem } from "./targets.table.ts";

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

/** The form of a target, where all values are text and each method is a box of its own. */

type ItemDraft = Partial<Record<Method, string>> & {
  title: string;
  /** What is counted, `hours entry`, and for some its category: `valid certificate near_vision`. */
  measure: string;
  required: string;
  clause: string;
  part: string;
  level: string;
  withinYears: string;
  workedAs: string;
  standard: string;
};

// Not an interface: Conform wants an index signature.
export type TargetDraft = {
  title: string;
  standard: string;
  edition: string;
  since: string;
  source: string;
  items: ItemDraft[];
};

/** What an item can count, in the words of the form: unit, kind, and a category where it is part of the choice. */
const MEASURES: readonly (readonly [value: string, label: string])[] = [
  ["hours entry", "OJT hours"],
  ["days entry", "Days of 7 OJT hours"],
  ["months entry", "Months with OJT hours"],
  ["hours rope_hour", "Rope hours"],
  ["hours rope_hour work", "Rope hours, training left out"],
  ["months rope_hour", "Months with rope hours"],
  ["hours training", "Hours of training"],
  ["days training", "Days of 7 hours of training"],
  ["score certificate", "Score of a part of an examination"],
  ["average certificate", "Composite of all parts"],
  ["valid certificate near_vision", "A valid near vision test"],
  ["valid certificate colour_vision", "A valid colour vision test"],
  ["valid certificate certificate", "A valid certificate"],
  ["elapsedMonths certificate certificate", "Months since the certificate was issued"],
];

export const NEW_ITEM = {
  ...{ title: "", measure: "hours entry", required: "", clause: "" },
  ...{ part: "", level: "", withinYears: "", workedAs: "", standard: "" },
} satisfies ItemDraft;

/** A form with the values of a target, or of a preset. */
export function draftOf(target: Omit<Target, "id" | "createdAt">): TargetDraft {
  const { title, standard, edition, since, source, items } = target;
  return { title, standard, edition, since: since ?? "", source, items: items.map(itemDraftOf) };
}

function itemDraftOf(item: TargetItem): ItemDraft {
  const { title, unit, kind, required, clause, methods, category, part, level, withinYears, workedAs, standard } = item;
  const boxes = Object.fromEntries(methods.map((method) => [method, "on"]));
  return {
    ...{ title, measure: [unit, kind, category].filter(Boolean).join(" "), required: String(required / 100), clause },
    ...{ part: part ?? "", level: level ?? "", withinYears: String(withinYears ?? "") },
    ...{ workedAs: workedAs ?? "", standard: standard ?? "" },
    ...boxes,
  };
}

/** The units in which records of the last years alone cannot be asked for. */
export const UNITS_OF_ALL_YEARS: readonly TargetUnit[] = ["score", "average", "elapsedMonths"];

/** An item as the schema reads it. What its measure does not have is ignored: without script those inputs stay. */
export function itemFromDraft(row: unknown): unknown {
  const draft = (row ?? {}) as Partial<Record<keyof ItemDraft, unknown>>; // a row of `readForm`
  const measure = MEASURES.find(([value]) => value === draft.measure)?.[0];
  const [unit, name, category = null] = measure?.split(" ") ?? [];
  const kind = KINDS.find((kind) => kind.name === name);
  const isVision = category?.endsWith("vision");
  const { title, clause, required, part, level, withinYears, workedAs, standard } = draft;
  const methods =
    (kind && !hasField(kind, "method")) || isVision ? [] : METHODS.filter((method) => draft[method] === "on");
  const has = (field: string) => kind && hasField(kind, field) && !isVision;
  return {
    ...{ title, clause, unit, kind: name, methods, category },
    required: unit === "valid" ? 1 : required,
    part: unit === "score" ? part || null : null,
    level: has("level") ? level || null : null,
    withinYears: UNITS_OF_ALL_YEARS.some((one) => one === unit) ? null : withinYears,
    workedAs: kind && hasDetail(kind, "workedAs") ? workedAs || null : null,
    standard: has("standard") ? standard : null,
  };
}
