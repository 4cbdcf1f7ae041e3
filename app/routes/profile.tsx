import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sql } from "drizzle-orm";
import type { ReactNode } from "react";
import { lacksName } from "#app/accounts/details.server.ts";
import { asksToConfirm } from "#app/accounts/email-confirmation.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import { formatDate, formatDay } from "#app/calendar-date.ts";
import { type TargetHours, targetHoursFromRows, targetHoursQueries } from "#app/certification/target-hours.server.ts";
import { Island } from "#app/client/island.tsx";
import { FORM_METHODS, type Method } from "#app/db/enumerations.ts";
import { findLog, JustSaved, LogAgain, Places } from "#app/evidence/log.tsx";
import { Needs, needsQueries } from "#app/evidence/needs.tsx";
import { logCss } from "#app/log-css.ts";
import { ExportUnderLog } from "#app/pdf/export-screen.tsx";
import { STATEMENT } from "#app/pdf/forms.ts";
import profileStyles from "#app/profile.css?inline";
import { ENTRY_DETAILS, formDetails } from "#app/records/details.ts";
import { entriesAgain, hoursOfDay, type MethodTotal, totalsByMethod } from "#app/records/entry/entries.server.ts";
import { type Entry, entryKind, entryRules } from "#app/records/entry/entry.kind.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { draftOf } from "#app/records/entry/entry-rules.ts";
import { methodLabel, methodName, methodsShown } from "#app/records/entry/methods.ts";
import { Gauge } from "#app/records/gauge.tsx";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { BROUGHT_FORWARD, countRecords } from "#app/records/kind.ts";
import type { LogPage, LogRow, MonthSum } from "#app/records/log-page.server.ts";
import {
  LogState,
  NothingLogged,
  RecordLink,
  RecordLog,
  rowAttributes,
  rowsByMonth,
} from "#app/records/record-log.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { counted } from "#app/ui/counted.ts";
import { State } from "#app/ui/page.tsx";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

export const handle = { script: true, css: logCss(profileStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "OJT Hours · Hours Tracker" }];

export const loader = page(async (args) => {
  const { request, context } = args;
  const { own, ...found } = await findLog(args, entryKind, (owner, db, { url, today, savedId }) => {
    const again = url.searchParams.get("again") ?? "";
    return {
      totals: totalsByMethod(db, owner),
      target: targetHoursQueries(db, owner, today),
      needs: needsQueries(db, owner, today),
      ...(again && { again: entriesAgain(db, owner, again) }),
      ...(savedId && { day: hoursOfDay(db, owner, sql`(SELECT date FROM records WHERE id = ${savedId})`) }),
    };
  });
  const { user, today, justSaved } = found;
  return {
    ...found,
    isUnconfirmed: asksToConfirm(context, user),
    isNameless: await lacksName(context, request, user),
    totals: own.totals,
    target: targetHoursFromRows(own.target, today),
    rules: entryRules,
    details: formDetails(ENTRY_DETAILS),
    needs: own.needs,
    drafts: own.again?.map(draftOf) ?? [],
    day: new Set(justSaved.map(({ date }) => date)).size === 1 ? (own.day?.[0]?.hundredths ?? null) : null,
  };
});

