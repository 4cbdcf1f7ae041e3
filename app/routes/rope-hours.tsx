import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sql } from "drizzle-orm";
import type { ReactNode } from "react";
import { lacksName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Island } from "#app/client/island.tsx";
import type { Db, Owner } from "#app/db/client.server.ts";
import { findLog, JustSaved, LogAgain, Places } from "#app/evidence/log.tsx";
import { logCss } from "#app/log-css.ts";
import { ExportUnderLog } from "#app/pdf/export-screen.tsx";
import { formDetails, ROPE_DETAILS } from "#app/records/details.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { periodOf } from "#app/records/kind.ts";
import type { LogPage, LogRow } from "#app/records/log-page.server.ts";
import { findRecord, isOwn, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { Value } from "#app/records/record-facts.tsx";
import {
  LogState,
  NothingLogged,
  RecordLink,
  RecordLog,
  rowAttributes,
  rowsByMonth,
} from "#app/records/record-log.tsx";
import { records } from "#app/records/records.table.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { type RopeHours, ropeHoursKind, ropeHoursRules } from "#app/records/rope-hours/rope-hours.kind.ts";
import { draftOf } from "#app/records/rope-hours/rope-rules.ts";
import ropeHoursStyles from "#app/rope-hours.css?inline";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

export const handle = { script: true, css: logCss(ropeHoursStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

/** The sum of verified rope hours (spec section 9) in hundredths, which SQLite adds exactly. */
function totalVerifiedRopeHours(db: Db, owner: Owner) {
  return db
    .select({ hundredths: SUM_OF_HOURS.as("total") })
    .from(records)
    .where(sql`${isOwn(owner, ropeHoursKind)} AND verified = 1`);
}

export const loader = page(async (args) => {
  const { request, context } = args;
  const { own, ...found } = await findLog(args, ropeHoursKind, (owner, db, { url }) => {
    const [againId, withId] = [url.searchParams.get("again"), url.searchParams.get("with")].map(parseId);
    return {
      total: totalVerifiedRopeHours(db, owner),
      ...(againId && { again: findRecord(db, owner, ropeHoursKind, againId) }),
      ...(withId && { shift: findRecord(db, owner, entryKind, withId) }),
    };
  });
  return {
    ...found,
    isNameless: await lacksName(context, request, found.user),
    total: own.total[0]?.hundredths ?? 0,
    rules: ropeHoursRules,
    details: formDetails(ROPE_DETAILS),
    draft: draftOf({ again: own.again?.[0], shift: own.shift?.[0] }, found.today),
  };
});

export default function RopeHoursPage() {
  const { user, isNameless, log, isEmpty, total, formKey, today, rules, details, saved, draft, justSaved, dialog } =
    useLoaderData<typeof loader>();
  return (
    <SignedInLayout
      current="/rope-hours"
      says={justSaved.length > 0 ? "itself" : "toast"}
      dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}
    >
      <h1>Rope Hours</h1>
      <JustSaved kind={ropeHoursKind} saved={justSaved} />
      <section aria-labelledby="new">
        <h2 id="new">Add rope hours</h2>
        {log.newerHref === null && log.found === null && (
          <LogAgain kind={ropeHoursKind} records={log.records} againOf={(day) => day.at(-1)?.id ?? ""} />
        )}
        <Island
          of={RopeForm}
          name="records/rope-hours/rope-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, details, draft, saved, reply: null }}
        />
        <Places records={log.records} />
      </section>
      <dl className="total">
        <div>
          <dt>Total Verified Hours</dt>
          <dd className="hours">{formatHours(total)}</dd>
        </div>
        {log.found && (
          <div>
            <dt>Verified hours shown by the filter</dt>
            <dd className="hours">{formatHours(log.found.verified)}</dd>
          </div>
        )}
      </dl>
      <section aria-labelledby="log">
        <RopeLog
          page={log}
          isEmpty={isEmpty}
          title={<h2 id="log">History</h2>}
          tools={
            <ExportUnderLog
              form="rope-access-log"
              name={user.name}
              formKey={formKey}
              hasVerified={total > 0}
              isNameless={isNameless}
            />
          }
        />
      </section>
    </SignedInLayout>
  );
}

interface RopeLogProps {
  page: LogPage<RopeHours>;
  /** Whether the user has no rope hours: an unfiltered first page is empty. */
  isEmpty: boolean;
  /** The heading of the log, and the export. */
  title: ReactNode;
  tools: ReactNode;
}

/** The history of rope hours. On narrow screens the style sheet shows each row as a card. */
function RopeLog({ page, isEmpty, ...head }: RopeLogProps) {
  if (isEmpty) {
    return (
      <NothingLogged kind={ropeHoursKind} page={page} {...head}>
        Nothing logged yet. Enter your first rope hours in the form above.
      </NothingLogged>
    );
  }
  return (
    <RecordLog kind={ropeHoursKind} page={page} {...head}>
      {page.records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Period</th>
              <th>Location</th>
              <th>Skills</th>
              <th className="number">Hours</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {rowsByMonth(
              page,
              ({ startDate }) => startDate,
              (name, [sum]) => (
                <tr className="month">
                  <th colSpan={3} scope="rowgroup">
                    {name}
                  </th>
                  <td className="sum">{`${formatHours(sum?.hundredths ?? 0)} h`}</td>
                  <td />
                </tr>
              ),
              (record) => (
                <RopeRow record={record} page={page} />
              ),
            )}
          </tbody>
        </table>
      )}
    </RecordLog>
  );
}

function RopeRow({ record, page }: { record: LogRow<RopeHours>; page: LogPage<RopeHours> }) {
  const { location, skills, hours } = record;
  return (
    <tr {...rowAttributes(record, page)}>
      <td>
        <RecordLink kind={ropeHoursKind} record={record}>
          <Value of={periodOf(record)} weekdays />
        </RecordLink>
      </td>
      <td className="place">{location}</td>
      <td className="text full">{skills}</td>
      <td className="number">{formatHours(toHundredths(hours))}</td>
      <LogState kind={ropeHoursKind} record={record} page={page} />
    </tr>
  );
}
