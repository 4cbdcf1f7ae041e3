import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { formatDate, formatInstant, toCalendarDate } from "#app/calendar-date.ts";
import type { FormName } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import { daysOf, partText } from "#app/pdf/form.ts";
import { viaLabel, worthOf } from "#app/pdf/form-words.ts";
import { FORMS, leftOutText } from "#app/pdf/forms.ts";
import checkStyles from "#app/proof/check.css?inline";
import { type CheckedRecord, type CheckPage, checkExport, checkPage } from "#app/proof/check.server.ts";
import { CheckFormScreen } from "#app/proof/check-form.tsx";
import type { RecordState } from "#app/proof/check-state.server.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import {
  answerTexts,
  asTyped,
  confirmedText,
  enteredText,
  statedText,
  technicianAsTyped,
  timingOf,
  timingText,
  utcDay,
  workTexts,
} from "#app/records/evidence.ts";
import { formatHours } from "#app/records/hours.ts";
import {
  choiceLabel,
  countRecords,
  hundredthsOf,
  isExperience,
  type Kind,
  type ShownRecord,
  shownValues,
} from "#app/records/kind.ts";
import { Fact, Value } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { MessageScreen, PublicLayout, State } from "#app/ui/page.tsx";
import { SumsTable } from "#app/verification/sums.tsx";

export const handle = { heavy: true, access: "public", secret: true, css: cssOf } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Check a form · Hours Tracker" }];

/** Returns the style sheets of the page: a page that shows an export has a sheet of its own, without forms. */
function cssOf(data: unknown): string {
  const { checked } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  return checked?.kind === "shown" ? checkStyles : styles;
}

export const loader = page(async ({ request, params, context }) => {
  const typed = params.code ?? "";
  const { searchParams } = new URL(request.url);
  const page = Math.max(1, Number.parseInt(searchParams.get("page") ?? "", 10) || 1);
  try {
    const checked = await checkExport(context, typed, request.method !== "HEAD" && page === 1);
    const today = toCalendarDate(context.timeZone, context.now);
    const shown =
      checked.kind === "shown" ? { kind: "shown" as const, check: checkPage(checked.export, page, today) } : checked;
    return data({ checked: shown, typed, message: null });
  } catch (error) {
    // The page asks for the code again.
    if (!(error instanceof AppError) || ![400, 404].includes(error.status)) throw error;
    return data({ checked: null, typed, message: error.message }, { status: error.status });
  }
});

export default function Check() {
  const { checked, typed, message } = useLoaderData<typeof loader>();
  if (!checked) return <CheckFormScreen typed={typed} message={message} />;
  if (checked.kind === "closed") return <ClosedScreen {...checked} />;
  if (checked.kind === "account-deleted") return <AccountDeletedScreen {...checked} />;
  return <CheckScreen check={checked.check} />;
}

/** The link on the page of a code whose export is no longer shown. */
const TO_ANOTHER = { href: "/check", text: "Check another form" };

function ClosedScreen({ closedAt, disowned }: { closedAt: Date; disowned: number }) {
  const withdrawn = disowned === 1 ? "1 of its verifications was" : `${disowned} of its verifications were`;
  const by = disowned === 1 ? "the supervisor" : "their supervisors";
  return (
    <MessageScreen
      title="This form was closed"
      text={`The technician closed it on ${inUtc(closedAt)}. It can no longer be checked: ask for a new one.${disowned > 0 ? ` ${withdrawn} withdrawn by ${by}.` : ""}`}
      link={TO_ANOTHER}
    />
  );
}

function AccountDeletedScreen({ madeAt, accountDeletedAt }: { madeAt: Date; accountDeletedAt: Date }) {
  return (
    <MessageScreen
      title="This account was deleted"
      text={`A form with this code was made here on ${inUtc(madeAt)}. The technician’s account was deleted on ${inUtc(accountDeletedAt)}, and the hours with it.`}
      link={TO_ANOTHER}
    />
  );
}

function inUtc(at: Date): string {
  return formatInstant("UTC", at);
}

