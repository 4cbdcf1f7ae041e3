import { type SQL, sql } from "drizzle-orm";

/**
 * Selects what a user keeps about a supervisor with this address: saved supervisors, and open requests. An account cannot
 * get such an address, because nobody verifies their own hours. (Raw names: requests are above accounts.)
 */
export function supervisorsWithAddress(userId: number, email: string): SQL {
  return sql`SELECT id FROM supervisors WHERE user_id = ${userId} AND email = ${email} UNION ALL
    SELECT id FROM verification_requests WHERE user_id = ${userId} AND supervisor_email = ${email} AND ended_at IS NULL`;
}
