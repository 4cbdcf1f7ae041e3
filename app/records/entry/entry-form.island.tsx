import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { localToday } from "#app/client/local-today.client.ts";
import type { Method } from "#app/db/enumerations.ts";
import { asText, type Input, InputField } from "#app/forms/field.tsx";
import { DetailFields } from "#app/records/detail-fields.tsx";
import type { FormDetail } from "#app/records/details.ts";
import { parseHours, toHundredths, typedHours } from "#app/records/hours.ts";
import type { EntryRules } from "./entry.kind.ts";
import {
  checkEntry,
  dayDetails,
  ENTRY_INPUTS,
  type EntryDraft,
  filledDown,
  hoursOfDates,
  warningsOf,
  withDayAndPlace,
  withoutDetails,
} from "./entry-rules.ts";
import { methodLabel, methodName } from "./methods.ts";

interface EntryFormProps {
  /** The user's id. The browser keeps unsaved values under it. */
  userId: number;
  /** Identifies the submission (see `submissionOf`). It is part of the form's URL. */
  formKey: string;
  /** The user's current date, `YYYY-MM-DD`: the date of every new row. */
  today: string;
  rules: EntryRules;
  details: FormDetail[];
  /** The rows filled in from an earlier day: one for each of its jobs. */
  drafts?: Partial<EntryDraft>[];
  /** The shift card that has filled the form in, or "" if a script does it (app/entry/shift.inline.ts). */
  card?: string | undefined;
  /** The server's answer to the last submission, with the values that were typed. */
  reply: SubmissionResult<string[]> | null;
  /** The key of the submission that was just saved: its draft can be removed. */
  saved: string | null;
}

/** A layout effect runs before a click that waited for the island is repeated. On the server React warns about it. */
const useFirstEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

type FormValue = { entries: EntryDraft[]; details: Record<string, string> };

/**
 * Add New OJT Hours (spec section 2): any number of rows that are saved together. Each copy of the form posts to its
 * own URL, so a form that is sent twice is saved once (docs/decisions/0006-forms-post-to-their-own-address.md). Without
 * script, every button sends the form; as an island, rows and messages appear at once.
 */