/**
 * Shows the export of a code: the totals and the verdict on all records first, then a page of the records as printed
 * with the state of each, changed ones first.
 */
function CheckScreen({ check }: { check: CheckPage }) {
  const { form, code, madeAt, name, count, isSealed, states, page, pages, start, records, chosen, leftOut, today } =
    check;
  const part = chosen && partText(form, chosen);
  return (
    <PublicLayout wide>
      <div className="check">
        <header className="lead">
          <p className="hint">
            {FORMS[form].title} <b className="code">{code}</b>
          </p>
          <h1>
            <bdi>{technicianAsTyped(name)}</bdi>
            {`, ${verifiedText(check)}`}
          </h1>
          {part && <p>{part}.</p>}
          {leftOut && <p>{leftOutText(leftOut)}</p>}
          <ul className="verdict">
            <li>
              <State of="verified">
                Made here on <time dateTime={madeAt.toISOString()}>{formatInstant("UTC", madeAt)}</time>
              </State>
            </li>
            <Verdict check={check} />
          </ul>
          {isSealed && <p>{stillText(check)}</p>}
          {isSealed ? (
            <p className="hint">Compare this page with the paper: first the name and the totals, then each line.</p>
          ) : (
            <p>
              The stored data of this form was altered after it was made. Below is what is stored now, which may not be
              what was printed: check the paper by its signed statement.
            </p>
          )}
        </header>
        <TotalsSection check={check} />
        <section className="records">
          <header className="head">
            <h2>Records</h2>
            <span className="hint">
              {states.unchanged === count
                ? "in the order of the form"
                : "changed ones first, then in the order of the form"}
            </span>
          </header>
          <ol className={hasPlates(form) ? undefined : "plain"}>
            {records.map(({ record, place }) => (
              <CheckedRow key={record.recordId} record={record} name={name} place={place} today={today} />
            ))}
          </ol>
          {pages > 1 && (
            <p className="hint">
              {`${start + 1} to ${start + records.length} of ${count.toLocaleString("en")}. `}
              {page > 1 && <a href={`?page=${page - 1}`}>Previous page</a>}{" "}
              {page < pages && <a href={`?page=${page + 1}`}>Next page</a>}
            </p>
          )}
        </section>
      </div>
    </PublicLayout>
  );
}

/** Whether records of the form have several groups, such as NDT methods, which are then shown at each record. */
function hasPlates(form: FormName): boolean {
  return FORMS[form].types.some((type) => kindNamed(type).groups.length > 1);
}

function isOfWork(form: FormName): boolean {
  return FORMS[form].types.every((type) => isExperience(kindNamed(type)));
}

/**
 * Returns the content of the form for the heading: hours of work, or other records; and that they are verified, if all
 * of them still are.
 */
function verifiedText({ form, hundredths, count, states }: CheckPage): string {
  const isAll = states.unchanged === count;
  if (isOfWork(form)) return `${formatHours(hundredths)} ${isAll ? "verified " : ""}hours in ${countRecords(count)}`;
  return isAll ? `${countRecords(count)} verified` : countRecords(count);
}

/** Returns the part of the form that is still verified as it prints it. */
function stillText({ form, hundredths, count, states, still }: CheckPage): string {
  const { unchanged } = states;
  const asPrinted = "still verified as printed.";
  if (isOfWork(form)) {
    return unchanged === count
      ? `All ${formatHours(hundredths)} h on the paper are ${asPrinted}`
      : `Of ${formatHours(hundredths)} h on the paper, ${formatHours(still.hundredths)} h are ${asPrinted}`;
  }
  if (unchanged === count) return `Every record on the paper is ${asPrinted}`;
  return `Of ${countRecords(count)} on the paper, ${unchanged} ${unchanged === 1 ? "is" : "are"} ${asPrinted}`;
}

/** The states of records that changed, and the words for one and for several. */
const CHANGES: [state: RecordState, one: string, several: string][] = [
  ["changed", "record was changed since.", "records were changed since."],
  [
    "disowned",
    "verification was withdrawn by the supervisor since.",
    "verifications were withdrawn by their supervisors since.",
  ],
  ["deleted", "record was deleted since.", "records were deleted since."],
];