export default function Profile() {
  const {
    user,
    log,
    totals,
    target,
    today,
    formKey,
    rules,
    details,
    saved,
    drafts,
    needs,
    justSaved,
    day,
    dialog,
    isUnconfirmed,
    isNameless,
  } = useLoaderData<typeof loader>();
  const isNewestPage = log.newerHref === null && log.found === null;
  const sum = (of: "count" | "unsent" | "hundredths" | "verified" | "requested" | "pending") =>
    totals.reduce((all, total) => all + total[of], 0);
  const count = sum("count");
  // Before the address is confirmed that comes first, and the form stays in sight on a phone.
  const asksAbove = !isUnconfirmed && justSaved.length === 0;
  const [verified, requested, pending] = [sum("verified"), sum("requested"), sum("pending")];
  const declined = sum("hundredths") - verified - requested - pending;
  return (
    <SignedInLayout
      current="/profile"
      says={justSaved.length > 0 ? "itself" : "toast"}
      dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}
    >
      <UserCard user={user}>
        {verified > 0 && (
          <p className="sum">
            <State of="verified">{`${formatHours(verified)} h verified`}</State>
          </p>
        )}
        {isUnconfirmed && (
          <p>
            <State of="requested">
              <a href="/account">Confirm your email</a>
            </State>
          </p>
        )}
      </UserCard>
      <JustSaved kind={entryKind} saved={justSaved} day={day}>
        <a href={`/rope-hours?with=${justSaved.at(-1)?.id}`}>Add rope hours</a>
      </JustSaved>
      {justSaved.length === 0 && (
        <Needs found={needs} today={today} kind={entryKind} pending={asksAbove ? sum("unsent") : 0} />
      )}
      <section aria-labelledby="new">
        <h2 id="new">Add New OJT Hours</h2>
        {isNewestPage && <LogAgain kind={entryKind} records={log.records} againOf={([first]) => first?.date ?? ""} />}
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, details, drafts, saved, reply: null }}
        />
        <p>
          <button type="submit" form="entry" formAction="/shift" name="share" className="quiet" data-busy="Sharing...">
            Share this shift
          </button>
        </p>
        <Places records={log.records} />
      </section>
      {count === 0 && <FirstSteps />}
      <section className="readings" aria-label="Your hours">
        <Gauge {...(target ?? { verified, requested, pending, declined })} required={target?.required}>
          {target && <TargetLine target={target} />}
        </Gauge>
      </section>
      <section aria-labelledby="log">
        <EntryLog
          page={log}
          totals={totals}
          asksAbove={asksAbove}
          title={
            <>
              <h2 id="log">Experience Hours (OJT) Log</h2>
              <span className="hint">{countRecords(count)}</span>
            </>
          }
          tools={
            <ExportUnderLog
              form="ojt"
              name={user.name}
              formKey={formKey}
              hasVerified={verified > 0}
              isNameless={isNameless}
              leftOut={totals
                .filter(({ method }) => !FORM_METHODS.some((one) => one === method))
                .reduce((all, total) => all + total.verified, 0)}
            />
          }
        />
      </section>
      <SignatureBlock name={displayName(user)} today={today} />
    </SignedInLayout>
  );
}

/** The user's name, or New User without one, and the employee number if set; then what the page says of their hours. */
function UserCard({ user: { name, employeeNumber }, children }: { user: User; children: ReactNode }) {
  return (
    <section className="person" aria-label="Your account">
      <div>
        <h1>{name || "New User"}</h1>
        {employeeNumber && <p className="hint">{`Employee # ${employeeNumber}`}</p>}
        {!name && (
          <p>
            <a href="/account">Add your name and employee number</a>
          </p>
        )}
      </div>
      {children}
    </section>
  );
}

/** How many methods of a target are named. */
const LISTED_METHODS = 9;

/** The hours that a target still needs, above the gauge of its hours, and the way to its progress. */
function TargetLine({ target: { title, methods, remaining } }: { target: TargetHours }) {
  return (
    <p>
      <a href="/progress">
        <b>{remaining === 0 ? "Reached" : `${formatHours(remaining)} h to go`}</b>
      </a>
      <span className="hint">
        {`: ${title} (${methods.length > LISTED_METHODS ? counted(methods.length, "method") : methods.map(methodLabel).join(", ")})`}
      </span>
    </p>
  );
}

const STEPS = [
  ["Log", "Enter the hours of your last shift in the form above."],
  ["Ask", "Send your supervisor a link. They need no account."],
  ["Export", "Verified hours become a form that an auditor can check."],
] as const;

