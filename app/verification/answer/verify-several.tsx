import { type SubmissionResult, useForm } from "@conform-to/react";
import { asText, Field } from "#app/forms/field.tsx";
import { formatHours } from "#app/records/hours.ts";
import { countRecords, hundredthsOf } from "#app/records/kind.ts";
import { Days, Value } from "#app/records/record-facts.tsx";
import { PublicLayout, State } from "#app/ui/page.tsx";
import type { ItemView } from "#app/verification/link-view.server.ts";
import { amountOf, datesOf, fittingOnPage } from "#app/verification/record.ts";
import { GroupAndHours, RecordTexts } from "#app/verification/record-cells.tsx";
import { addHundredths, SumsList, sumsByGroup } from "#app/verification/sums.tsx";
import { commonDetails, type Group, groupItems } from "./by-day.ts";
import { Decisions, DisownLink } from "./ended-screen.tsx";
import {
  DamagedLink,
  type FormField,
  firstWrong,
  OwnHours,
  SameName,
  SIGN_FIELDS,
  Sign,
  type SignForm,
  signedBefore,
  UnknownForm,
  UnknownTechnician,
  type VerifyScreenProps,
  Why,
} from "./verify-one.tsx";

/** How a record was answered in a form that came back. */
interface TypedAnswer {
  isDeclined: boolean;
  isLater: boolean;
  reason: string;
  /** The error of this answer. */
  error: string | undefined;
}

/**
 * The answers of a submitted form by what was shown: if a record was decided elsewhere meanwhile, the page that comes back
 * has one row less than the form that was sent.
 */
export function typedAnswers(reply: SubmissionResult<string[]> | null | undefined): Map<string, TypedAnswer> {
  const items = reply?.initialValue?.items;
  if (!Array.isArray(items)) return new Map();
  return new Map(
    items.map((item, index) => {
      const { shown, answer, later, reason } = typeof item === "object" && !Array.isArray(item) ? item : {};
      const errors = ["reason", "answer"].flatMap((name) => reply?.error?.[`items[${index}].${name}`] ?? []);
      const isLater = Boolean(later) || answer === "skip";
      return [keyIn(shown), { isDeclined: answer === "decline", isLater, reason: textOf(reason), error: errors[0] }];
    }),
  );
}

