import { beforeEach, expect, onTestFinished, test } from "vitest";
import { setUpItems } from "#app/admin/set-up-items.ts";
import { connect } from "#app/db/client.server.ts";
import { findStuck } from "#app/mail/outbox.server.ts";
import { startDatabase } from "./database.ts";
import { type Behaviour, startFakeMailChannels } from "./fake-mailchannels.ts";
import { textsOf } from "./html.ts";
import { type MailApp, startMailApp } from "./mail.ts";
import type { Technician } from "./people.ts";
import { insert, userRow } from "./rows.ts";
import { stoppingDatabase } from "./stopping-database.ts";

/*
 * The emails when MailChannels or the Worker fails: the built Worker against a MailChannels over HTTP that misbehaves.
 * Long sequences of faults are in mail-schedules.test.ts.
 */

// A long timeout for the service, so that a busy machine changes no outcome.
const app = await startMailApp({ MAIL_TIMEOUT_MS: "60000" });
const { mailChannels } = app;

beforeEach(async () => {
  await app.db.prepare("DELETE FROM outbox").run();
  mailChannels.reset();
});

interface Requested {
  ada: Technician;
  id: number;
  supervisorId: number;
}

/** Requests a verification. `failAt` is the D1 round trip at which the Worker stops: 1 and 2 belong to the response. */
async function requestVerification(failAt?: number, of: MailApp = app): Promise<Requested> {
  const ada = await of.register();
  const { id } = await ada.addEntry();
  const { id: supervisorId } = await ada.addSupervisor();
  const headers: Record<string, string> = failAt ? { "x-fail-d1-round-trip": String(failAt) } : {};
  const answer = await ada.json("POST", `/api/verify-request/${id}`, { supervisorId }, headers);
  expect(answer.status).toBe(200);
  return { ada, id, supervisorId };
}

async function dialogFromRows({ ada, id }: Requested, query = `request=${id}&link=1`): Promise<string> {
  const page = await ada.get(`/profile?${query}`);
  return textsOf(page.text, "dialog")[0] ?? "";
}

async function only(of: MailApp, { ada }: Requested) {
  const [message, ...more] = await of.settled(ada);
  if (!message || more.length > 0) throw new Error("expected one message");
  return message;
}

const HTML = { body: "<html>Bad gateway</html>", type: "text/html" };

for (const [status, extra] of [
  [429, {}],
  [500, {}],
  [503, HTML],
] as const) {
  test(`${status} ${extra === HTML ? "in HTML" : ""}: the email is retried within two minutes, and sent once`, async () => {
    mailChannels.behave({ status, ...extra });
    const request = await requestVerification();
    const waiting = await only(app, request);
    expect(waiting).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 0 });
    const pause = Number(waiting.due_at) - waiting.created_at;
    expect(pause).toBeGreaterThan(29_000);
    expect(pause).toBeLessThan(65_000); // and the timer runs within a minute
    expect(await dialogFromRows(request)).toContain("did not get through yet. We keep trying");
    mailChannels.behave("send");
    await app.tick(new Date(Date.now() + 10_000));
    expect(mailChannels.received).toHaveLength(1);
    await app.tick(new Date(Date.now() + 120_000));
    expect(await only(app, request)).toMatchObject({ state: "sent", attempts: 2 });
    expect(mailChannels.delivered).toHaveLength(1);
  });
}

for (const status of [400, 413]) {
  test(`${status}: the email has failed and is not retried; the technician sees that and gets the link`, async () => {
    mailChannels.behave({ status });
    const request = await requestVerification();
    expect(await only(app, request)).toMatchObject({ state: "failed", reason: "refused", attempts: 1 });
    const dialog = await dialogFromRows(request);
    expect(dialog).toContain("could not be sent: the mail service refused it. Send them this link yourself.");
    await app.sweep();
    expect(mailChannels.received).toHaveLength(1);
  });
}

for (const status of [401, 403]) {
  test(`${status} for the key: all emails wait, one of them is tried each minute, and when it goes the rest follow`, async () => {
    mailChannels.behave({ status });
    const requests = [await requestVerification()];
    await app.idle();
    expect(mailChannels.received).toHaveLength(1);
    // The key is known to be refused: what is queued now waits without a try.
    for (let n = 0; n < 5; n += 1) requests.push(await requestVerification());
    await app.idle();
    expect(mailChannels.received).toHaveLength(1);
    for (let minute = 1; minute <= 5; minute += 1) {
      await app.tick(new Date(Date.now() + minute * 60_000));
      expect(mailChannels.received).toHaveLength(1 + minute);
    }
    for (const { ada } of requests)
      expect(await app.messages(ada)).toMatchObject([{ state: "waiting", unknown_outcomes: 0 }]);
    await app.logged(
      (line) =>
        line.outcome === "key_refused" && line.level === "error" && line.status === status && line.state === "waiting",
    );
    mailChannels.reset();
    await app.tick(new Date(Date.now() + 7 * 60_000));
    for (const { ada } of requests)
      expect(await app.messages(ada)).toMatchObject([{ state: "sent", unknown_outcomes: 0 }]);
    expect(mailChannels.delivered).toHaveLength(6);
    mailChannels.reset();
    const after = await requestVerification(); // and from now on each is sent at once again
    expect(await only(app, after)).toMatchObject({ state: "sent", attempts: 1 });
  });
}

