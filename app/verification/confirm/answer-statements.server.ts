import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { areAddressesUnchanged } from "#app/accounts/own-addresses.server.ts";
import { appendEvents } from "#app/audit-log/log.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { forEachKind, type Kind } from "#app/records/kinds.ts";
import { areUnchanged } from "#app/records/unchanged.server.ts";
import { queueDigest } from "#app/verification/digest.server.ts";
import type { FoundLink, LinkItem } from "#app/verification/link.server.ts";
import { itemKey } from "#app/verification/record.ts";
import { verificationAnswers, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
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
  const guard = sql.join(
    [
      isWaiting(request.id, decided, now),
      isOwnerUnchanged(owner),
      ...areUnchanged(decided),
      ...(addresses ? [areAddressesUnchanged(context, addresses)] : []),
    ],
    sql` AND `,
  );
  const answerId = sql`(SELECT id FROM ${verificationAnswers} WHERE key = ${key})`;
  return {
    answered: db
      .insert(verificationAnswers)
      .select(sql`SELECT NULL, ${request.id}, ${key}, ${supervisorName}, ${via}, ${now.getTime()}, NULL WHERE ${guard}`)
      .returning({ id: verificationAnswers.id }),
    rest: {
      log: appendEvents(
        db,
        decided.map((item) => ({
          position: { kind: item.kind.name, id: item.record.id, userId: owner.id, last: item.last },
          event: decisionEvent(context, link, answers, item),
        })),
        sql`WHERE ${isAnswered}`,
      ),
      records: forEachKind((kind) =>
        db
          .update(kind.table)
          .set({
            ...{ verified: true, verifiedBy: supervisorName, verifiedAt: now, verifiedVia: via },
            ...{ requestedAt: null, declinedAt: null },
            search: sql`search || char(10) || ${searchText(supervisorName)}`,
          })
          .where(sql`id IN (SELECT value FROM json_each(${idsOf(kind, verified)})) AND ${isAnswered}`),
      ),
      verifiedItems: db
        .update(verificationItems)
        .set({ state: "verified", decidedAt: now, answerId })
        .where(sql`request_id = ${request.id} AND ${isItemOf(verified)} AND ${isAnswered}`),
      declinedItems: db
        .update(verificationItems)
        .set({ state: "declined", decidedAt: now, answerId, reason: reasonSql(declined, answers) })
        .where(sql`request_id = ${request.id} AND ${isItemOf(declined)} AND ${isAnswered}`),
      // The first decision counts: the records wait in no other request.
      otherItems: db
        .update(verificationItems)
        .set({ state: "ended", cause: "elsewhere", decidedAt: now })
        .where(sql`state = 'waiting' AND ${isItemOf(decided)} AND ${isAnswered}`),
      mail: queueDigest(context, {
        ...{ userId: owner.id, requestId: request.id },
        ...{ events: decided.length, onlyIf: isAnswered },
      }),
    },
  };
}

function idsOf(kind: Kind, items: LinkItem[]): string {
  return JSON.stringify(items.filter((item) => item.kind === kind).map(({ record }) => record.id));
}

/** The condition that an item is one of these. */
function isItemOf(items: LinkItem[]): SQL {
  const keys = JSON.stringify(items.map(({ kind, record }) => ({ kind: kind.name, id: record.id })));
  return sql`(record_kind, record_id) IN (SELECT value ->> 'kind', value ->> 'id' FROM json_each(${keys}))`;
}

/** The reason of a declined item, by its key. */
function reasonSql(items: LinkItem[], { declined }: Answers): SQL<string> {
  const reasons = items.map(({ kind, record }) => {
    const key = itemKey(kind.name, record.id);
    return { key, reason: declined?.get(key) };
  });
  return sql`(SELECT value ->> 'reason' FROM json_each(${JSON.stringify(reasons)})
    WHERE value ->> 'key' = record_kind || ':' || record_id)`;
}

function isWaiting(requestId: number, items: LinkItem[], now: Date): SQL {
  return sql`EXISTS (SELECT 1 FROM ${verificationRequests} WHERE id = ${requestId} AND expires_at > ${now.getTime()})
    AND ${items.length} = (SELECT count(*) FROM ${verificationItems}
      WHERE request_id = ${requestId} AND state = 'waiting' AND ${isItemOf(items)})`;
}

/** The supervisor was also shown the technician's name and number. */
function isOwnerUnchanged({ id, name, employeeNumber }: FoundLink["owner"]): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users}
    WHERE id = ${id} AND name IS ${name} AND employee_number IS ${employeeNumber})`;
}
