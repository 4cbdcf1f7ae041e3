import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { areAddressesUnchanged } from "#app/accounts/own-addresses.server.ts";
import { appendEvents, timeAfter } from "#app/audit-log/log.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { areUnchanged } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { queueDigest } from "#app/verification/digest.server.ts";
import type { FoundLink, LinkItem } from "#app/verification/link.server.ts";
import { itemKey } from "#app/verification/record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { isNotSuppressed } from "#app/verification/telling/suppression.server.ts";
import type { Answers } from "./answers.ts";
import { decisionEvent } from "./decision-event.server.ts";

interface Divided {
  verified: LinkItem[];
  declined: LinkItem[];
}

/**
 * The statements that store a supervisor's answers, all or none: `answered` stores them only if every record that they
 * decide still waits and is as it was read, and the others depend on it. Any other change of such a record appends to its
 * log, so the events are refused as well if it comes between reading and writing (`retryOnConflict`).
 */
export function answerStatements(
  context: AppLoadContext,
  link: FoundLink,
  answers: Answers,
  { verified, declined }: Divided,
) {
  const { db, now } = context;
  const { request, owner, addresses } = link;
  const { supervisorName, via } = answers;
  const key = crypto.randomUUID();
  const isAnswered = sql`EXISTS (SELECT 1 FROM ${verificationAnswers} WHERE key = ${key})`;
  const decided = [...verified, ...declined];
  const at = timeAfter(
    now,
    decided.map(({ last }) => last),
  );
  const guard = sql.join(
    [
      isWaiting(request, decided, now),
      isOwnerUnchanged(owner),
      areUnchanged(decided),
      ...(addresses ? [areAddressesUnchanged(context, addresses)] : []),
    ],
    sql` AND `,
  );
  const { supervisorEmail } = request;
  const suppressed = supervisorEmail === null ? sql`0` : sql`NOT ${isNotSuppressed(context.secret, supervisorEmail)}`;
  const answerId = sql`(SELECT id FROM ${verificationAnswers} WHERE key = ${key})`;
  return {
    answered: db
      .insert(verificationAnswers)
      .select(
        sql`SELECT NULL, ${request.id}, ${key}, ${supervisorName}, ${via}, ${at.getTime()}, NULL,
        ${suppressed} WHERE ${guard}`,
      )
      .returning({ id: verificationAnswers.id }),
    rest: {
      log: appendEvents(
        db,
        decided.map((item) => ({
          position: { id: item.record.id, userId: owner.id, last: item.last },
          event: decisionEvent(context.client, link, answers, item, at),
        })),
        sql`WHERE ${isAnswered}`,
      ),
      records: db
        .update(records)
        .set({
          ...{ verified: true, verifiedBy: supervisorName, verifiedAt: at, verifiedVia: via },
          ...{ requestedAt: null, declinedAt: null },
          search: sql`search || char(10) || ${searchText(supervisorName)}`,
        })
        .where(sql`id IN ${idsOf(verified)} AND ${isAnswered}`),
      verifiedItems: db
        .update(verificationItems)
        .set({ state: "verified", decidedAt: at, answerId })
        .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(verified)} AND ${isAnswered}`),
      declinedItems: db
        .update(verificationItems)
        .set({ state: "declined", decidedAt: at, answerId, reason: reasonSql(declined, answers) })
        .where(sql`request_id = ${request.id} AND record_id IN ${idsOf(declined)} AND ${isAnswered}`),
      // The first decision counts: the records wait in no other request.
      otherItems: db
        .update(verificationItems)
        .set({ state: "ended", cause: "elsewhere", decidedAt: at })
        .where(sql`state = 'waiting' AND record_id IN ${idsOf(decided)} AND ${isAnswered}`),
      mail: queueDigest(context, {
        ...{ userId: owner.id, requestId: request.id },
        ...{ events: decided.length, onlyIf: isAnswered },
      }),
    },
  };
}

function idsOf(items: LinkItem[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(items.map(({ record }) => record.id))}))`;
}

/** The reason of a declined item. */
function reasonSql(items: LinkItem[], { declined }: Answers): SQL<string> {
  const reasons = items.map(({ kind, record: { id } }) => ({ id, reason: declined?.get(itemKey(kind.name, id)) }));
  return sql`(SELECT value ->> 'reason' FROM json_each(${JSON.stringify(reasons)})
    WHERE value ->> 'id' = record_id)`;
}

/** The request also still has the address that the event names. */
function isWaiting({ id, supervisorEmail }: FoundLink["request"], items: LinkItem[], now: Date): SQL {
  return sql`EXISTS (SELECT 1 FROM ${verificationRequests}
      WHERE id = ${id} AND expires_at > ${now.getTime()} AND supervisor_email IS ${supervisorEmail})
    AND ${items.length} = (SELECT count(*) FROM ${verificationItems}
      WHERE request_id = ${id} AND state = 'waiting' AND record_id IN ${idsOf(items)})`;
}

/** The supervisor was also shown the technician's name and number. */
function isOwnerUnchanged({ id, name, employeeNumber }: FoundLink["owner"]): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users}
    WHERE id = ${id} AND name IS ${name} AND employee_number IS ${employeeNumber})`;
}
