import { expect, test } from "vitest";
import { type ComposeContext, isEmail } from "#app/mail/deliver.server.ts";
import { verificationEmails } from "#app/verification/emails.server.ts";
import { rows } from "#tests/worker/database.ts";
import { keptRows, startKeptDatabase } from "#tests/worker/kept-database.ts";
import { tokenNumber } from "#tests/worker/rows.ts";
import { batch, connect } from "./client.server.ts";
import { outbox } from "./schema.ts";

/*
 * Migration 0010 on kept databases of before: every link becomes a request of one record. Catches a link that stops
 * working, a request without its supervisor, an ended link that works again, and a waiting email that is never sent.
 */

const DAY = 24 * 60 * 60 * 1000;
const SECRET = "a secret for tests, of 32 bytes and more";
const KINDS = [
  ["entry", "entries"],
  ["rope_hour", "rope_hours"],
] as const;

/** The requests of a migrated database with their items, by token. */
async function requestsOf(db: D1Database): Promise<Map<unknown, Record<string, unknown>[]>> {
  const list = await rows(db, "SELECT * FROM verification_requests JOIN verification_items ON request_id = id");
  return new Map(list.map(({ token }) => [token, list.filter((item) => item.token === token)]));
}

for (const version of ["0003", "0005", "0006", "0007"]) {
  const kept = keptRows(version);
  const started = Date.now();
  const db = await startKeptDatabase(version);
  const requests = await requestsOf(db);

  /** The supervisor in the last request of a record's log. */
  function askedSupervisor(kind: string, id: unknown): { name: string; email: string } {
    const asked = kept.verification_log?.findLast(
      (event) => event.event === "requested" && event.record_kind === kind && event.record_id === id,
    );
    return JSON.parse(String(asked?.supervisor));
  }

  for (const [kind, table] of KINDS) {
    const withLink = (kept[table] ?? []).filter(({ verification_token }) => verification_token !== null);

    test(`${version}: every open link of ${table} is a request of that record which expires in 90 days`, async () => {
      const open = withLink.filter(({ verified }) => verified === 0);
      expect(open.length).toBeGreaterThan(0);
      for (const { id, user_id, verification_token } of open) {
        const { name, email } = askedSupervisor(kind, id);
        const found = requests.get(verification_token);
        expect(found).toMatchObject([
          {
            user_id,
            record_kind: kind,
            record_id: id,
            state: "waiting",
            cause: null,
            decided_at: null,
            ended_at: null,
          },
        ]);
        expect(found).toMatchObject([{ supervisor_name: name, supervisor_email: email, reminders: 1 }]);
        const [request] = found ?? [];
        const expires = Number(request?.expires_at);
        expect(expires).toBeGreaterThan(started + 90 * DAY - 2_000);
        expect(expires).toBeLessThan(Date.now() + 90 * DAY + 1);
        expect(await rows(db, `SELECT requested_at, declined_at FROM ${table} WHERE id = ?`, id)).toEqual([
          { requested_at: request?.asked_at, declined_at: null },
        ]);
      }
    });

    test(`${version}: a verified record of ${table} has the request that verified it, and is not asked for`, async () => {
      const verified = withLink.filter((record) => record.verified === 1);
      expect(verified.length).toBeGreaterThan(0);
      for (const { id, verification_token, verified_at } of verified) {
        expect(requests.get(verification_token)).toMatchObject([
          { record_kind: kind, record_id: id, state: "verified", decided_at: verified_at, ended_at: verified_at },
        ]);
        const columns = "verified, verified_at, verification_token, verified_via, requested_at";
        expect(await rows(db, `SELECT ${columns} FROM ${table} WHERE id = ?`, id)).toEqual([
          { verified: 1, verified_at, verification_token, verified_via: null, requested_at: null },
        ]);
      }
    });
  }

  test(`${version}: every ended link is a request that has ended and says why`, () => {
    expect(kept.ended_links?.length).toBeGreaterThan(0);
    for (const { token, user_id, record_kind, record_id, cause, ended_at } of kept.ended_links ?? []) {
      const edited = Number(cause === "edited");
      expect(requests.get(token)).toMatchObject([
        { user_id, record_kind, record_id, state: "ended", cause, ended_at, decided_at: ended_at, edited },
      ]);
    }
  });

  test(`${version}: there are no other requests, and no record without a link is asked for`, async () => {
    const links = KINDS.flatMap(([, table]) => kept[table] ?? []).filter(
      (record) => record.verification_token !== null,
    );
    expect(requests.size).toBe(links.length + (kept.ended_links?.length ?? 0));
    for (const [, table] of KINDS) {
      const wrong = `requested_at IS NOT NULL AND verification_token IS NULL OR declined_at IS NOT NULL`;
      expect(await rows(db, `SELECT id FROM ${table} WHERE ${wrong}`)).toEqual([]);
    }
  });

  test(`${version}: every email refers to a request of its record, and a waiting one has the link and the address`, async () => {
    const emails = (kept.outbox ?? []).filter(({ record_id }) => record_id !== null);
    expect(emails.some(({ state }) => state === "waiting")).toBe(true);
    for (const { id, record_kind, record_id } of emails) {
      const items = await rows(
        db,
        "SELECT record_kind, record_id FROM verification_items WHERE request_id = (SELECT request_id FROM outbox WHERE id = ?)",
        id,
      );
      expect(items).toEqual([{ record_kind, record_id }]);
    }
    await expectWaitingEmails(db);
  });

  // Catches an email that is moved to the newest request of its record, which is not the open one here.
  test(`${version}: a waiting email of a record that had another link before goes out with the open one`, async () => {
    const waiting = kept.outbox?.find(({ kind, state }) => kind === "verification_requested" && state === "waiting");
    const { user_id, record_kind, record_id } = waiting ?? {};
    const ended = await startKeptDatabase(
      version,
      `INSERT INTO ended_links (token, user_id, record_kind, record_id, cause, ended_at)
        VALUES ('${tokenNumber(1)}', ${user_id}, '${record_kind}', ${record_id}, 'withdrawn', 1790000000000)`,
    );
    await expectWaitingEmails(ended);
  });

  /** Composes every waiting email of a request, as the timer does after the migration. */
  async function expectWaitingEmails(database: D1Database): Promise<void> {
    const orm = connect(database);
    const basis = { db: orm, secret: SECRET, origin: "http://hours.example.com" };
    const { messages } = await batch(orm, { messages: orm.select().from(outbox) });
    for (const message of messages) {
      if (message.kind !== "verification_requested" || message.state !== "waiting") continue;
      const before = kept.outbox?.find(({ id }) => id === message.id);
      const table = before?.record_kind === "entry" ? "entries" : "rope_hours";
      const token = kept[table]?.find(({ id }) => id === before?.record_id)?.verification_token;
      // On the day of the message: a day later it is not sent any more, and the kept databases grow older.
      const context: ComposeContext = { ...basis, now: message.createdAt };
      const email = await verificationEmails.verification_requested(context, message);
      const { name, email: address } = askedSupervisor(String(before?.record_kind), before?.record_id);
      if (!isEmail(email)) throw new Error("nothing is to be sent");
      expect(email.to).toEqual({ name, email: address });
      expect(email.button.url).toContain(`http://hours.example.com/verify/${token}?m=`);
    }
  }
}
