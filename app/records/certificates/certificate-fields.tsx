import { type SubmissionResult, useForm } from "@conform-to/react";
import { CATEGORIES, LEVELS, METHODS } from "#app/db/enumerations.ts";
import { Field, NumberField, SelectField } from "#app/forms/field.tsx";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel } from "#app/records/kind.ts";
import { type Certificate, LABELS, PARTS } from "./certificate.kind.ts";
import { STANDARDS } from "./standards.ts";

type Draft = Partial<Record<keyof typeof LABELS, string>>;

interface CertificateFieldsProps {
  /** Null for a new one. */
  record: Certificate | null;
  /** The server's answer to the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/** The fields of a certificate or test. The style sheet hides those that the chosen category does not have. */
export function CertificateFields({ record, reply }: CertificateFieldsProps) {
  const [, fields] = useForm<Draft>({ id: "edit-record", lastResult: reply, defaultValue: draftOf(record) });
  const focus = Object.keys(reply?.error ?? {})[0];
  const about = (name: keyof Draft, isOptional = false) => ({
    field: fields[name],
    label: isOptional ? `${LABELS[name]} (Optional)` : LABELS[name],
    autoFocus: focus === name,
  });
  const { category } = fields;
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
        <SelectField {...about("method", true)} choices={METHODS.map((method) => [method, methodLabel(method)])} />
        <SelectField {...about("level", true)} choices={LEVELS.map((level) => [level, level])} />
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
      <div className="pair">
        <Field {...about("issuedOn")} type="date" />
        <Field {...about("expiresOn", true)} type="date" />
      </div>
      <div className="of-others">
        <Field {...about("originalLocation", true)} />
      </div>
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

function draftOf(record: Certificate | null): Draft {
  if (!record) return { category: "certificate" };
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[];
  return Object.fromEntries(names.map((name) => [name, record[name] === null ? "" : String(record[name])]));
}
