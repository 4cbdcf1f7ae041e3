import { type SubmissionResult, useForm } from "@conform-to/react";
import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { and, type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { isCalendarDate } from "#app/calendar-date.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { CATEGORIES } from "#app/db/enumerations.ts";
import { isOfImport } from "#app/db/submission.server.ts";
import { formAction, type SubmittedForm } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { type FormList, readForm } from "#app/forms/read-form.server.ts";
import { forEachKind, KINDS, kindNamed } from "#app/records/all-kinds.ts";
import { filledText } from "#app/records/details.ts";
import { longDayIn, longDays } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import {
  type AnyRecord,
  countRecords,
  dateOf,
  hasField,
  hundredthsOf,
  type Kind,
  logHref,
  supervisorNeedsOf,
} from "#app/records/kind.ts";
import { isFiltering, type LogFilter, LogFilterForm } from "#app/records/log-filter-form.tsx";
import { type Decline, logQueryFrom, parsedDecline } from "#app/records/log-page.server.ts";
import { anyRecord, isBetween, isOwn, isSavedWith, listRecords, mayBeAsked } from "#app/records/queries.server.ts";
import { recordLine, TypedValues, Value } from "#app/records/record-facts.tsx";
import { Declined } from "#app/records/record-log.tsx";
import { records } from "#app/records/records.table.ts";
import { type Rest, readSteps, stepOf } from "#app/records/search.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { type ChoiceDraft, firstChoice, SupervisorChoice } from "#app/supervisors/supervisor-choice.tsx";
import { State } from "#app/ui/page.tsx";
import { LAST_DECLINE } from "#app/verification/decision.server.ts";
import { notedOf } from "#app/verification/link.server.ts";
import { doubtsAmong } from "#app/verification/link-view.server.ts";
import { itemKey } from "#app/verification/record.ts";
import { requestFailure, requestFlash } from "#app/verification/requests/mail-status.ts";
import newRequestStyles from "#app/verification/requests/new-request.css?inline";
import { choiceQueries, supervisorsToAsk } from "#app/verification/requests/own-requests.server.ts";
import { requestRecords } from "#app/verification/requests/request.server.ts";
import { addHundredths } from "#app/verification/sums.tsx";
import {
  ASKABLE,
  type NewRequest as Chosen,
  checkedKeys,
  ITEMS_MAX,
  isNewSupervisor,
  newRequestForm,
  savedRequestForm,
} from "#app/verification/verification.schema.ts";

/**
 * The page that chooses records and a supervisor. Its form posts to `/requests/new/{key}` with the page's filter, which is
 * the page with the form's errors.
 */
export const handle = { script: true, css: styles + signedInStyles + newRequestStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "New Request · Hours Tracker" }];

/** The boxes of the records. Those that are not checked are not sent. */
const BOXES: FormList = { name: "records", columns: ["key"], rowsMax: ITEMS_MAX };

export const loader = page(async ({ request, params, context }) => {
  const key = parseFormKey(params.key) ?? crypto.randomUUID();
  const { filter, before, ...facts } = await findNewRequestPage(context, new URL(request.url));
  await askForName(context, request, facts.user);
  return {
    ...facts,
    filter,
    action: logHref(`/requests/new/${key}`, { ...filter, before: before ?? "" }),
    allHref: newRequestHref(filter, before, { all: "1" }),
    noneHref: newRequestHref(filter, before),
    isFirst: before === null,
  };
});

export const action = formAction(
  { failed: requestFailure, showsErrors: true },
  async ({ request, params, context }, form) => {
    const key = parseFormKey(params.key);
    const fields = await readForm(request, BOXES);
    const created = await requestRecords(context, { key, ...chosenIn(form, fields) });
    return redirectTo(context, `/requests/${created.request.id}`, requestFlash(created, context.timeZone));
  },
);

function chosenIn(form: SubmittedForm, fields: FormData): Chosen {
  if (!isNewSupervisor(fields)) {
    const { supervisor: supervisorId, records } = form.parse(fields, savedRequestForm);
    return { supervisorId, records };
  }
  const { supervisor: _, records, ...newSupervisor } = form.parse(fields, newRequestForm(fields));
  return { newSupervisor, records };
}

/** The last date that can be logged. */
const LAST_DATE = "9999-12-31";

/** A record that can be chosen. */
interface Choosable {
  /** Identifies the record in the form: `itemKey`. */
  value: string;
  kind: string;
  record: AnyRecord;
  /** The decline of a record that was not corrected since. */
  decline: Decline | null;
  /** The points that its supervisor's page will mention. */
  notes: string[];
}

/**
 * The page's filter: that of a log, a kind's name, or an empty text for all kinds, the import that created them, and one of
 * those that a form saved together.
 */
