import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { viewerWith } from "#app/accounts/access.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { endedLinks, entries, ropeHours, users } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { entryColumns } from "#app/hours/entries.server.ts";
import { ropeHoursColumns } from "#app/hours/rope-hours.server.ts";
import { countTry, requireRoom, TOO_MANY_TOKENS, tokenLimit } from "#app/http/limits.server.ts";
import { securityEvent } from "#app/http/log.server.ts";
import { perRequest } from "#app/http/per-request.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { mailVerified } from "./mail.server.ts";
import { LINK_FAILURE, type Standing, type VerifiableRecord, verificationOf } from "./record.ts";

const NOWHERE: Standing = { state: "unknown", record: null, isOwn: false };

/**
 * Looks a link's token up, with who asks, in one round trip.
 * @throws {Refusal} 429 after too many unknown tokens from one network
 */
export const standingOf = perRequest(async (context: AppLoadContext, token: string): Promise<Standing> => {
  if (token === "") return NOWHERE; // no link at all
  const limit = tokenLimit(context);
  const { viewer, full, counted, ...found } = await viewerWith(context, (_owner, db) => ({
    ...countTry(context, limit, isUnknown(token)),
    ...recordWith(db, token),
  }));
  requireRoom(context, limit, full, TOO_MANY_TOKENS);
  const record = recordIn(found);
  const owner = found.owner[0];
  if (!record || !owner) return NOWHERE;
  return { state: verificationOf(record) ? "verified" : "open", record, isOwn: owner.id === viewer?.id };
});

/**
 * Verifies a record in a supervisor's name. One statement decides: of any number of confirmations, at any moment,
 * one finds the record unverified, and the others are told so.
 * @throws {Refusal} 409 where the record was verified before, or the link has ended
 */
export async function confirm(
  context: AppLoadContext,
  { type }: VerifiableRecord,
  token: string,
  supervisorName: string,
): Promise<VerifiableRecord> {
  const { db, now } = context;
  const unverified = sql`verification_token = ${token} AND verified = 0`;
  const verification = {
    verified: true,
    verifiedBy: supervisorName,
    verifiedAt: now,
    search: sql`search || char(10) || ${searchText(supervisorName)}`,
  };
  const { confirmed, ...found } = await batch(db, {
    confirmed:
      type === "entry"
        ? db.update(entries).set(verification).where(unverified).returning({ id: entries.id })
        : db.update(ropeHours).set(verification).where(unverified).returning({ id: ropeHours.id }),
    mail: mailVerified(context, type, token),
    ...recordWith(db, token),
  });
  const record = recordIn(found);
  if (confirmed.length === 0 || !record) throw new Refusal(409, LINK_FAILURE);
  securityEvent(context, "verified", { kind: type, record: confirmed[0]?.id ?? 0 });
  return record;
}

/** The statements that find the record with this token, of either kind, and whose it is. */
function recordWith(db: Db, token: string) {
  return {
    entry: db.select(entryColumns).from(entries).where(eq(entries.verificationToken, token)),
    ropeHour: db.select(ropeHoursColumns).from(ropeHours).where(eq(ropeHours.verificationToken, token)),
    owner: db
      .select({ id: users.id, name: users.name, employeeNumber: users.employeeNumber })
      .from(users)
      .where(
        sql`${users.id} IN (SELECT user_id FROM ${entries} WHERE verification_token = ${token}
          UNION ALL SELECT user_id FROM ${ropeHours} WHERE verification_token = ${token})`,
      ),
  };
}

/** Whether a token is none that was ever made for a link. */
function isUnknown(token: string) {
  return sql`NOT EXISTS (SELECT 1 FROM ${entries} WHERE verification_token = ${token}
    UNION ALL SELECT 1 FROM ${ropeHours} WHERE verification_token = ${token}
    UNION ALL SELECT 1 FROM ${endedLinks} WHERE token = ${token})`;
}

type Rows<Q> = { [K in keyof Q]: Awaited<Q[K]> };

/** The record as a supervisor sees it: of its owner the name and the employee number, and nothing more. */
function recordIn({ entry, ropeHour, owner }: Rows<ReturnType<typeof recordWith>>): VerifiableRecord | null {
  const [person] = owner;
  if (!person) return null;
  const user = { name: person.name, employeeNumber: person.employeeNumber };
  if (entry[0]) {
    const { userId: _, ...rest } = entry[0];
    return { type: "entry", user, entry: rest };
  }
  if (ropeHour[0]) {
    const { userId: _, ...rest } = ropeHour[0];
    return { type: "rope_hour", user, ropeHour: rest };
  }
  return null;
}
