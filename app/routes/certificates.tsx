import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { type SQL, sql } from "drizzle-orm";
import { Fragment } from "react";
import { addDays, daysBetween, formatDate } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import evidenceStyles from "#app/evidence/evidence.css?inline";
import { EvidenceScreen, findLog } from "#app/evidence/log.tsx";
import { logCss } from "#app/log-css.ts";
import { type Certificate, certificateKind, SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { continuityText, type WorkedMonth } from "#app/records/certificates/continuity.ts";
import { type Validity, validityOf } from "#app/records/certificates/validity.ts";
import { workedMonths } from "#app/records/certificates/worked-months.server.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { HatchPattern } from "#app/records/gauge.tsx";
import { choiceLabel, levelText } from "#app/records/kind.ts";
import type { LogPage, LogRow } from "#app/records/log-page.server.ts";
import { isOwn } from "#app/records/queries.server.ts";
import { LogState, NothingLogged, RecordLink, RecordLog, rowAttributes } from "#app/records/record-log.tsx";
import { records } from "#app/records/records.table.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true, css: logCss(evidenceStyles, true) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Certificates and tests · Hours Tracker" }];

export const loader = page((args) =>
  findLog(args, certificateKind, (owner, db, { today }) => ({
    terms: termsOf(db, owner, today),
    ...workedMonths(db, owner),
  })),
);

/** The query for how many certificates and tests are valid, how many of these expire soon, and how many have expired or are revoked. */
function termsOf(db: Db, owner: Owner, today: string) {
  const isRevoked = sql`coalesce(revoked_on <= ${today}, 0)`;
  // Examinations have no term.
  const counted = (condition: SQL) => sql<number>`coalesce(sum(subtype IS NOT 'examination' AND ${condition}), 0)`;
  return db
    .select({
      valid: counted(sql`NOT ${isRevoked} AND date <= ${today} AND coalesce(end_date >= ${today}, 1)`).as("valid"),
      ending: counted(
        sql`NOT ${isRevoked} AND date <= ${today} AND end_date BETWEEN ${today} AND ${addDays(today, SOON_DAYS)}`,
      ).as("ending"),
      ended: counted(sql`(${isRevoked} OR coalesce(end_date < ${today}, 0))`).as("ended"),
    })
    .from(records)
    .where(isOwn(owner, certificateKind));
}

export default function Certificates() {
  const { log, isEmpty, own, today, justSaved, dialog, formKey } = useLoaderData<typeof loader>();
  const [terms] = own.terms;
  const counts = !isEmpty && terms && (
    <dl className="counts">
      <div>
        <dt>
          <span className="done state">valid</span>
        </dt>
        <dd>{terms.valid}</dd>
      </div>
      <div>
        <dt>
          <span className="ends state">{`of these expiring within ${SOON_DAYS} days`}</span>
        </dt>
        <dd>{terms.ending}</dd>
      </div>
      <div>
        <dt>
          <span className="over state">expired or revoked</span>
        </dt>
        <dd>{terms.ended}</dd>
      </div>
    </dl>
  );
  return (
    <EvidenceScreen kind={certificateKind} add="Add certificate" {...{ counts, justSaved, dialog, formKey }}>
      <CertificateLog page={log} isEmpty={isEmpty} today={today} worked={[...own.worked, ...own.roped]} />
    </EvidenceScreen>
  );
}

const GROUPS: Record<Validity["group"], string> = {
  soon: `Expires within ${SOON_DAYS} days`,
  valid: "Valid",
  later: "Not valid yet",
  examination: "Examinations",
  ended: "Expired or revoked",
  deleted: "Deleted",
};

interface CertificateLogProps {
  page: LogPage<Certificate>;
  /** Whether the user has none: an unfiltered first page is empty. */
  isEmpty: boolean;
  today: string;
  worked: WorkedMonth[];
}