/** The record's key in what a form sends of it: the text before the hash. */
export function keyIn(shown: unknown): string {
  return textOf(shown).split(":", 2).join(":");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * The page of a link for several records. The first screen is the whole decision: who asks, for how much, the sums, one name
 * and one button. The records follow by day, then the ways out.
 */
export function VerifySeveral({
  action,
  link,
  acts,
  asker,
  signed,
  changed,
  timeZone,
  reply,
  toast,
}: VerifyScreenProps) {
  const [form, fields] = useForm<SignForm>({ id: "verify", lastResult: reply, defaultValue: signedBefore(signed) });
  const all = groupItems(link.items.filter(({ state }) => state === "waiting")).flatMap(({ items }) => items);
  const waiting = fittingOnPage(all, ({ record }) => record);
  const records = waiting.map(({ record }) => record);
  const answers = typedAnswers(reply);
  const changedKeys = new Set(changed?.keys);
  const wrong = firstWrong(fields, SIGN_FIELDS);
  // The name is above the records, the reason for declining all below them.
  const focused =
    wrong && wrong !== "reason"
      ? undefined
      : (waiting.find(({ shown }) => changedKeys.has(keyIn(shown))) ??
        waiting.find(({ shown }) => answers.get(keyIn(shown))?.error));
  const focus = focused ? undefined : wrong;
  const technician = link.user.name || "A technician";
  const named = link.user.name || "the technician"; // within a sentence
  const [first, last] = datesOf(records);
  const common = commonDetails(waiting);
  const rows = { common, answers, changedKeys, focused, isOwn: link.isOwn, first, last };
  const lead = (
    <header className="lead">
      <h1>
        <bdi>{technician}</bdi> asks you to verify {amountOf(all.map(({ record }) => record))}
      </h1>
      <p>
        {`${countRecords(all.length)}, `}
        <Days first={first} last={last} />.
        {common.map(({ label, typed }) => (
          <span key={label}>
            {` ${label}: `}
            <bdi>{typed}</bdi>.
          </span>
        ))}
      </p>
      <Why {...{ link, asker, records, timeZone }} />
      <DamagedLink acts={acts} />
      {link.items.length > all.length && (
        <Decisions items={link.items.filter(({ state }) => state !== "waiting")} timeZone={timeZone} />
      )}
      <DisownLink href={acts.disownHref} link={link} />
      {changed && (
        <p className="alert" role="alert">
          {changed.message}
        </p>
      )}
      {all.length > waiting.length && (
        <p className="alert">
          {`The texts are too long for one page. It has the first ${waiting.length} of ${all.length} records: answer these, then open the link again for the others.`}
        </p>
      )}
      <SameName link={link} />
      {link.isOwn && <OwnHours records={records} />}
    </header>
  );
  if (link.isOwn) {
    return (
      <PublicLayout toast={toast} wide>
        <div className="several">
          {lead}
          <div className="sheet">
            <div className="rail">
              <SumsList sums={sumsByGroup(records)} />
            </div>
            <Rows items={waiting} {...rows} />
          </div>
        </div>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout toast={toast} wide>
      <form method="post" action={action} id={form.id} className="several" noValidate>
        {lead}
        <div className="sheet">
          <div className="rail">
            <SumsList sums={sumsByGroup(records)} />
            <Sign fields={fields} link={link} records={records} focus={focus} />
          </div>
          <Rows items={waiting} {...rows} />
        </div>
        <Foot waiting={waiting} answers={answers} />
        <div className="ways">
          <DeclineAll field={fields.reason} records={all.length} name={technician} focus={focus} />
          <UnknownTechnician name={named} />
        </div>
      </form>
      <UnknownForm action={action} />
    </PublicLayout>
  );
}

interface RowsProps extends Omit<RowProps, "item" | "index" | "place" | "day"> {
  items: ItemView[];
  /** The index of the first of them in the form. */
  from?: number;
  first: string;
  last: string;
}

/** The records by day. The first screen has the year if it is that of all. */
export function Rows({ items, from = 0, first, last, ...row }: RowsProps) {
  const words = first.slice(0, 4) === last.slice(0, 4) ? 3 : undefined;
  return (
    <section className="records" aria-label="Records, oldest first">
      {groupItems(items).map((group, n) => (
        <div key={group.items[0]?.shown}>
          <GroupHeading id={`d${from + n}`} group={group} words={words} />
          <ul aria-labelledby={`d${from + n}`}>
            {group.items.map((item) => (
              <Row
                key={item.shown}
                item={item}
                index={from + items.indexOf(item)}
                day={`d${from + n}`}
                place={group.place}
                {...row}
              />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function GroupHeading({ id, group, words }: { id: string; group: Group; words: number | undefined }) {
  const { when, place, hundredths } = group;
  return (
    <h2 id={id}>
      {when && (
        <b>
          <Value of={when} weekdays words={words} />
        </b>
      )}{" "}
      {place !== null && <span dir="auto">{place}</span>}{" "}
      {hundredths !== null && <b className="sum">{`${formatHours(hundredths)} h`}</b>}
    </h2>
  );
}

interface RowProps {
  item: ItemView;
  index: number;
  /** The id of the heading with its day. */
  day: string;
  /** The place that the heading shows. */
  place: string | null;
  /** The values that are shown once for all records. */
  common: { label: string }[];
  answers: Map<string, TypedAnswer>;
  changedKeys: Set<string>;
  /** The record that gets the focus: the first that has changed, or with an error. */
  focused: ItemView | undefined;
  isOwn: boolean;
}

/**
 * A record of a request: what is not shown above it, and a box for *Not right*. While it is checked, the style sheet shows the
 * reason and the box that leaves the record for later; a browser without `:has()` always shows them.
 */
function Row({ item, index, day, place, common, answers, changedKeys, focused, isOwn }: RowProps) {
  const { record, hasBegun, notes, shown } = item;
  const isChanged = changedKeys.has(keyIn(shown));
  const id = `r${index}`;
  return (
    <li className={[isChanged && "changed", !hasBegun && "early"].filter(Boolean).join(" ") || undefined}>
      <span className="what" id={id}>
        <GroupAndHours record={record} />
      </span>
      <RecordTexts record={record} place={place} elsewhere={common.map(({ label }) => label)} />
      {notes.map((note) => (
        <p key={note}>
          <State of="look">{note}</State>
        </p>
      ))}
      {isChanged && <p className="wrong">This record was changed since you opened the page. Look at it again.</p>}
      {!isOwn && (
        <NotRight
          name={`items[${index}]`}
          describedBy={`${day} ${id}`}
          shown={shown}
          typed={answers.get(keyIn(shown))}
          hasFocus={item === focused}
        />
      )}
    </li>
  );
}

interface NotRightProps {
  name: string;
  /** The ids of what says which record it is. */
  describedBy: string;
  shown: string;
  /** The answer of a form that came back. */
  typed: TypedAnswer | undefined;
  hasFocus: boolean;
}

function NotRight({ name, describedBy, shown, typed, hasFocus }: NotRightProps) {
  const { error, reason, isDeclined, isLater } = typed ?? {};
  const errorId = `${name}.error`;
  return (
    <>
      <input type="hidden" name={`${name}.shown`} value={shown} />
      <label className="no">
        <input
          type="checkbox"
          name={`${name}.answer`}
          value="decline"
          defaultChecked={isDeclined}
          autoFocus={hasFocus && !error}
          aria-describedby={describedBy}
        />
        Not right
      </label>
      <div className="why">
        <label>
          What's wrong?
          <textarea
            name={`${name}.reason`}
            defaultValue={reason}
            autoFocus={hasFocus && Boolean(error)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && errorId}
          />
        </label>
        {error && (
          <p className="wrong" id={errorId}>
            {error}
          </p>
        )}
        <label className="later">
          <input type="checkbox" name={`${name}.later`} value="1" defaultChecked={isLater} />
          Leave it for later, without an answer
        </label>
      </div>
    </>
  );
}

/**
 * The button that sends the answers. In the source it follows the records, which the style sheet counts, and is before the buttons
 * that decline.
 */
export function Foot({ waiting, answers }: { waiting: ItemView[]; answers: ReturnType<typeof typedAnswers> }) {
  return (
    <div className="foot">
      <Warnings waiting={waiting} />
      <p className="hint">Records marked "Not right" won't be verified.</p>
      {/* The title names it where a reader does not see what the style sheet counts. */}
      <button type="submit" className="tall" title="Send your answers">
        <span className="sent">
          <span>{buttonText(waiting, answers)}</span>
        </span>
      </button>
    </div>
  );
}

/** Shows how many records have a warning, beside the button: the first may be far above. */
function Warnings({ waiting }: { waiting: ItemView[] }) {
  const warned = waiting.filter(({ notes }) => notes.length > 0);
  const [first] = warned;
  if (!first) return null;
  return (
    <p className="warned">
      <State of="look">
        <a href={`#r${waiting.indexOf(first)}`}>
          {warned.length === 1 ? "1 record has a warning" : `${warned.length} records have a warning`}
        </a>
      </State>
    </p>
  );
}

/** The button in words that are true for the answers of the form that came back. The style sheet changes them as they change. */
function buttonText(waiting: ItemView[], answers: ReturnType<typeof typedAnswers>): string {
  const answerOf = ({ shown }: ItemView) => answers.get(keyIn(shown));
  const verified = waiting.filter((item) => item.hasBegun && !answerOf(item)?.isDeclined);
  const declined = waiting.filter((item) => answerOf(item)?.isDeclined).length;
  const isLater = waiting.some((item) => answerOf(item)?.isLater);
  if (isLater || verified.length + declined === 0) return "Send your answers";
  if (verified.length === 0) return `Decline ${declined}`;
  if (declined > 0) return `Verify ${verified.length}, decline ${declined}`;
  const hours = verified.map(({ record }) => hundredthsOf(record.record));
  const sum = hours.includes(null) ? null : addHundredths(hours);
  return `Verify ${countRecords(verified.length)}${sum === null ? "" : `, ${formatHours(sum)} h`}`;
}

interface DeclineAllProps {
  field: FormField;
  records: number;
  name: string;
  focus: string | undefined;
}

/** Declines every record with one reason, whatever is marked above. */
function DeclineAll({ field, records, name, focus }: DeclineAllProps) {
  const label = records === 1 ? "Decline it" : `Decline all ${records}`;
  return (
    <details className="decline" open={Boolean(field.errors || field.initialValue)}>
      <summary>{label}</summary>
      <Field
        field={field}
        label="What's wrong?"
        control={(attributes) => (
          <textarea {...attributes} autoFocus={focus === "reason"} defaultValue={asText(field.initialValue)} />
        )}
      />
      <p className="hint">
        {records > 1 && "One reason for all. "}
        <bdi>{name}</bdi> will read it, with your name from above.
      </p>
      <button type="submit" name="answer" value="decline">
        {label}
      </button>
    </details>
  );
}