type ChoiceFilter = LogFilter & { kind: string; import: string; saved: string };

/**
 * A position in the list of all kinds: newest first by date, then in the order of the kinds, then by id. As a URL parameter
 * it is `2026-11-21.entry.42`.
 */
interface Position {
  date: string;
  kind: number;
  id: number;
}

/** The records that the signed-in user can ask a supervisor to verify, a page of them, and the user's supervisors. */
async function findNewRequestPage(context: AppLoadContext, url: URL) {
  const filter = filterFrom(url);
  const before = parsePosition(url.searchParams.get("before"));
  const kinds = KINDS.filter(
    (kind) =>
      (!filter.kind || filter.kind === kind.name) &&
      (["method", "category"] as const).every((name) => !filter[name] || hasField(kind, name)),
  );
  const askable = (owner: Owner, kind: Kind) =>
    and(
      sql`verified = 0 AND requested_at IS NULL AND ${mayBeAsked(kind)} AND ${kinds.includes(kind) ? 1 : 0}`,
      filter.import ? isOfImport(Number(filter.import)) : undefined,
      filter.saved ? isSavedWith(owner, Number(filter.saved)) : undefined,
      logQueryFrom(kind, withoutOthers(url)).where,
    );
  type Found = AnyRecord & { decline: Decline | null };
  const scanOf = (owner: Owner, kind: Kind, more?: SQL) =>
    ({ where: and(isOwn(owner, kind), askable(owner, kind), more), by: "date", of: 2 * KINDS.length }) as const;
  /** The records of the page and the one after it, of all kinds: of each kind only these are read. */
  const isOnPage = (owner: Owner) => {
    const ofKinds = KINDS.map((kind, index) => {
      const where = and(
        isOwn(owner, kind),
        askable(owner, kind),
        isBetween({ before: before && cursorIn(kind, before) }),
      );
      return sql`SELECT * FROM (SELECT id, date, ${index} AS place FROM ${records} WHERE ${where}
        ORDER BY date DESC, id DESC LIMIT ${ITEMS_MAX + 1})`;
    });
    return sql`id IN (SELECT id FROM (${sql.join(ofKinds, sql` UNION ALL `)})
      ORDER BY date DESC, place, id DESC LIMIT ${ITEMS_MAX + 1})`;
  };
  const textOf = (kind: Kind) => logQueryFrom(kind, url).text;
  const list = (owner: Owner, db: Db, kind: Kind, from?: Rest) => {
    const cursor = before && cursorIn(kind, before);
    const read = (text: SQL | undefined) =>
      listRecords<Found>(db, owner, kind, {
        before: cursor,
        where: text ? and(askable(owner, kind), text) : isOnPage(owner),
        limit: ITEMS_MAX + 1,
        more: { decline: parsedDecline(LAST_DECLINE) },
      });
    return stepOf(db, textOf(kind), scanOf(owner, kind, isBetween({ before: cursor })), read, from);
  };
  const countAll = (owner: Owner, db: Db, kind: Kind, from?: Rest) => {
    const scan = scanOf(owner, kind);
    const read = (text: SQL | undefined) =>
      db
        .select({ n: sql<number>`count(*)`.as("n") })
        .from(records)
        .where(and(scan.where, text));
    return stepOf(db, textOf(kind), scan, read, from);
  };
  const { user, choice, found, counts, logged, days } = await requireUser(context, (owner, db) => ({
    choice: choiceQueries(db, owner),
    found: forEachKind((kind) => list(owner, db, kind)),
    counts: forEachKind((kind) => countAll(owner, db, kind)),
    logged: anyRecord(db, owner),
    // Those of the page. With a text all: which records have it is known too late.
    days: filter.q
      ? longDays(db, owner)
      : longDays(
          db,
          owner,
          sql`date IN (SELECT date FROM ${records} WHERE ${and(isOwn(owner, entryKind), askable(owner, entryKind))}
            AND date <= ${before?.date ?? LAST_DATE} ORDER BY date DESC LIMIT ${ITEMS_MAX + 1})`,
        ),
  }));
  const all: { kind: Kind; record: Found }[] = [];
  let total = 0;
  for (const kind of kinds) {
    const [ofList, ofCount] = [found[kind.name], counts[kind.name]];
    if (!ofList || !ofCount) continue;
    const isEnough = ({ length }: Found[]) => length > ITEMS_MAX;
    const next = (from: Rest) => batch(context.db, list(user.id, context.db, kind, from));
    for (const record of await readSteps<Found>(ofList, isEnough, next)) all.push({ kind, record });
    const sums = await readSteps<{ n: number }>(
      ofCount,
      () => false,
      (from) => batch(context.db, countAll(user.id, context.db, kind, from)),
    );
    total += sums.reduce((sum, { n }) => sum + n, 0);
  }
  all.sort((one, other) => compare(positionOf(one), positionOf(other)));
  const page = all.slice(0, ITEMS_MAX);
  const last = page.at(-1);
  const dayOf = longDayIn(days);
  const doubtsOf = doubtsAmong(page);
  return {
    user,
    supervisors: supervisorsToAsk(context, choice, { needs: supervisorNeedsOf(page.map(({ kind }) => kind)) }),
    filter,
    unknown: KINDS[0] ? logQueryFrom(KINDS[0], url).unknown : [],
    before: before && last ? url.searchParams.get("before") : null,
    records: page.map(({ kind, record: { decline, ...record } }): Choosable => {
      const one = record as AnyRecord;
      const job = { kind, record: one };
      const notes = doubtsOf({ ...job, ...notedOf(job, context.now, dayOf) });
      return { kind: kind.name, value: itemKey(kind.name, one.id), record: one, decline, notes };
    }),
    /** The number of records that can be chosen; these are a page of them. */
    total,
    hasLogged: logged.length > 0,
    olderHref: all.length > ITEMS_MAX && last ? newRequestHref(filter, formatPosition(positionOf(last))) : null,
    isAll: url.searchParams.has("all"),
  };
}