/** What a new technician does, before there is a log. It stands below the form, which is the first step and is first on a phone. */
function FirstSteps() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">How it works</h2>
      <ol className="steps">
        {STEPS.map(([name, text], index) => (
          <li key={name}>
            <span className="hours" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{name}</b>
              <p className="hint">{text}</p>
              {index === 0 && (
                <a className="second" href="/import">
                  Import earlier hours
                </a>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface EntryLogProps {
  page: LogPage<Entry>;
  /** The heading of the log, and the export. */
  title: ReactNode;
  tools: ReactNode;
  /** Of all the user's entries, including those on other pages. */
  totals: MethodTotal[];
  /** Whether the page leads to the request for all pending entries above. */
  asksAbove: boolean;
}

/** Experience Hours (OJT) Log (spec section 2). On narrow screens the style sheet shows each row as a card. */
function EntryLog({ page, totals, asksAbove, ...head }: EntryLogProps) {
  if (totals.length === 0 && !page.found) {
    return (
      <NothingLogged kind={entryKind} page={page} {...head}>
        Nothing logged yet. Enter your first job in the form above.
      </NothingLogged>
    );
  }
  const methods = methodsShown([...totals, ...page.months]);
  return (
    <RecordLog kind={entryKind} page={page} asksAbove={asksAbove && !page.found} {...head}>
      <div className={methods.length > FORM_METHODS.length ? "wide" : undefined}>
        <LogTable methods={methods} totals={totals} found={page.found?.methods ?? []}>
          <tbody>
            {rowsByMonth(
              page,
              ({ date }) => date,
              (name, sums) => (
                <MonthRow methods={methods} name={name} sums={sums} />
              ),
              (entry) => (
                <EntryRow methods={methods} entry={entry} page={page} />
              ),
            )}
          </tbody>
        </LogTable>
      </div>
      <p className="legend">Verified Entry</p>
    </RecordLog>
  );
}

type Totals = readonly Pick<MethodTotal, "method" | "hundredths">[];

interface LogTableProps {
  /** Those that have a column. */
  methods: Method[];
  totals: Totals;
  /** Of the entries that match the filter. */
  found: Totals;
  children: ReactNode;
}

function LogTable({ methods, totals, found, children }: LogTableProps) {
  return (
    <table className="list log">
      <colgroup>
        <col className="day" />
        <col className="where" />
        <col span={methods.length} className="method-column" />
        <col className="sign" />
      </colgroup>
      <thead>
        <tr>
          <th>Job Date</th>
          <th>Job Location</th>
          {methods.map((method) => (
            <th key={method} className="method-column" data-tip={methodName(method)}>
              {methodLabel(method)}
            </th>
          ))}
          <th className="sign">Supervisor Signature</th>
        </tr>
      </thead>
      {children}
      <tfoot className={found.length > 0 ? undefined : "alone"}>
        {found.length > 0 && <TotalRow methods={methods} label="Hours shown by the filter:" totals={found} />}
        <TotalRow methods={methods} label="Total Hours:" totals={totals} />
      </tfoot>
    </table>
  );
}

function TotalRow({ methods, label, totals }: Pick<LogTableProps, "methods" | "totals"> & { label: string }) {
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <tr>
      <th colSpan={2}>{label}</th>
      {methods.map((method) => (
        <td key={method} data-label={methodLabel(method)}>
          {formatHours(totalOf.get(method) ?? 0)}
        </td>
      ))}
      <td className="sum">{`${formatHours(totals.reduce((sum, { hundredths }) => sum + hundredths, 0))} h logged`}</td>
    </tr>
  );
}

/** The name of a month, and its hours in the columns of their methods. */
function MonthRow({ methods, name, sums }: { methods: Method[]; name: string; sums: MonthSum[] }) {
  const total = sums.reduce((sum, { hundredths }) => sum + hundredths, 0);
  return (
    <tr className="month">
      <th colSpan={2} scope="rowgroup">
        {name}
      </th>
      {methods.map((method) => {
        const sum = sums.find((one) => one.method === method);
        return <td key={method}>{sum && formatHours(sum.hundredths)}</td>;
      })}
      <td className="sum">{`${formatHours(total)} h`}</td>
    </tr>
  );
}

/** A row has an empty cell for each of the other methods. On a card all of it leads to the record (app/every-signed-in-page.css). */
function EntryRow({ methods, entry, page }: { methods: Method[]; entry: LogRow<Entry>; page: LogPage<Entry> }) {
  const { date, location, method, hours, broughtForward } = entry;
  return (
    <tr {...rowAttributes(entry, page)}>
      <td>
        <RecordLink kind={entryKind} record={entry}>
          <time dateTime={date}>{formatDay(date)}</time>
        </RecordLink>
      </td>
      <td className="place">
        {location}
        {broughtForward && <span className="hint">{` ${BROUGHT_FORWARD}`}</span>}
      </td>
      {methods.map((column) =>
        column === method ? (
          <td key={column} data-label={methodLabel(column)}>
            {formatHours(toHundredths(hours))}
          </td>
        ) : (
          <td key={column} />
        ),
      )}
      <LogState kind={entryKind} record={entry} page={page} />
    </tr>
  );
}

/** The digital signature block of /profile. `today` is the user's current date, `YYYY-MM-DD`. */
function SignatureBlock({ name, today }: { name: string; today: string }) {
  return (
    <section className="signature" aria-labelledby="signature">
      <h2 id="signature">Digital Signature</h2>
      <p className="apart">
        <b>{name}</b>
        <time className="hint" dateTime={today} data-today={today}>
          {formatDate(today)}
        </time>
      </p>
      <p>{STATEMENT}</p>
    </section>
  );
}
