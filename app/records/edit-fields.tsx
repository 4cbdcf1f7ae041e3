import { type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { CATEGORIES, LEVELS } from "#app/db/enumerations.ts";
import { Field, type Input, InputField, NumberField, SelectField } from "#app/forms/field.tsx";
import type { Entry } from "#app/records/entry/entry.kind.ts";
import { FILL_IN, type RopeHours } from "#app/records/rope-hours/rope-hours.kind.ts";
import {
  BASES,
  BASIS_TEXTS,
  type Certificate,
  CORRECTED,
  certificateKind,
  LABELS,
  PARTS,
} from "./certificates/certificate.kind.ts";
import { STANDARDS } from "./certificates/standards.ts";
import { DetailFields } from "./detail-fields.tsx";
import { ENTRY_DETAILS, formDetails, ROPE_DETAILS } from "./details.ts";
import { ENTRY_INPUTS, type EntryDraft, METHOD_CHOICES } from "./entry/entry-rules.ts";
import { choiceLabel, type Kind, type ShownRecord } from "./kind.ts";
import { RopeFields } from "./rope-hours/rope-fields.tsx";
import { periodHint, ROPE_INPUTS, type RopeHoursDraft } from "./rope-hours/rope-rules.ts";
import type { Training } from "./training/training.kind.ts";

interface FieldsOf<Row> {
  record: Row;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/** The inputs of each kind. A method, as those of `Kind`, takes the records of one kind. */
const INPUTS: { [kind: string]: { Inputs(props: FieldsOf<ShownRecord | null>): ReactNode } } = {
  entry: { Inputs: EntryFields },
  rope_hour: { Inputs: RopeHoursFields },
  training: { Inputs: TrainingFields },
  certificate: { Inputs: CertificateFields },
};

/**
 * The inputs of the page that edits a record, with its values or those that were sent; without a record those of a new
 * training or certificate. New hours have a form of their own. They are no part of `Kind`, which a server's call and an email need
 * without any form.
 */
export function EditFields({ kind, ...props }: FieldsOf<ShownRecord | null> & { kind: Kind }) {
  const found = INPUTS[kind.name];
  if (!found) throw new Error(`records of the kind ${kind.name} cannot be edited`);
  return <found.Inputs {...props} />;
}

function EntryFields({ record, reply }: FieldsOf<Entry>) {
  const defaultValue = { ...draftOf(ENTRY_INPUTS, record), details: record.details };
  const [, fields] = useForm<EntryDraft>({ id: "edit-record", lastResult: reply, defaultValue });
  const focus = firstWrong(reply);
  return (
    <>
      {ENTRY_INPUTS.map((input) => (
        <InputField key={input.name} input={input} field={fields[input.name]} autoFocus={input.name === focus} />
      ))}
      <DetailFields details={ENTRY_DETAILS} fields={fields.details.getFieldset()} focus={focus} />
    </>
  );
}

function RopeHoursFields({ record, reply }: FieldsOf<RopeHours>) {
  const defaultValue = { ...draftOf(ROPE_INPUTS, record), details: record.details };
  const [, fields] = useForm<RopeHoursDraft>({ id: "edit-record", lastResult: reply, defaultValue });
  return <RopeFields fields={fields} details={formDetails(ROPE_DETAILS)} required={FILL_IN} reply={reply} />;
}

/** The inputs of a training. Two in a row are side by side. */
const TRAINING_ROWS = [
  [{ name: "course", label: "Training course" }],
  [
    { name: "organization", label: "Training provider" },
    { name: "instructor", label: "Instructor (Optional)" },
  ],
  [
    { name: "startDate", label: "Start Date", as: "date" },
    { name: "endDate", label: "End Date", as: "date" },
  ],
  [
    {
      name: "method",
      label: "NDT Method (Optional)",
      choices: METHOD_CHOICES,
    },
    { name: "level", label: "Level (Optional)", choices: LEVELS.map((level) => [level, level] as const) },
  ],
  [{ name: "hours", label: "Hours", as: "number", placeholder: "0.0" }],
] as const satisfies Input[][];

type TrainingDraft = Record<(typeof TRAINING_ROWS)[number][number]["name"], string>;

function TrainingFields({ record, reply }: FieldsOf<Training | null>) {
  const defaultValue = record && draftOf(TRAINING_ROWS.flat(), record);
  const [, fields] = useForm<TrainingDraft>({ id: "edit-record", lastResult: reply, defaultValue });
  const focus = firstWrong(reply);
  const { startDate, endDate, course, hours } = fields;
  const typed = { startDate: startDate.value, endDate: endDate.value, course: course.value, hours: hours.value };
  return TRAINING_ROWS.map((row) => {
    const inputs = row.map((input) => (
      <InputField
        key={input.name}
        input={input}
        field={fields[input.name]}
        autoFocus={input.name === focus}
        {...(input.name === "hours" && periodHint(typed))}
      />
    ));
    return row.length === 1 ? (
      inputs
    ) : (
      <div key={row[0].name} className="pair">
        {inputs}
      </div>
    );
  });
}

type CertificateDraft = Partial<Record<keyof typeof LABELS, string>>;

/** The fields of a certificate or test. The style sheet hides those that the chosen category does not have. */
function CertificateFields({ record, reply }: FieldsOf<Certificate | null>) {
  const names = Object.keys(LABELS) as (keyof CertificateDraft)[];
  const defaultValue = record
    ? draftOf(
        names.map((name) => ({ name })),
        record,
      )
    : { category: "certificate" };
  const [, fields] = useForm<CertificateDraft>({ id: "edit-record", lastResult: reply, defaultValue });
  const focus = firstWrong(reply);
  const about = (name: keyof CertificateDraft, isOptional = false) => ({
    field: fields[name],
    label: isOptional ? `${LABELS[name]} (Optional)` : LABELS[name],
    autoFocus: focus === name,
  });
  const { category } = fields;
  const revocation = record && (
    <div className="of-certificate">
      <p className="hint">
        A revoked certificate stays in your log, counts for nothing from that day on, and is not renewed.
      </p>
      <div className="pair">
        <Field {...about("revokedOn", true)} type="date" />
        <Field {...about("revokedReason", true)} />
      </div>
    </div>
  );
  if (record?.verified) {
    return (
      <>
        {names
          .filter((name) => !certificateKind.fields.some((field) => field.name === name && field.isLater))
          .map((name) => (
            <input key={name} type="hidden" name={fields[name].name} value={fields[name].initialValue ?? ""} />
          ))}
        {revocation}
      </>
    );
  }
  return (
    <>
      <fieldset className="categories" aria-describedby={category.errors && category.errorId}>
        <legend>What is it?</legend>
        {CATEGORIES.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={category.name}
              value={value}
              defaultChecked={category.initialValue === value}
              autoFocus={focus === "category" && value === CATEGORIES[0]}
            />
            {choiceLabel(value)}
          </label>
        ))}
        {category.errors && (
          <p className="wrong" id={category.errorId}>
            {category.errors[0]}
          </p>
        )}
        <p className="hint for-other">
          A medical, BOSIET or H2S: its title and dates are kept for you alone, and no supervisor sees it.
        </p>
      </fieldset>
      <Field {...about("title")} hint="As printed on the paper" />
      <div className="pair of-method">
        <SelectField {...about("method", true)} choices={METHOD_CHOICES} />
        <SelectField {...about("level", true)} choices={LEVELS.map((level) => [level, level])} />
      </div>
      <div className="pair of-certificate">
        <SelectField {...about("basis", true)} choices={BASES.map((basis) => [basis, BASIS_TEXTS[basis]])} />
        <Field {...about("scope", true)} hint="Techniques, limitation or sector" />
      </div>
      <div className="pair of-examination">
        <SelectField {...about("part")} choices={PARTS.map((part) => [part, choiceLabel(part)])} />
        <NumberField {...about("score", true)} hint="0 to 100" />
        <NumberField {...about("attempt", true)} hint="1 for the first" inputMode="numeric" />
      </div>
      <div className="of-others">
        <StandardList />
        <div className="pair">
          <Field
            {...about("standard")}
            hint="Such as SNT-TC-1A; of a vision test, such as Jaeger 1"
            list={STANDARD_LIST}
          />
          <Field {...about("number", true)} />
        </div>
        <Field {...about("issuer")} />
      </div>
      <div className="pair of-vision">
        <Field {...about("administeredBy", true)} />
        <Field {...about("distance", true)} hint="Such as 40 cm" />
        <SelectField {...about("corrected", true)} choices={CORRECTED.map((one) => [one, choiceLabel(one)])} />
      </div>
      <div className="pair">
        <Field {...about("issuedOn")} type="date" />
        <Field {...about("expiresOn", true)} type="date" />
      </div>
      <div className="of-others">
        <Field {...about("originalLocation", true)} />
      </div>
      {revocation}
    </>
  );
}

/** The known standards, for the inputs with `list={STANDARD_LIST}`. */
export function StandardList() {
  return (
    <datalist id={STANDARD_LIST}>
      {STANDARDS.map((standard) => (
        <option key={standard} value={standard} />
      ))}
    </datalist>
  );
}

export const STANDARD_LIST = "standards";

/** The values of a record as they are typed. */
function draftOf<Name extends string>(inputs: readonly { name: Name }[], record: { [field: string]: unknown }) {
  return Object.fromEntries(inputs.map(({ name }) => [name, String(record[name] ?? "")])) as Record<Name, string>; // of each input
}

function firstWrong(reply: FieldsOf<unknown>["reply"]): string | undefined {
  return Object.keys(reply?.error ?? {})[0];
}