test("after a key was refused for two days, an older email is not sent, and its technician gets the link to send", async () => {
  mailChannels.behave({ status: 403 });
  const request = await requestVerification();
  await app.idle();
  await app.nextDay(2 * 24 * 60 * 60 * 1000);
  mailChannels.reset();
  await app.sweep();
  expect(await only(app, request)).toMatchObject({ state: "failed", reason: "gave_up" });
  expect(await dialogFromRows(request)).toContain("did not take it for a day. Send them this link yourself.");
  expect(mailChannels.received).toEqual([]);
  await app.logged(
    (line) => line.outcome === "late" && line.kind === "verification_requested" && line.state === "failed",
  );
});

test("a failed email does not count for the limits of its recipient, and its request can be reminded at once", async () => {
  const ada = await app.register();
  const { id: supervisorId } = await ada.addSupervisor({ email: "once-refused@example.org" });
  mailChannels.behave({ status: 400 });
  const ask = async () => {
    const { id } = await ada.addEntry();
    const records = [{ type: "entry", id }];
    const answer = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
    await app.idle();
    return answer.json<{ id: number; emailed: boolean }>();
  };
  const asked = [];
  for (let n = 0; n < 6; n += 1) asked.push(await ask());
  expect(asked.map(({ emailed }) => emailed)).toEqual(Array(6).fill(true));
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(Array(6).fill("failed"));
  mailChannels.reset();
  const remind = (id: number) => ada.json("POST", `/api/verification-requests/${id}/remind`, {});
  const id = asked[0]?.id ?? 0;
  expect((await ada.get(`/requests/${id}`)).text).toContain(`action="/requests/${id}/remind"`);
  const reminded = await remind(id);
  expect([reminded.status, reminded.json<{ emailed: boolean }>().emailed]).toEqual([200, true]);
  await app.idle();
  expect(mailChannels.delivered.map(({ to }) => to)).toEqual(["once-refused@example.org"]);
  expect((await remind(id)).status).toBe(429); // that one has arrived
});

test("a request whose emails fail again and again can be reminded five times a day", async () => {
  mailChannels.behave({ status: 400 });
  const ada = await app.register();
  const { id: supervisorId } = await ada.addSupervisor();
  const records = [{ type: "entry", id: (await ada.addEntry()).id }];
  const { id } = (await ada.json("POST", "/api/verification-requests", { supervisorId, records })).json<{
    id: number;
  }>();
  await app.idle();
  const statuses = [];
  for (let n = 0; n < 6; n += 1) {
    statuses.push((await ada.json("POST", `/api/verification-requests/${id}/remind`, {})).status);
    await app.idle();
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
});

test("an email that cannot be composed is logged and tried again; it stops no other, and it did not arrive", async () => {
  mailChannels.behave({ status: 503 });
  const [ada, other] = [await app.register(), await requestVerification()];
  await app.json("POST", "/api/auth/reset-password", { email: ada.user.email });
  await app.idle();
  // No date can be written of this instant: composing the email throws.
  await app.db.prepare("UPDATE users SET reset_token_expiry = 9e15 WHERE id = ?").bind(ada.user.id).run();
  mailChannels.reset();
  await app.sweep();
  expect(await only(app, other)).toMatchObject({ state: "sent" });
  const [waiting] = (await app.messages(ada)).filter(({ kind }) => kind === "password_reset");
  expect(waiting).toMatchObject({ state: "waiting", attempts: 2, unknown_outcomes: 0 });
  await app.logged(({ event, name }) => event === "error" && name === "RangeError");
  await app.nextDay();
  await app.sweep();
  const [failed] = (await app.messages(ada)).filter(({ kind }) => kind === "password_reset");
  expect(failed).toMatchObject({ state: "failed", reason: "gave_up", unknown_outcomes: 0 });
});

const SENT_ONCE_MORE =
  "the outcome is unknown, so the email is sent once more within four minutes, with the same link, and no third time";

async function isSentOnceMore(of: MailApp, behaviour: Behaviour): Promise<void> {
  of.mailChannels.behave(behaviour);
  const request = await requestVerification(undefined, of);
  const waiting = await only(of, request);
  expect(waiting).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 1 });
  expect(Number(waiting.due_at) - waiting.created_at).toBeLessThan(3 * 60_000); // and a minute for the timer
  await of.sweep();
  expect(await only(of, request)).toMatchObject({ state: "unknown", attempts: 2, unknown_outcomes: 2 });
  await of.sweep();
  const links = of.mailChannels.received.map(({ text }) => text.match(/http\S+/)?.[0]);
  expect([links.length, new Set(links).size]).toEqual([2, 1]);
  expect(await dialogFromRows(request)).toContain("may not have arrived");
}