/**
 * Returns how many of the records that were changed or deleted had lost their verification: `1 of the changed records
 * had …`.
 */
function withdrawnText(withdrawn: number, { changed, deleted }: CheckPage["states"]): string {
  const which = [...(changed > 0 ? ["changed"] : []), ...(deleted > 0 ? ["deleted"] : [])].join(" and ");
  const had =
    withdrawn === 1
      ? "had its verification withdrawn by the supervisor"
      : "had their verifications withdrawn by their supervisors";
  return `${withdrawn} of the ${which} records ${had}.`;
}

/** Whether every record is unchanged, or how many are not, with a link to the first. */
function Verdict({ check: { states, firsts, count, withdrawn } }: { check: CheckPage }) {
  const { unchanged } = states;
  return (
    <>
      {unchanged > 0 && (
        <li>
          <State of="verified">
            {unchanged === count
              ? "Every record is unchanged"
              : `${countRecords(unchanged)} ${unchanged === 1 ? "is" : "are"} unchanged`}
          </State>
        </li>
      )}
      {CHANGES.filter(([state]) => states[state] > 0).map(([state, one, several]) => (
        <li key={state}>
          <State of="declined">
            {`${states[state]} ${states[state] === 1 ? one : several} `}
            <a href={firsts[state]}>{states[state] === 1 ? "Show it" : "Show the first"}</a>
          </State>
        </li>
      ))}
      {withdrawn > 0 && (
        <li>
          <State of="declined">{withdrawnText(withdrawn, states)}</State>
        </li>
      )}
    </>
  );
}