/** The URL of the page with a filter, from a position on. */
function newRequestHref(filter: ChoiceFilter, before: string | null, more: Record<string, string> = {}): string {
  return logHref("/requests/new", { ...filter, before: before ?? "", ...more });
}

/** A status that nothing here has is ignored: the link in a filtered log passes its filter on. */
function filterFrom(url: URL): ChoiceFilter {
  const [first] = KINDS;
  if (!first) throw new Error("there is no kind of record");
  const { filter } = logQueryFrom(first, url);
  const kind = KINDS.find(({ name }) => name === url.searchParams.get("kind"));
  const idOf = (name: string) => String(parseId(url.searchParams.get(name)) || "");
  return {
    ...filter,
    status: ASKABLE.find((status) => status === filter.status) ?? "",
    kind: kind?.name ?? "",
    import: idOf("import"),
    saved: idOf("saved"),
  };
}

function withoutOthers(url: URL): URL {
  const copy = new URL(url);
  if (!ASKABLE.some((status) => status === url.searchParams.get("status"))) copy.searchParams.delete("status");
  return copy;
}

function positionOf({ kind, record }: { kind: Kind; record: AnyRecord }): Position {
  return { date: dateOf(kind, record), kind: KINDS.indexOf(kind), id: record.id };
}

function compare(one: Position, other: Position): number {
  if (one.date !== other.date) return one.date > other.date ? -1 : 1;
  return one.kind - other.kind || other.id - one.id;
}

/** The cursor in the list of one kind for a position in the list of all. */
function cursorIn(kind: Kind, { date, kind: at, id }: Position): { date: string; id: number } {
  const index = KINDS.indexOf(kind);
  if (index === at) return { date, id };
  return { date, id: index > at ? Number.MAX_SAFE_INTEGER : 0 };
}

function formatPosition({ date, kind, id }: Position): string {
  return `${date}.${KINDS[kind]?.name}.${id}`;
}

function parsePosition(text: string | null): Position | null {
  const [, date, name, id] = text?.match(/^(\d{4}-\d{2}-\d{2})\.(\w+)\.(\d{1,15})$/) ?? [];
  const kind = KINDS.findIndex((one) => one.name === name);
  return date && isCalendarDate(date) && kind >= 0 ? { date, kind, id: Number(id) } : null;
}

type Facts = ReturnType<typeof useLoaderData<typeof loader>>;

/** Chooses records and a supervisor, who gets one link for all of them. */
export default function NewRequest() {
  const answer = useActionData<typeof action>();
  const facts = useLoaderData<typeof loader>();
  const { records, filter, unknown, isFirst, hasLogged } = facts;
  const isEmpty = records.length === 0;
  return (
    <SignedInLayout current="/requests" toast={answer?.failure}>
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
          found={isEmpty ? "No records match this filter." : countText(facts)}
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
        <RequestForm {...facts} reply={answer?.reply ?? null} />
      )}
    </SignedInLayout>
  );
}

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

/** The categories for which a supervisor can get a request: not documents of the category `other`. */
const ASKED_CATEGORIES = CATEGORIES.filter((category) => category !== kindNamed("certificate").unasked?.subtype);

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

type FormProps = Facts & { reply: SubmissionResult<string[]> | null };

function RequestForm(props: FormProps) {
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

type RecordsProps = Facts & { checked: Set<string>; message: string | undefined };

/** `100 of 146 records`, or how many there are if the page has all of them. */
function countText({ records, total }: Pick<Facts, "records" | "total">): string {
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
