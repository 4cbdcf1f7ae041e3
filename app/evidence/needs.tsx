import { sql } from "drizzle-orm";
import type { ReactNode } from "react";
import { addDays, daysBetween } from "#app/calendar-date.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { certificateKind, SOON_DAYS } from "#app/records/certificates/certificate.kind.ts";
import { type Kind, LOG_ANCHOR, logHref, recordPath } from "#app/records/kind.ts";
import { parsedDecline } from "#app/records/log-page.server.ts";
import { IS_LIVE, listByEnd, STATUS_CONDITIONS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { counted } from "#app/ui/counted.ts";
import { LAST_DECLINE } from "#app/verification/decision.server.ts";

/** How long a certificate is listed after it has expired, in days. */
const EXPIRED_DAYS = 30;

/** The queries of what waits for the technician. `today` is their day. Read the answers with `Needs`. */
export function needsQueries(db: Db, owner: Owner, today: string) {
  const isDeclined = sql`user_id = ${owner} AND ${IS_LIVE} AND ${STATUS_CONDITIONS.declined}`;
  const isRenewed = sql`EXISTS (SELECT 1 FROM ${records} AS later WHERE later.user_id = ${owner}
    AND later.kind = ${certificateKind.name} AND later.deleted_at IS NULL AND later.revoked_on IS NULL AND later.subtype = records.subtype
    AND later.method IS records.method AND coalesce(later.end_date, '9999') > records.end_date)`;
  return {
    declined: db
      .select({
        id: records.id,
        kind: records.kind,
        decline: parsedDecline(LAST_DECLINE),
        count: sql<number>`(SELECT count(*) FROM ${records} WHERE ${isDeclined})`.as("count"),
      })
      .from(records)
      .where(isDeclined)
      .orderBy(sql`declined_at DESC`)
      .limit(1),
    ending: listByEnd(db, owner, certificateKind, {
      within: [addDays(today, -EXPIRED_DAYS), addDays(today, SOON_DAYS)],
      where: sql`NOT ${isRenewed}`,
      limit: 1,
    }),
  };
}

interface NeedsProps {
  found: Rows<ReturnType<typeof needsQueries>>;
  today: string;
  /** The kind of the page's log, and how many of its records are pending. */
  kind: Kind;
  pending: number;
}

/** The most of a reason that is shown. The record's page has all of it. */
const REASON_MAX = 60;

/** At most three lines about what the technician should do next, the worst first; nothing if nothing waits for them. */
export function Needs({ found: { declined, ending }, today, kind, pending }: NeedsProps) {
  const needs: { mark: string; text: ReactNode; href: string; act: string }[] = [];
  for (const { id, kind: name, decline, count } of declined) {
    const own = kindNamed(name);
    const reason = [...(decline.reason ?? "")];
    needs.push({
      mark: "declined",
      text: (
        <>
          {`${count} declined`}
          <i>
            {" by "}
            <bdi>{decline.by ?? "a supervisor"}</bdi>
          </i>
          {reason.length > 0 && (
            <>
              {": "}
              <bdi>{reason.length > REASON_MAX ? `${reason.slice(0, REASON_MAX).join("")}…` : reason.join("")}</bdi>
            </>
          )}
        </>
      ),
      ...(count === 1
        ? { href: `${recordPath(own, id)}/edit`, act: "Correct it" }
        : { href: logHref(own.path, { status: "declined" }) + LOG_ANCHOR, act: "See them" }),
    });
  }
  if (pending > 0) {
    needs.push({
      mark: "pending",
      text: (
        <>
          {pending.toLocaleString("en")}
          <i>{` ${kind.adminTexts.counted[pending === 1 ? 0 : 1]}`}</i> not sent yet
        </>
      ),
      href: logHref("/requests/new", { all: "1", kind: kind.name }),
      act: "Request verification",
    });
  }
  for (const { title, expiresOn } of ending) {
    const days = daysBetween(today, expiresOn ?? today);
    needs.push({
      mark: days < 0 ? "over" : "ends",
      text: (
        <>
          <bdi>{title}</bdi>
          {days < 0 ? " has expired" : days === 0 ? " expires today" : ` expires in ${counted(days, "day")}`}
        </>
      ),
      href: `${certificateKind.path}/new`,
      act: "Renew",
    });
  }
  if (needs.length === 0) return null;
  return (
    <section className="needs" aria-labelledby="needs">
      <h2 id="needs">What needs you</h2>
      <ul>
        {needs.map(({ mark, text, href, act }) => (
          <li key={mark}>
            <span className={`${mark} state`}>{text}</span>
            <a href={href}>{act}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
