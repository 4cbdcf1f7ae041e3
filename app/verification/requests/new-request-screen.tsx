import { type SubmissionResult, useForm } from "@conform-to/react";
import { CATEGORIES } from "#app/db/enumerations.ts";
import { KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { filledText } from "#app/records/details.ts";
import { formatHours } from "#app/records/hours.ts";
import { countRecords, hasField, hundredthsOf, supervisorNeedsOf } from "#app/records/kind.ts";
import { isFiltering, type ListedFilter } from "#app/records/log-filter.ts";
import { LogFilterForm } from "#app/records/log-filter-form.tsx";
import { recordLine, TypedValues, Value } from "#app/records/record-facts.tsx";
import { Declined } from "#app/records/record-log.tsx";
import {
  type ChoiceDraft,
  firstChoice,
  SupervisorChoice,
  type SupervisorToAsk,
} from "#app/supervisors/supervisor-choice.tsx";
import { State } from "#app/ui/page.tsx";
import { addHundredths } from "#app/verification/sums.tsx";
import { ASKABLE, checkedKeys } from "#app/verification/verification.schema.ts";
import type { ChoiceFilter, Choosable } from "./new-page.server.ts";

/** Whether *Select all* means a record: not one that was declined and is as it was then. */
function isOffered({ decline }: Choosable): boolean {
  return decline === null;
}

/** The hours of some records by their method, in hundredths, or by their kind if it has no methods. The most come first. */
function sumsOf(records: Choosable[]): [label: string, hundredths: number][] {
  const sums = new Map<string, number>();
  for (const { kind: name, record } of records) {
    const kind = kindNamed(name);
    const { label, hundredths } = recordLine(kind, record);
    const key = label && "text" in label ? label.text : kind.texts.title;
    if (hundredths !== null) sums.set(key, (sums.get(key) ?? 0) + hundredths);
  }
  return [...sums].sort(([, one], [, other]) => other - one);
}

/** Of a document of the category `other` no supervisor is asked. */
const ASKED_CATEGORIES = CATEGORIES.filter((category) => category !== kindNamed("certificate").unasked?.subtype);

interface NewRequestScreenProps {
  supervisors: SupervisorToAsk[];
  records: Choosable[];
  filter: ChoiceFilter;
  /** Where the form posts to. */
  action: string;
  /** The same page with all records checked, and without any. */
  allHref: string;
  noneHref: string;
  olderHref: string | null;
  /** Of how many records these are a page. */
  total: number;
  /** Whether the technician has logged anything. */
  hasLogged: boolean;
  /** Filters in the address that are ignored, by name. */
  unknown: readonly ListedFilter[];
  /** Whether this is the first page. */
  isFirst: boolean;
  /** Whether all records are checked at first. */
  isAll: boolean;
  /** The result of the last submission. */
  reply: SubmissionResult<string[]> | null;
}

/** Chooses records and a supervisor, who gets one link for all of them. */
export function NewRequestScreen(props: NewRequestScreenProps) {
  const { records, filter, unknown, isFirst, hasLogged } = props;
  const isEmpty = records.length === 0;
  return (
    <>
      <section>
        <h1>New request</h1>
        <p className="hint">Choose records and a supervisor, who gets one link to verify them all.</p>
      </section>
      {(!isEmpty || isFiltering(filter)) && (
        <LogFilterForm
          path="/requests/new"
          filter={filter}
          unknown={unknown}
          hasMethods
          {...(((filter.kind && hasField(kindNamed(filter.kind), "category")) || filter.category) && {
            categories: ASKED_CATEGORIES,
          })}
          statuses={ASKABLE}
          found={isEmpty ? "No records match this filter." : countText(props)}
        >
          <KindField kind={filter.kind} />
          {filter.import && <input type="hidden" name="import" value={filter.import} />}
          {filter.saved && <input type="hidden" name="saved" value={filter.saved} />}
        </LogFilterForm>
      )}
      {isEmpty ? (
        <p className="empty">
          {!hasLogged && "Nothing to ask for yet: you have logged no hours. "}
          {hasLogged && !isFiltering(filter) && isFirst && "No record is left to send to a supervisor."}
          {hasLogged && !isFiltering(filter) && !isFirst && "No older records can be asked for."}
          {!hasLogged && <a href="/profile">Add New OJT Hours</a>}
        </p>
      ) : (
        <RequestForm {...props} />
      )}
    </>
  );
}

function KindField({ kind }: { kind: string }) {
  return (
    <div className="field">
      <label htmlFor="kind">Records</label>
      <select id="kind" name="kind" defaultValue={kind}>
        <option value="">All</option>
        {KINDS.map(({ name, texts }) => (
          <option key={name} value={name}>
            {texts.title}
          </option>
        ))}
      </select>
    </div>
  );
}

function RequestForm(props: NewRequestScreenProps) {
  const { supervisors, records, action, isAll, reply } = props;
  const [form, fields] = useForm<ChoiceDraft>({
    id: "request",
    lastResult: reply,
    defaultValue: { supervisor: firstChoice(supervisors) },
  });
  const checked = reply
    ? checkedKeys(reply.initialValue)
    : new Set(isAll ? records.filter(isOffered).map(({ value }) => value) : []);
  const message = reply?.error?.records?.[0];
  const firstInvalid = Object.keys(reply?.error ?? {})[0];
  return (
    <form method="post" action={action} id={form.id} className="new-request" noValidate>
      <div className="to">
        <SupervisorChoice
          supervisors={supervisors}
          fields={fields}
          firstInvalid={firstInvalid}
          hasRole
          isRoleEnough={supervisorNeedsOf(records.map(({ kind }) => kindNamed(kind))).includes("role")}
        />
        {supervisors.length > 0 && <a href="/supervisors">Manage supervisors</a>}
      </div>
      <Records {...props} checked={checked} message={message} />
      <div className="save">
        <p aria-live="polite" data-sum />
        <button type="submit" data-busy="Sending...">
          Send Request
        </button>
      </div>
    </form>
  );
}

interface RecordsProps extends NewRequestScreenProps {
  checked: Set<string>;
  message: string | undefined;
}

/** `100 of 146 records`, or how many there are if the page has all of them. */
function countText({ records, total }: Pick<NewRequestScreenProps, "records" | "total">): string {
  if (total > records.length) return `${records.length} of ${total} records`;
  return countRecords(total);
}

function Records({ records, total: all, checked, message, allHref, noneHref, olderHref, isFirst }: RecordsProps) {
  const total = addHundredths(records.map(({ record }) => hundredthsOf(record)));
  const offered = records.filter(isOffered);
  const isAllChecked = offered.length > 0 && offered.every(({ value }) => checked.has(value));
  return (
    <fieldset className="choose" aria-describedby={message && "records-error"}>
      <legend className="head">
        <span>Records</span>
        <span className="hint">{`${countText({ records, total: all })}${total === null ? "" : `, ${formatHours(total)} h`}`}</span>
      </legend>
      {message && (
        <p className="wrong" id="records-error" role="alert">
          {message}
        </p>
      )}
      <ul className="sums">
        {sumsOf(records).map(([label, hundredths]) => (
          <li key={label}>
            <span className="hint">{label}</span> <b>{formatHours(hundredths)}</b>
          </li>
        ))}
      </ul>
      <p className="row">
        {/* A script checks the boxes itself, so that what was typed and checked stays. */}
        <a href={isAllChecked ? noneHref : allHref} data-all={isAllChecked ? "none" : "all"}>
          {isAllChecked ? "Select none" : "Select all on this page"}
        </a>
      </p>
      <ul className="boxes">
        {records.map((choosable, index) => (
          <Box key={choosable.value} choosable={choosable} index={index} isChecked={checked.has(choosable.value)} />
        ))}
      </ul>
      {all > records.length && (
        <p className="hint">
          A request takes at most 100 records. When it is sent, its page offers the rest for the next one.
        </p>
      )}
      {(olderHref || !isFirst) && (
        <p className="row">
          {!isFirst && <a href="/requests/new">Newest records</a>}
          {olderHref && <a href={olderHref}>Older records</a>}
        </p>
      )}
    </fieldset>
  );
}

interface BoxProps {
  choosable: Choosable;
  index: number;
  isChecked: boolean;
}

function Box({ choosable: { kind: name, value, record, decline, notes }, index, isChecked }: BoxProps) {
  const kind = kindNamed(name);
  const { when, hundredths, label, typed } = recordLine(kind, record);
  const filled = filledText(kind.details, record.details);
  return (
    <li>
      <label className="box">
        <input
          type="checkbox"
          name={`records[${index}].key`}
          value={value}
          defaultChecked={isChecked}
          data-hours={hundredths ?? 0}
          data-declined={decline ? "" : undefined}
        />
        <span className="when">
          <Value of={when} />
        </span>
        <span className="place">
          <TypedValues of={typed.slice(0, 1)} />
          {filled && <span className="hint">{` ${filled}`}</span>}
        </span>
        <span className="plate">{label ? <Value of={label} /> : kind.texts.title}</span>
        {hundredths !== null && <span className="number">{formatHours(hundredths)}</span>}
        {decline && (
          <State of="declined">
            <Declined {...decline} />
          </State>
        )}
        {notes.map((note) => (
          <State key={note} of="look">
            {note}
          </State>
        ))}
      </label>
    </li>
  );
}
