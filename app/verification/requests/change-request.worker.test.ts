import { expect, test } from "vitest";
import { FEW_SEEDS, race } from "#tests/safe/race.ts";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { mailedTo } from "#tests/worker/request-emails.ts";

/* Listing, reminding and withdrawing requests, and turning their reminders off. */

const app = await startMailApp();
const CALL = "/api/verification-requests";
const DAY = 24 * 60 * 60 * 1000;

interface Made {
  id: number;
  verificationToken: string;
  emailed: boolean;
  reminders: boolean;
  expiresAt: string;
  endedAt: string | null;
  items: { id: number; state: string; reason: string | null }[];
}

async function asked(n = 3) {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const entries = await ada.addEntries(n);
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const request = (await ada.json("POST", CALL, { supervisorId: supervisor.id, records })).json<Made>();
  await app.idle();
  return { ada, supervisor, entries, request };
}

/** Lets a day, or that many milliseconds, pass for a request and for everything that rate limits have counted. */
async function nextDay({ id }: Made, ms = DAY) {
  await app.nextDay(ms);
  const sql =
    "UPDATE verification_requests SET requested_at = requested_at - ?, created_at = created_at - ? WHERE id = ?";
  await app.db.prepare(sql).bind(ms, ms, id).run();
}

const remind = (who: Technician, { id }: Made) => who.json("POST", `${CALL}/${id}/remind`);
const statesOf = ({ items }: Made) => items.map(({ state }) => state);

test("a reminder sends the email again and renews the request, once in 24 hours", async () => {
  const { ada, supervisor, request } = await asked();
  const early = await remind(ada, request);
  expect([early.status, Number(early.headers.get("Retry-After")) > 23 * 3600]).toEqual([429, true]);
  await nextDay(request);
  const answers = await Promise.all(Array.from({ length: 10 }, () => remind(ada, request)));
  await app.idle();
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(429)]);
  const won = answers.find(({ status }) => status === 200);
  const renewed = won?.json<Made>();
  expect([renewed?.emailed, renewed?.verificationToken]).toEqual([true, request.verificationToken]);
  expect(Date.parse(renewed?.expiresAt ?? "")).toBeGreaterThan(Date.parse(request.expiresAt));
  expect(await mailedTo(app, supervisor.email)).toBe(2);
  expect(app.mailChannels.delivered.at(-1)?.text).toContain(request.verificationToken);
  expect(await count(app.db, "request_events", "request_id = ? AND event = 'asked'", request.id)).toBe(1);
});

test("a reminder takes two round trips, and its email has what still waits", async () => {
  const { ada, entries, request } = await asked();
  const declined = [{ type: "entry", id: entries[0]?.id, reason: "Not on site" }];
  const skipped = [{ type: "entry", id: entries[1]?.id }];
  const answers = { supervisorName: "Ola Hansen", declined, skipped };
  expect((await app.json("POST", `/api/verify/${request.verificationToken}`, answers)).status).toBe(200);
  await nextDay(request);
  const answer = await remind(ada, request);
  expect([answer.status, answer.trips]).toEqual([200, 2]);
  expect(answer.json<Made>().items.map(({ state, reason }) => [state, reason])).toEqual([
    ["declined", "Not on site"],
    ["waiting", null],
    ["verified", null],
  ]);
});

test("over the limit on emails to an address a reminder renews the request, and says each time that its email waits", async () => {
  const { ada, supervisor, request } = await asked(1);
  await nextDay(request);
  const others = await ada.addEntries(5);
  for (const { id } of others) {
    await ada.json("POST", CALL, { supervisorId: supervisor.id, records: [{ type: "entry", id }] });
  }
  await app.idle();
  for (let n = 0; n < 2; n += 1) {
    const answer = await remind(ada, request);
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({ emailed: false, emailedReason: "limit" }),
    ]);
  }
});

test("an ended and an expired request are not sent again", async () => {
  const { ada, request } = await asked(1);
  await nextDay(request, 91 * DAY);
  await app.db
    .prepare("UPDATE verification_requests SET expires_at = requested_at + 1 WHERE id = ?")
    .bind(request.id)
    .run();
  const expired = await remind(ada, request);
  expect([expired.status, expired.json()]).toEqual([
    409,
    { code: "request_ended", message: "This request has expired. Make a new one." },
  ]);
  await ada.json("DELETE", `${CALL}/${request.id}`);
  const ended = await remind(ada, request);
  const message = "This request has ended. Make a new one for what is still unverified.";
  expect([ended.status, ended.json()]).toEqual([409, { code: "request_ended", message }]);
});

