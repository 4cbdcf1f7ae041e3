import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { listRecords } from "#app/records/queries.server.ts";
import { dueEmails } from "#app/supervisor-mail/request.server.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { ownRequestsQueries } from "./own-requests.server.ts";

/* Query plans of the lists of requests. tests/worker/pages.test.ts checks that no statement of the app scans a table. */

const db = await startDatabase();
const orm = connect(db);

async function planOf(statement: { toSQL(): { sql: string; params: unknown[] } }): Promise<string> {
  const { sql, params } = statement.toSQL();
  const plan = await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, ...params);
  return plan.map(({ detail }) => detail).join("\n");
}

test("the records that can be asked for are read in order from the index of unverified ones", async () => {
  for (const kind of KINDS) {
    const where = sql`verified = 0 AND requested_at IS NULL`;
    for (const before of [null, { date: "2026-11-20", id: 7 }]) {
      const plan = await planOf(listRecords(orm, 1, kind, { before, where, limit: 101 }));
      expect(plan).toMatch(/USING INDEX \w+_unverified/);
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  }
});

test("a technician's requests are read in order from their index, and their items by the request", async () => {
  const { requests, items, emailed } = ownRequestsQueries(orm, 1);
  expect(await planOf(requests)).toMatch(/USING INDEX verification_requests_by_user/);
  expect(await planOf(requests)).not.toMatch(/SCAN|TEMP B-TREE/);
  expect(await planOf(items)).toMatch(/SEARCH verification_items USING PRIMARY KEY \(request_id=\?\)/);
  expect(await planOf(emailed)).toMatch(/SEARCH outbox USING INDEX outbox_by_request/);
});

test("the emails that the timer queues next are read in order from their index, however many wait", async () => {
  const plan = await planOf(dueEmails(orm, new Date()));
  expect(plan).toMatch(/USING INDEX verification_requests_to_mail \(mail_at<\?\)/);
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
});