for (const [name, behaviour] of [
  ["a page of HTML with status 200", { status: 200, ...HTML }],
  ["JSON that says nothing", { status: 200, body: "{}" }],
  ["half a body", "half a body"],
  ["a dropped connection", "drop late"],
] as const) {
  test(`${name}: ${SENT_ONCE_MORE}`, () => isSentOnceMore(app, behaviour));
}

test(`no answer at all: ${SENT_ONCE_MORE}`, async () => {
  await isSentOnceMore(await startMailApp({ MAIL_TIMEOUT_MS: "2000" }), "hang");
});

/** An address at which nothing listens. */
async function nowhere(): Promise<string> {
  const { url, close } = await startFakeMailChannels();
  await close();
  return url;
}

test("without a route to the service the second attempt is kept until there is one; the log has the reason and the host", async () => {
  const url = await nowhere();
  const { host, port } = new URL(url);
  const of = await startMailApp({ MAILCHANNELS_BASE_URL: url });
  const request = await requestVerification(undefined, of);
  expect(await only(of, request)).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 1 });
  await of.logged((line) => line.outcome === "unknown" && line.host === host && Boolean(line.reason));
  for (let tries = 0; tries < 4; tries += 1) await of.sweep();
  expect(await only(of, request)).toMatchObject({ state: "waiting", attempts: 5, unknown_outcomes: 1 });
  await of.logged(
    (line) => line.outcome === "not_reachable" && line.level === "error" && line.host === host && Boolean(line.reason),
  );
  const service = await startFakeMailChannels(undefined, Number(port));
  onTestFinished(() => service.close());
  await of.sweep();
  expect(await only(of, request)).toMatchObject({ state: "sent", attempts: 6, unknown_outcomes: 1 });
  expect(service.delivered).toHaveLength(1);
});

test("the operator's list names the service and counts the emails that were tried and wait, and those with an unknown outcome", async () => {
  const database = await startDatabase();
  const db = connect(stoppingDatabase(database, Number.POSITIVE_INFINITY, false).database);
  const env = {
    SESSION_SECRET: "x",
    MAILCHANNELS_API_KEY: "a key",
    MAIL_FROM: "hours@example.com",
    PUBLIC_ORIGIN: "https://hours.example.com",
    MAILCHANNELS_BASE_URL: "http://relay.example:9/mail",
  };
  const now = new Date();
  const shown = async () =>
    setUpItems(env, { hasAdmin: true, keyRefusal: null, stuck: await findStuck(db, now) }).find(
      ({ name }) => name === "Email",
    );
  const user_id = await insert(database, "users", userRow({ email: "ada@example.com" }));
  const at = now.getTime();
  const message = { kind: "password_changed", user_id, created_at: at };
  await insert(database, "outbox", { ...message, state: "waiting", attempts: 1, unknown_outcomes: 1, due_at: at });
  await insert(database, "outbox", {
    ...message,
    state: "unknown",
    attempts: 2,
    unknown_outcomes: 2,
    ended_at: at - 25 * 3_600_000,
  });
  expect(await shown()).toMatchObject({ state: "configured" });
  await insert(database, "outbox", { ...message, state: "waiting", attempts: 2, unknown_outcomes: 1, due_at: at });
  await insert(database, "outbox", { ...message, state: "unknown", attempts: 2, unknown_outcomes: 2, ended_at: at });
  await insert(database, "outbox", { ...message, state: "unknown", attempts: 0, unknown_outcomes: 1, ended_at: at }); // of a restore
  expect(await shown()).toMatchObject({
    state: "wrong",
    text: "1 email waits, though tried more than once. 1 email of the last day may or may not have arrived. The mail service is relay.example:9.",
  });
});

test("a definite answer after an unknown outcome ends the retries", async () => {
  mailChannels.behave("drop early");
  const request = await requestVerification();
  await only(app, request);
  mailChannels.behave("send");
  await app.sweep();
  expect(await only(app, request)).toMatchObject({ state: "sent", attempts: 2, unknown_outcomes: 1 });
});