test("withdrawing ends what waits, keeps what was verified, and writes an event to the log of each record", async () => {
  const { ada, entries, request } = await asked();
  const skipped = entries.slice(1).map(({ id }) => ({ type: "entry", id }));
  await app.json("POST", `/api/verify/${request.verificationToken}`, { supervisorName: "Ola Hansen", skipped });
  await app.idle();
  const answer = await ada.json("DELETE", `${CALL}/${request.id}`);
  const withdrawn = answer.json<Made>();
  expect([answer.status, answer.trips, statesOf(withdrawn)]).toEqual([200, 2, ["verified", "ended", "ended"]]);
  expect(withdrawn.endedAt).toEqual(expect.any(String));
  const again = await ada.json("DELETE", `${CALL}/${request.id}`);
  expect([again.status, again.json(), again.trips]).toEqual([200, withdrawn, 1]);
  const last = [];
  for (const { id } of entries) {
    const { log, intact } = (await ada.get(`/api/entries/${id}/verification`)).json<{
      log: { event: string; cause: string | null }[];
      intact: boolean;
    }>();
    last.push([log.at(-1)?.event, log.at(-1)?.cause, intact]);
  }
  const ended = ["withdrawn", "withdrawn", true];
  expect(last).toEqual([["verified", null, true], ended, ended]);
  const list = (await ada.get("/api/entries")).json<{ status: string }[]>();
  expect(list.map(({ status }) => status)).toEqual(["pending", "pending", "verified"]);
  expect((await app.json("POST", `/api/verify/${request.verificationToken}`, { supervisorName: "Ola" })).status).toBe(
    409,
  );
});

test("an email that was not sent yet is not sent after a withdrawal", async () => {
  app.mailChannels.behave({ status: 500 });
  const { ada, supervisor, request } = await asked();
  app.mailChannels.reset();
  await ada.json("DELETE", `${CALL}/${request.id}`);
  await app.sweep();
  expect(await mailedTo(app, supervisor.email)).toBe(0);
});

test("the request of a record's dialog is in the list, and withdrawing it there is as on the record's page", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  await app.idle();
  const [listed] = (await ada.get(CALL)).json<Made[]>();
  expect([listed?.verificationToken, statesOf(listed as Made)]).toEqual([token, ["waiting"]]);
  expect((await ada.json("DELETE", `${CALL}/${listed?.id}`)).status).toBe(200);
  const withdrawn = await ada.json("DELETE", `/api/verify-request/${id}`);
  expect(withdrawn.json()).toEqual({
    code: "request_ended",
    message: "No verification request is open, so there is nothing to withdraw.",
  });
  expect(await ada.requestVerification(id)).not.toBe(token);
});

test("reminders are turned off and on, also by the page's button", async () => {
  const { ada, request } = await asked(1);
  const off = await ada.json("PATCH", `${CALL}/${request.id}`, { reminders: false });
  expect([off.status, off.trips, off.json<Made>().reminders]).toEqual([200, 2, false]);
  await ada.follow(await ada.post(`/requests/${request.id}/reminders`, { reminders: "on" }));
  expect((await ada.get(`${CALL}/${request.id}`)).json<Made>().reminders).toBe(true);
});

test("after a withdrawal and ten concurrent answers each record has one outcome, and its log agrees", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { ada, entries, request } = await asked();
    const [withdrawn] = await Promise.all([
      ada.json("DELETE", `${CALL}/${request.id}`),
      ...Array.from({ length: 10 }, (_, n) =>
        app.json("POST", `/api/verify/${request.verificationToken}`, {
          supervisorName: `S ${n}`,
          skipped: [{ type: "entry", id: entries[n % 3]?.id }],
        }),
      ),
    ]);
    await app.idle();
    expect(withdrawn.status).toBe(200);
    const { items } = (await ada.get(`${CALL}/${request.id}`)).json<Made>();
    for (const { id, state } of items) {
      const { log, intact } = (await ada.get(`/api/entries/${id}/verification`)).json<{
        log: { event: string }[];
        intact: boolean;
      }>();
      const outcome = state === "verified" ? "verified" : "withdrawn";
      expect([intact, log.map(({ event }) => event)]).toEqual([true, ["requested", outcome]]);
    }
  }
});

// Catches a renewal for the supervisor who was read, without a look at whom the request is sent to by now.
test("the log of an open request that is sent to another supervisor and renewed at once names the supervisor who has it", async () => {
  for (const seed of FEW_SEEDS) {
    const ada = await app.register();
    const [first, other] = [await ada.addSupervisor(), await ada.addSupervisor()];
    const { id } = await ada.addEntry();
    await ada.requestVerification(id, first.id); // and no second email within a day
    await app.idle();
    const answers = await race(2, seed, (number, headers) =>
      ada.json("POST", `/api/verify-request/${id}`, { supervisorId: number ? other.id : first.id }, headers),
    );
    expect([seed, answers.map(({ status }) => status)]).toEqual([seed, [200, 200]]);
    const asked = await rows(
      app.db,
      `SELECT supervisor_email AS asked FROM verification_requests WHERE own_record_id = ?`,
      id,
    );
    const named = await rows(
      app.db,
      `SELECT facts ->> '$.supervisor.email' AS asked FROM verification_log JOIN event_facts ON event_facts.hash = supervisor_hash
        WHERE record_id = ? AND event = 'requested' ORDER BY number DESC LIMIT 1`,
      id,
    );
    expect([seed, asked]).toEqual([seed, named]);
  }
});