export default function EntryForm({
  userId,
  formKey,
  today,
  rules,
  details,
  drafts = [],
  card,
  reply,
  saved,
}: EntryFormProps) {
  const [day, setDay] = useState(today);
  const tbody = useRef<HTMLTableSectionElement>(null);
  useFirstEffect(() => {
    const follow = () => setDay(localToday());
    follow();
    addEventListener("visibilitychange", follow);
    // Whatever reads the form gets complete rows: the browser's queue sends each of them as it is.
    const fill = ({ formData }: FormDataEvent) => withDayAndPlace(formData);
    const element = tbody.current?.closest("form");
    element?.addEventListener("formdata", fill);
    return () => {
      removeEventListener("visibilitychange", follow);
      element?.removeEventListener("formdata", fill);
    };
  }, []);

  const filledIn = dayDetails(drafts);
  const ownDrafts = withoutDetails(drafts, filledIn);
  const hintOf = (filled: Record<string, string> = {}) => {
    const labels = details.filter(({ name }) => filled[name]).map(({ label }) => label);
    return labels.length > 0 && `Filled in as on that job: ${labels.join(", ").replace(/\.?$/, ".")}`;
  };
  const [form, fields] = useForm<FormValue>({
    id: "entry",
    lastResult: reply,
    defaultValue: {
      entries: (drafts.length > 0 ? ownDrafts : [{}]).map((draft) => ({ date: day, ...draft })),
      details: filledIn,
    },
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parse(withDayAndPlace(formData), { resolve: (payload) => check(payload, rules) }),
  });
  const rows = fields.entries.getFieldList();
  const typed = filledDown(draftsOf(fields.entries.value));
  const log = loggedRows();
  const warnings = warningsOf(typed, hoursOfDates(log), day, (row) => log.some((logged) => isSameJob(logged, row)));
  useFocusInRows(tbody, rows.length);

  // Without script, the page sets the focus: on the first invalid field, or on a new row.
  const wrong = reply?.status === "error" ? Object.keys(reply.error ?? {}) : [];
  const firstInvalid = wrong.find((name) => name !== "entries");
  const moved = reply?.intent?.type === "insert" || reply?.intent?.type === "remove";
  return (
    <form
      method="post"
      action={`/profile/entries/${formKey}`}
      id={form.id}
      className="new-entries"
      onSubmit={(event) => {
        if ((event.nativeEvent as SubmitEvent).submitter?.hasAttribute("formaction")) return; // a card is made, nothing is saved
        const text = textOf(event.currentTarget);
        if (!reply && isStartOfSent(text)) {
          event.preventDefault();
          openLog();
          return;
        }
        form.onSubmit(event);
        if (event.defaultPrevented) return;
        sessionStorage.rows = text;
        sessionStorage.rowCount = rows.length;
      }}
      data-draft={userId}
      data-saved={saved ?? undefined}
      data-today={drafts[0]?.date ? undefined : today}
      noValidate
    >
      {/* Enter in a field presses the form's first button, which must be Save. */}
      <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
        Save Entries
      </button>
      {card !== undefined && <input type="hidden" name="card" defaultValue={card} />}
      <table className="rows">
        <thead>
          <tr>
            {ENTRY_INPUTS.map(({ name, label }) => (
              <th key={name}>{label}</th>
            ))}
            <th>Actions</th>
          </tr>
        </thead>
        <tbody ref={tbody}>
          {rows.map((row, index) => {
            const cells = row.getFieldset(); // a proxy, which cannot be spread
            // A new row begins with its method, and a job that is repeated with its hours.
            const isFirst: { [name: string]: boolean } = {
              method: moved && index === rows.length - 1,
              hours: drafts.length > 0 && !reply && index === 0,
            };
            const inputFor = (input: EntryInput) => (
              <InputField
                key={cells[input.name].key}
                input={input}
                field={cells[input.name]}
                list={input.name === "location" ? "places" : undefined}
                autoFocus={cells[input.name].name === firstInvalid || isFirst[input.name]}
              />
            );
            const above = rows[index - 1]?.getFieldset();
            const isSame = DAY_AND_PLACE.every(({ name }) =>
              ["", asText(above?.[name].initialValue)].includes(asText(cells[name].initialValue) ?? ""),
            );
            const own = cells.details.getFieldset();
            const hasOwn = details.some(({ name }) => own[name]?.errors?.length || asText(own[name]?.initialValue));
            return (
              <tr key={row.key}>
                {index === 0 ? (
                  DAY_AND_PLACE.map((input) => (
                    <td key={input.name} className={`full ${input.as ?? ""}`}>
                      {inputFor(input)}
                      {input.as && <DayButtons field={cells.date} today={day} choose={form.update.getButtonProps} />}
                    </td>
                  ))
                ) : (
                  <td className="same">
                    <details open={!isSame}>
                      <summary>
                        Same day, same place <u>Change</u>
                      </summary>
                      {DAY_AND_PLACE.map(inputFor)}
                    </details>
                  </td>
                )}
                {METHOD_AND_HOURS.map((input) => (
                  <td key={input.name}>{inputFor(input)}</td>
                ))}
                <td>
                  <button
                    className="remove"
                    aria-label="Remove entry"
                    disabled={rows.length === 1}
                    {...form.remove.getButtonProps({ name: fields.entries.name, index })}
                  >
                    ×
                  </button>
                </td>
                <td className="more-cell">
                  <p className="hint" aria-live="polite">
                    {methodName(cells.method.value as Method)} <b>{warnings[index]}</b>
                  </p>
                  {hasOwn && (
                    <DetailFields
                      details={details}
                      fields={own}
                      focus={firstInvalid}
                      hint={hintOf(ownDrafts[index]?.details)}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <DetailFields
        details={details}
        fields={fields.details.getFieldset()}
        focus={firstInvalid}
        hint={hintOf(filledIn)}
        isNew
      />
      {fields.entries.errors && (
        <p className="alert" role="alert">
          {fields.entries.errors[0]}
        </p>
      )}
      <div className="save">
        <button className="second" {...form.insert.getButtonProps({ name: fields.entries.name, defaultValue: {} })}>
          Add Another Entry
        </button>
        <button type="submit" data-busy="Saving...">
          Save Entries
        </button>
      </div>
    </form>
  );
}

type EntryInput = Input<(typeof ENTRY_INPUTS)[number]["name"]>;

/** In further rows these are folded: left empty, they are those of the row above (`filledDown`). */
const DAY_AND_PLACE: EntryInput[] = ENTRY_INPUTS.slice(0, 2);
const METHOD_AND_HOURS: EntryInput[] = ENTRY_INPUTS.slice(2);

interface DayButtonsProps {
  field: { name: string; value?: string | undefined };
  today: string;
  /** The attributes of a button that fills a field, also without script. */
  choose: (update: { name: string; value: string }) => object;
}

/** The two days that are logged most. */
function DayButtons({ field: { name, value = "" }, today, choose }: DayButtonsProps) {
  return (
    <>
      {(["Today", "Yesterday"] as const).map((label, ago) => {
        const date = new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10); // no module for one line
        return (
          <button key={label} className="second" aria-pressed={value === date} {...choose({ name, value: date })}>
            {label}
          </button>
        );
      })}
    </>
  );
}

/** The key and the values of a form, in a line each. The storage of the tab has those of the last one that was sent. */
function textOf(form: HTMLFormElement): string {
  return [form.action, ...new FormData(form)].join("\n");
}

/**
 * Whether a form was sent before with more rows after these. After Back the browser restores the first row alone of a form to which the
 * script had added others. Sent once more, it would be saved twice, as a form with other content. A row that was changed
 * since is sent.
 */
function isStartOfSent(text: string): boolean {
  const sent: string = sessionStorage.rows ?? "";
  const lines = new Set(sent.split("\n"));
  return sent !== text && text.split("\n").every((line) => lines.has(line));
}

/** Opens the log, which says how many rows were sent (app/offline/signed-in-queue.client.ts). */
function openLog(): void {
  sessionStorage.sent = sessionStorage.rowCount;
  location.replace("/profile");
}

/** A job in the log below the form, which is read from there, where it has arrived already. */
interface LoggedRow {
  date: string;
  location: string;
  /** As the log shows it. */
  method: string;
  hours: number;
  broughtForward: boolean;
}

function loggedRows(): LoggedRow[] {
  if (typeof document === "undefined") return [];
  return [...document.querySelectorAll(".log tbody tr:not(.deleted,.month)")].map((row) => {
    const cell = row.querySelector<HTMLElement>("[data-label]");
    const place = row.querySelector(".place");
    return {
      date: row.querySelector("time")?.dateTime ?? "",
      location: place?.textContent ?? "",
      method: cell?.dataset.label ?? "",
      hours: Number(cell?.textContent),
      broughtForward: place?.childElementCount !== 0,
    };
  });
}

function isSameJob(logged: LoggedRow, { date, location, method, hours = "" }: Partial<EntryDraft>): boolean {
  return (
    logged.date === date &&
    logged.location === location?.trim() &&
    logged.method === methodLabel(method as Method) &&
    toHundredths(logged.hours) === toHundredths(parseHours(typedHours(hours)) ?? 0)
  );
}

/** The rows as they are typed now; what a form of no browser sends in their place has no fields. */
function draftsOf(value: unknown): Partial<EntryDraft>[] {
  return Array.isArray(value) ? value.map((row) => row ?? {}) : [];
}

/** The result for Conform: the value, or the error message of each invalid field by name. */
function check(payload: Record<string, unknown>, rules: EntryRules) {
  const entries = Array.isArray(payload.entries) ? (payload.entries as Partial<EntryDraft>[]) : []; // our own fields
  const error = Object.fromEntries(
    entries.flatMap((draft, index) =>
      Object.entries(checkEntry(draft ?? {}, rules)).map(([field, message]) => [
        `entries[${index}].${field}`,
        [message],
      ]),
    ),
  );
  return Object.keys(error).length > 0 ? { error } : { value: payload as FormValue };
}

/** Moves the focus into a row that was added, or into the last row after a removal. */
function useFocusInRows(tbody: React.RefObject<HTMLTableSectionElement>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count !== before.current) tbody.current?.querySelector<HTMLElement>("tr:last-child select")?.focus();
    before.current = count;
  }, [tbody, count]);
}