/** The certificates and tests of a technician: what expires first. On narrow screens each row is a card. */
function CertificateLog({ page, isEmpty, today, worked }: CertificateLogProps) {
  if (isEmpty) {
    return (
      <NothingLogged kind={certificateKind} page={page}>
        Nothing here yet. Add your certificates, examinations and vision tests, and see what expires and when.
      </NothingLogged>
    );
  }
  const rows = page.records.map((record) => ({ record, validity: validityOf(record, today) }));
  const groups = (Object.keys(GROUPS) as Validity["group"][]).flatMap((name) => {
    const own = rows.filter(({ validity }) => validity.group === name);
    const soonest = name === "soon" || name === "valid";
    if (soonest) own.sort((one, other) => (endOf(one.record) < endOf(other.record) ? -1 : 1));
    return own.length > 0 ? [{ name, rows: own }] : [];
  });
  return (
    <RecordLog kind={certificateKind} page={page}>
      {rows.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Certificate or test</th>
              <th>NDT Method</th>
              <th>Term</th>
              <th>Valid</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, rows }) => (
              <Fragment key={name}>
                <tr className="month">
                  <th colSpan={5} scope="rowgroup">
                    {GROUPS[name]} <span className="hint">{rows.length}</span>
                  </th>
                </tr>
                {rows.map(({ record, validity }) => (
                  <CertificateRow key={record.id} {...{ record, validity, page, today, worked }} />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > 0 && (
        <p className="hint">
          <svg className="key" width="0" height="0" aria-hidden="true">
            <HatchPattern />
          </svg>
          Grey has passed, the rest is left; hatched is not verified yet.
        </p>
      )}
    </RecordLog>
  );
}

/** Sorts after every date, for what never ends. */
const NEVER = "9";

function endOf({ expiresOn }: Certificate): string {
  return expiresOn ?? NEVER;
}

interface CertificateRowProps {
  record: LogRow<Certificate>;
  validity: Validity;
  page: LogPage<Certificate>;
  today: string;
  worked: WorkedMonth[];
}

function CertificateRow({ record, validity: { mark, text }, page, today, worked }: CertificateRowProps) {
  const { title, category, standard, method, level, part, number, issuer, scope, revokedReason } = record;
  const continuity = continuityText(record, worked, today);
  const what = category === "certificate" ? null : choiceLabel(category);
  const ofLevel = level && levelText(level, standard);
  const about = [what, part && choiceLabel(part), standard, ofLevel, scope, number, issuer].filter(Boolean).join(", ");
  return (
    <tr {...rowAttributes(record, page)}>
      <td>
        <RecordLink kind={certificateKind} record={record}>
          <b dir="auto">{title}</b>
        </RecordLink>
        {about && (
          <p className="hint" dir="auto">
            {about}
          </p>
        )}
        {revokedReason && (
          <p className="hint" dir="auto">
            {`Reason: ${revokedReason}`}
          </p>
        )}
        {continuity && <p className="hint">{continuity}</p>}
      </td>
      <td className="side">{method && <span className="plate">{methodLabel(method)}</span>}</td>
      <td className="bar full">
        <Term record={record} isSoon={mark === "ends"} today={today} />
      </td>
      <td className="full">{mark && <b className={`${mark} state`}>{text}</b>}</td>
      <LogState kind={certificateKind} record={record} page={page} />
    </tr>
  );
}

/** How much of its term has passed, or the score of an examination. */
function Term({ record, isSoon, today }: { record: Certificate; isSoon: boolean; today: string }) {
  const { category, issuedOn, expiresOn, score, verified } = record;
  const rest = verified ? (isSoon ? "soon" : "verified") : "open";
  const issued = <time dateTime={issuedOn}>{formatDate(issuedOn)}</time>;
  if (category === "examination" && score !== null) {
    return (
      <>
        <svg className="term" aria-hidden="true">
          <rect className="track" width="100%" height="12" />
          <rect className={rest} width={`${score}%`} height="12" />
        </svg>
        <p className="hint">
          <span>{`Score ${score} of 100`}</span>
          {issued}
        </p>
      </>
    );
  }
  if (expiresOn === null) return <p className="hint">{issued}</p>;
  const length = Math.max(daysBetween(issuedOn, expiresOn), 1);
  const gone = Math.min(Math.max(daysBetween(issuedOn, today) / length, 0), 1);
  const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;
  return (
    <>
      <svg className="term" aria-hidden="true">
        <rect className="track" width="100%" height="12" />
        <rect className="gone" width={percent(gone)} height="12" />
        {gone < 1 && <rect className={rest} x={percent(gone)} width={percent(1 - gone)} height="12" />}
      </svg>
      <p className="hint">
        {issued}
        <time dateTime={expiresOn}>{formatDate(expiresOn)}</time>
      </p>
    </>
  );
}
