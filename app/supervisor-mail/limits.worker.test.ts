import { beforeEach, expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { ask, emailedBy, freshEmail, isEmailed, mailedTo } from "#tests/worker/request-emails.ts";

/*
 * The limits on emails to supervisors. A day passes by moving the stored rows into the past. Catches a check before the
 * write (all parallel requests would pass), a limit by the supervisor's id (deleting and adding them again would avoid
 * it), and a limit by account alone (a second account would have another five emails).
 */

// A long timeout, so that a busy machine does not change the outcome.
const app = await startMailApp({ MAIL_TIMEOUT_MS: "25000" });
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

test("50 concurrent requests for 50 records send five emails to one address", async () => {
  const ada = await app.register();
  const [entries, email] = [await ada.addEntries(50), freshEmail()];
  const supervisor = await ada.addSupervisor({ email });
  const answers = await Promise.all(entries.map(({ id }) => ask(ada, id, supervisor.id)));
  await app.sweep();
  expect(await mailedTo(app, email)).toBe(5);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(5);
});

test("50 concurrent requests to 50 new addresses send 20 emails", async () => {
  const ada = await app.register();
  const entries = await ada.addEntries(50);
  const supervisors: number[] = [];
  for (const _ of entries) supervisors.push((await ada.addSupervisor({ email: freshEmail() })).id);
  const answers = await Promise.all(entries.map(({ id }, index) => ask(ada, id, supervisors[index] ?? 0)));
  await app.sweep();
  expect(mailChannels.delivered).toHaveLength(20);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(20);
});

test("a supervisor who is deleted and added again, or whose address is spelled differently, has the same limit", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const first = await ada.addSupervisor({ email: "kari.again@example.org" });
  expect(emailedBy(await ask(ada, id, first.id))).toBe(true);
  await app.idle();
  await ada.json("DELETE", `/api/supervisors/${first.id}`);
  for (const email of ["kari.again@example.org", " KARI.again@Example.ORG", "kari.again+2@example.org"]) {
    expect([email, await isEmailed(ada, id, email)]).toEqual([email, false]);
  }
});

test("one address gets five emails a day from all technicians together, deleted accounts included", async () => {
  const email = freshEmail();
  for (let n = 0; n < 5; n += 1) {
    const who = await app.register();
    expect(await isEmailed(who, (await who.addEntry()).id, email)).toBe(true);
    await app.idle();
    await app.db.prepare("DELETE FROM users WHERE id = ?").bind(who.user.id).run();
  }
  const ada = await app.register();
  const entries = await ada.addEntries(6);
  for (const { id } of entries) expect(await isEmailed(ada, id, email)).toBe(false);
  // Another address has its own limit.
  expect(await isEmailed(ada, entries[0]?.id ?? 0, freshEmail())).toBe(true);
  await app.nextDay();
  const emailed = [];
  for (const { id } of entries) emailed.push(await isEmailed(ada, id, email));
  expect(emailed).toEqual([true, true, true, true, true, false]);
  expect(await mailedTo(app, email)).toBe(10);
});

test("a technician can cause emails to 20 new addresses a day, and to known ones as well", async () => {
  const ada = await app.register();
  const [{ id }, { id: other }] = [await ada.addEntry(), await ada.addEntry()]; // a request is renewed 20 times a day
  const known = freshEmail();
  expect(await isEmailed(ada, id, known)).toBe(true);
  await app.nextDay();
  for (let n = 0; n < 20; n += 1) {
    expect([n, await isEmailed(ada, id, freshEmail())]).toEqual([n, true]);
    await app.idle(); // asking another supervisor cancels an email that was not sent yet, which then does not count
  }
  const next = freshEmail();
  expect(await isEmailed(ada, other, next)).toBe(false);
  expect(await isEmailed(ada, other, known)).toBe(true);
  // Another name does not change the limit; another account has its own.
  await ada.json("PATCH", "/api/user", { name: "Somebody Else" });
  expect(await isEmailed(ada, other, next)).toBe(false);
  const bob = await app.register();
  expect(await isEmailed(bob, (await bob.addEntry()).id, next)).toBe(true);
  await app.nextDay();
  expect(await isEmailed(ada, other, next)).toBe(true);
});

test("a year after the last email to it an address is deleted, and then new again", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  expect(await isEmailed(ada, id, freshEmail())).toBe(true);
  const messages = () => count(app.db, "outbox", "user_id = ?", ada.user.id);
  const known = () => count(app.db, "known_recipients", "user_id = ?", ada.user.id);
  await app.nextDay(364 * DAY);
  await app.tick(new Date());
  expect([await messages(), await known()]).toEqual([0, 1]);
  await app.nextDay(2 * DAY);
  await app.tick(new Date());
  expect(await known()).toBe(0);
});

// Fails without the recipients of swept messages: both the known address and the old one would count as new.
test("an address is not new to a technician whose last email to it was swept", async () => {
  const ada = await app.register();
  const old = freshEmail();
  expect(await isEmailed(ada, (await ada.addEntry()).id, old)).toBe(true);
  await app.nextDay(40 * DAY);
  await app.tick(new Date());
  expect(await count(app.db, "outbox", "user_id = ?", ada.user.id)).toBe(0);
  expect(await isEmailed(ada, (await ada.addEntry()).id, old)).toBe(true); // not the first of twenty
  const entries = await ada.addEntries(21);
  for (const { id } of entries.slice(0, 20)) expect(await isEmailed(ada, id, freshEmail())).toBe(true);
  expect(await isEmailed(ada, entries[20]?.id ?? 0, freshEmail())).toBe(false);
  expect(await isEmailed(ada, (await ada.addEntry()).id, old)).toBe(true);
});