/** Shows the person whose hours they are, the sums, and the sum of each way of verification with its explanation. */
function TotalsSection({ check }: { check: CheckPage }) {
  const { form, name, employeeNumber, isSealed, sums, still, states, count, byVia } = check;
  return (
    <section className="by-method">
      <h2>{isSealed ? "Totals on the form" : "Totals as stored now"}</h2>
      <dl className="facts">
        <Fact term="Name">
          <b dir="auto">{technicianAsTyped(name)}</b>
        </Fact>
        {employeeNumber && (
          <Fact term="Employee #">
            <b dir="auto">{asTyped(employeeNumber)}</b>
          </Fact>
        )}
      </dl>
      <SumsTable sums={sums} still={isSealed && states.unchanged < count ? still.sums : undefined} />
      <ul className="key">
        {byVia.map(({ via, count, hundredths, sums }) => (
          <li key={via} className={`${via} via`}>
            <span>
              <b>{`${viaLabel(via)}: ${isOfWork(form) ? `${formatHours(hundredths)} h, ` : ""}${countRecords(count)}.`}</b>{" "}
              {isOfWork(form) && sums.length > 1 && `${sumsText(sums)}. `}
              {worthOf(via)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Sums in one line: `ET 48.0, MT 12.5`. */
const sumsText = (sums: CheckPage["sums"]) =>
  sums.map(({ group, hundredths }) => `${group} ${formatHours(hundredths ?? 0)}`).join(", ");

interface CheckedRowProps {
  record: CheckedRecord;
  /** The technician whom the form names. */
  name: string;
  /** From 1: a record that is not unchanged can be linked to. */
  place: number;
  /** The reader's day. */
  today: string;
}

/** The note about a supervisor who was erased: the record keeps the name that they typed, and nothing else of them. */
const ERASED =
  "The supervisor’s data was erased: the paper can also show a certificate, a ground and the domain of a mailbox.";

/** A record as it is printed, and what became of it. */
function CheckedRow({ record, name, place, today }: CheckedRowProps) {
  const { type, content, supervisor, via, domain, state, withdrawnAt, confirmed, confirmedOn, revocation } = record;
  const stated = statedText(record, type);
  const entered = enteredText(record);
  const kind = kindNamed(type);
  const confirmation = confirmed
    ? confirmedText(confirmed.domain, utcDay(confirmed.at))
    : confirmedOn && confirmedText(domain, confirmedOn);
  // The fields of its kind, which are all that a value needs: an absent one is null.
  const printed = Object.fromEntries(
    kind.fields.map(({ name }) => [name, content[name] ?? null]),
  ) as unknown as ShownRecord;
  const values = shownValues(kind, printed);
  const timing = timingOf(record, daysOf(content).at(-1) ?? "", content.broughtForward === true);
  const notes = [
    ...(stated ? [stated] : []),
    ...(record.certification === undefined ? [ERASED] : []),
    ...(entered ? [`entered by the technician: ${entered}`] : []),
    ...(record.workedAs ? [`worked as ${asTyped(record.workedAs)}`] : []),
    ...(timing ? [timingText(timing, type)] : []),
    ...answerTexts(record, supervisor, name),
    ...(record.shared ? [record.shared] : []),
    ...workTexts(record, content),
  ];
  const isUnchanged = state === "unchanged";
  return (
    <li className={isUnchanged ? undefined : "gone"} id={isUnchanged ? undefined : `r${place}`}>
      <span>{values[0] && <Value of={values[0].value} />}</span>
      {kind.groups.length > 1 && <span className="plate">{kind.groupOf(printed)}</span>}
      <b>{hundredthsOf(printed) === null ? "" : formatHours(hundredthsOf(printed) ?? 0)}</b>
      {values.map(
        ({ label, value }, index) =>
          "typed" in value && (
            <p key={label} dir="auto">
              {/* The name of a course or document says what it is, and nothing else does. */}
              {!isExperience(kind) && index > 1 && `${label}: `}
              {asTyped(value.typed ?? "")}
            </p>
          ),
      )}
      {typeof content.expiresOn === "string" && content.expiresOn < today && (
        <p className="noted">
          <State of="look">No longer valid: it has expired.</State>
        </p>
      )}
      {revocation && (
        <p className="noted">
          <State of="look">
            {`Revoked from ${formatDate(revocation.on)}: `}
            <bdi>{asTyped(revocation.reason)}</bdi>
          </State>
        </p>
      )}
      {moreOf(kind, record, values).map((text) => (
        <p key={text} className="noted" dir="auto">
          {text}
        </p>
      ))}
      <p className={isUnchanged ? "verified state" : "by"}>
        <span>
          <bdi>{supervisor && asTyped(supervisor)}</bdi>
          {via && <i className={`${via} via`} role="img" aria-label={`by ${via}`} />}
          {confirmation ?? domain} {record.verificationId}
        </span>
      </p>
      {notes.map((text) => (
        <p key={text} className="noted" dir="auto">
          {text}
        </p>
      ))}
      {!isUnchanged && (
        <p className="now">
          {state !== "disowned" && <State of="declined">{STATES[state]}</State>}{" "}
          {(state === "disowned" || withdrawnAt) && (
            <State of="declined">
              {withdrawnAt ? `${STATES.disowned} on ${formatDate(utcDay(withdrawnAt))}` : STATES.disowned}
            </State>
          )}
        </p>
      )}
    </li>
  );
}

/**
 * Returns the values that the form prints of a record besides its dates, its texts, its plate and its hours, in a line
 * each.
 */
function moreOf(kind: Kind, { details }: CheckedRecord, values: ReturnType<typeof shownValues>): string[] {
  if (isExperience(kind)) {
    return kind.details.flatMap(({ name, label, choices }) => {
      const typed = details?.[name];
      return typed ? [`${label}: ${choices ? choiceLabel(typed) : asTyped(typed)}`] : [];
    });
  }
  return values.slice(1).flatMap(({ label, value }) => {
    if ("text" in value && value.text) return [`${label}: ${value.text}`];
    return "dates" in value ? [`${label}: ${value.dates.map(formatDate).join(" to ")}`] : [];
  });
}

const STATES: Record<Exclude<RecordState, "unchanged">, string> = {
  changed: "Changed since",
  disowned: "Verification withdrawn by the supervisor",
  deleted: "Deleted since",
};