test("if the Worker stops between storing and sending, the timer sends the email once", async () => {
  const request = await requestVerification(3);
  expect(await app.messages(request.ada)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  await app.tick(new Date());
  expect(await app.messages(request.ada)).toMatchObject([{ state: "sent", attempts: 1, unknown_outcomes: 0 }]);
  expect(mailChannels.delivered).toHaveLength(1);
});

test("a Worker that stops after claiming an email and before sending it does not count as an unknown outcome", async () => {
  const request = await requestVerification(6);
  await app.sweep();
  expect(await app.messages(request.ada)).toMatchObject([{ state: "sent", attempts: 1, unknown_outcomes: 0 }]);
  expect(mailChannels.received).toHaveLength(1);
});

test("a Worker that stops between sending and marking causes a second copy at most", async () => {
  const request = await requestVerification(7);
  await mailChannels.untilReceived(1);
  expect(await app.messages(request.ada)).toMatchObject([{ state: "sending", attempts: 1 }]);
  await app.tick(new Date(Date.now() + 30_000)); // its lease is not over
  expect(mailChannels.received).toHaveLength(1);
  await app.tick(new Date(Date.now() + 95_000));
  expect(await app.messages(request.ada)).toMatchObject([{ state: "sent", attempts: 2, unknown_outcomes: 1 }]);
  expect(mailChannels.delivered).toHaveLength(2);
});

// Catches a claim that selects first and updates then.
test("one of several concurrent sweeps sends each email", async () => {
  mailChannels.behave({ status: 500 });
  const requests = await Promise.all(Array.from({ length: 6 }, () => requestVerification()));
  for (const one of requests) await only(app, one);
  mailChannels.reset();
  mailChannels.behave("send late");
  await Promise.all([app.sweep(), app.tick(new Date()), app.tick(new Date())]);
  await app.tick(new Date());
  for (const { ada } of requests) expect(await app.settled(ada)).toMatchObject([{ state: "sent" }]);
  expect(mailChannels.delivered).toHaveLength(6);
});

test("an email whose user, record or purpose no longer exists, or whose supervisor was erased, ends quietly", async () => {
  mailChannels.behave({ status: 500 });
  const requests = await Promise.all(Array.from({ length: 4 }, () => requestVerification()));
  for (const one of requests) await only(app, one);
  const [user, record, supervisor, verified] = requests as [Requested, Requested, Requested, Requested];
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(user.ada.user.id).run();
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(record.id).run();
  await app.db
    .prepare("UPDATE verification_requests SET supervisor_name = NULL, supervisor_email = NULL WHERE user_id = ?")
    .bind(supervisor.ada.user.id)
    .run();
  await app.db
    .prepare(
      "UPDATE records SET verified = 1, verified_by = 'x', verified_at = 1, verified_via = 'link', requested_at = NULL WHERE id = ?",
    )
    .bind(verified.id)
    .run();
  await app.db
    .prepare("UPDATE verification_items SET state = 'verified', decided_at = 1 WHERE record_id = ?")
    .bind(verified.id)
    .run();
  mailChannels.reset();
  await app.sweep();
  await app.sweep();
  expect(mailChannels.received).toEqual([]);
  expect(await app.messages(user.ada)).toEqual([]);
  for (const { ada } of [record, supervisor, verified]) {
    expect(await app.messages(ada)).toMatchObject([{ state: "cancelled", due_at: null }]);
  }
});

test("an email is given up after a day without the service, and the technician sees that", async () => {
  mailChannels.behave({ status: 503 });
  const request = await requestVerification();
  await only(app, request);
  // The last attempt of the day. An email to a supervisor that is a day old is no longer sent:
  // late-emails.worker.test.ts.
  await app.db.prepare("UPDATE outbox SET created_at = created_at - 86370000").run();
  await app.sweep();
  expect(await only(app, request)).toMatchObject({ state: "failed", reason: "gave_up" });
  expect(await dialogFromRows(request)).toContain("did not take it for a day");
});

test("a service that hangs delays no page: the response arrives while the email is still being sent", async () => {
  mailChannels.behave("hang");
  const request = await requestVerification();
  await mailChannels.untilReceived(1);
  expect(mailChannels.waiting).toBe(1);
  expect(await dialogFromRows(request)).toContain("It goes to");
  expect(mailChannels.waiting).toBe(1);
});

test("while the service is down, a sweep stops after a few emails and does not use up the attempts of the others", async () => {
  mailChannels.behave({ status: 500 });
  for (let n = 0; n < 9; n += 1) await requestVerification();
  await app.db.prepare("UPDATE outbox SET state = 'waiting', attempts = 0, due_at = 0, lease = NULL").run();
  mailChannels.received.length = 0;
  await app.tick(new Date());
  expect(mailChannels.received).toHaveLength(4);
});

test("the log says what went wrong without an address or a link", async () => {
  mailChannels.behave({ status: 400 });
  await only(app, await requestVerification());
  const log = app.log.join("");
  expect(log).toMatch(/"event":"mail".*"outcome":"refused","status":400,"state":"failed"/);
  expect(log).not.toMatch(/example\.(com|org)|verify\/[0-9a-f]{8}-/);
});