test("if mail is not configured nothing is queued or counted", async () => {
  const silent = await startMailApp({ PUBLIC_ORIGIN: "" });
  const ada = await silent.register();
  const [entries, supervisor] = [await ada.addEntries(7), await ada.addSupervisor()];
  for (const { id } of entries) {
    expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
    expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
  }
  expect(await count(silent.db, "outbox", "state <> 'failed'")).toBe(0);
  expect(await count(silent.db, "attempts")).toBe(entries.length); // the renewals alone
  const page = await ada.get(`/profile?request=${entries[0]?.id}&link=1`);
  expect(textsOf(page.text, "dialog")[0]).toContain("this installation has no mail service");
});

test("a waiting email is not sent to an edited address; asking again counts for that address, and not over its limit", async () => {
  const full = freshEmail();
  for (let n = 0; n < 5; n += 1) {
    const who = await app.register();
    expect(await isEmailed(who, (await who.addEntry()).id, full)).toBe(true);
  }
  await app.idle();
  mailChannels.behave({ status: 503 });
  const ada = await app.register();
  const [first, second] = await ada.addEntries(2);
  const [one, other] = [await ada.addSupervisor({ email: freshEmail() }), await ada.addSupervisor()];
  await ask(ada, first?.id ?? 0, one.id);
  await ask(ada, second?.id ?? 0, other.id);
  await app.idle();
  const free = freshEmail();
  await ada.json("PATCH", `/api/supervisors/${one.id}`, { email: full });
  await ada.json("PATCH", `/api/supervisors/${other.id}`, { email: free });
  mailChannels.reset();
  expect(emailedBy(await ask(ada, first?.id ?? 0, one.id))).toBe(false);
  expect(emailedBy(await ask(ada, second?.id ?? 0, other.id))).toBe(true);
  await app.sweep();
  expect(mailChannels.delivered.map(({ to }) => to)).toEqual([free]);
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["cancelled", "cancelled", "sent"]);
  const dialog = await ada.get(`/profile?request=${first?.id}&link=1`);
  expect(textsOf(dialog.text, "dialog")[0]).toContain(`(${full}) waits for a limit of a day, and goes out by itself.`);
});

test("the limits store hashes of a supervisor's address, never the address", async () => {
  const ada = await app.register();
  const email = freshEmail();
  await isEmailed(ada, (await ada.addEntry()).id, email);
  const stored = JSON.stringify([
    await rows(app.db, "SELECT * FROM outbox"),
    await rows(app.db, "SELECT * FROM attempts"),
  ]);
  expect(stored).not.toContain(email.split("@")[0]);
});

test("the limits are read from indexes alone, without a table scan", async () => {
  const ada = await app.register();
  const { id: supervisorId } = await ada.addSupervisor({ email: freshEmail() });
  await ask(ada, (await ada.addEntry()).id, supervisorId);
  await ask(ada, (await ada.addRopeHours()).id, supervisorId, "verify-request-rope");
  const stored = (await app.statements()).find(
    ([sql]) => sql.startsWith('insert into "outbox"') && sql.includes("GROUP BY recipient"),
  );
  expect(stored).toBeDefined();
  const plan = await rows<{ detail: string }>(app.db, `EXPLAIN QUERY PLAN ${stored?.[0]}`, ...(stored?.[1] ?? []));
  const details = plan.map(({ detail }) => detail);
  const alone = "SEARCH outbox USING COVERING INDEX outbox_by_recipient (user_id=? AND recipient";
  const ofRequest = `${alone}=? AND request_id=? AND created_at>? AND created_at<?)`;
  expect(details.filter((detail) => detail.includes("outbox_by_recipient"))).toEqual([
    ofRequest, // how many of the records were emailed
    ofRequest, // and when
    `${alone}>?)`,
    `${alone}=?)`,
    // While the account's address is not confirmed: how many supervisors it has reached, and whether this is one of them.
    `${alone}>?)`,
    `${alone}>?)`,
  ]);
  // Nothing but the asked records, which are the JSON of the statement.
  expect(
    details.filter((detail) =>
      /^SCAN (?!CONSTANT ROW|asked VIRTUAL TABLE|json_each VIRTUAL TABLE|\(subquery)/.test(detail),
    ),
  ).toEqual([]);
});

// Catches limits without an end: after a clock that was a year ahead, no email could be sent for a year.
test("emails that a clock has dated in the future count for no limit", async () => {
  const ada = await app.register();
  const [{ id }, supervisor] = [await ada.addEntry(), await ada.addSupervisor({ email: freshEmail() })];
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  for (let n = 1; n < 20; n += 1) expect(await isEmailed(ada, (await ada.addEntry()).id, freshEmail())).toBe(true);
  expect(await isEmailed(ada, (await ada.addEntry()).id, freshEmail())).toBe(false);
  await app.idle();
  await app.nextDay(-365 * DAY);
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  expect(await isEmailed(ada, (await ada.addEntry()).id, freshEmail())).toBe(true);
});

test("a record whose verification was disowned is asked for again by email at once", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ email });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  await app.idle();
  const mailed = mailChannels.delivered.find(({ to }) => to === email)?.text.match(/\/verify\/(\S+)/)?.[1] ?? "";
  expect((await app.json("POST", `/api/verify/${mailed}`, { supervisorName: "Ola" })).status).toBe(200);
  expect((await app.json("POST", `/api/disown/${mailed}`, {})).json()).toMatchObject({ disowned: 1 });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
});
