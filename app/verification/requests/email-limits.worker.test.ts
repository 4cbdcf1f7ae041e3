import { beforeEach, expect, test } from "vitest";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * How many emails a technician can cause to strangers. A day passes by moving what was stored into the past. Meant to
 * catch: a check before the write (parallel requests would all pass), a limit by a supervisor's row (deleting and
 * adding it again would be a new one), one by account alone (a second account would have another five emails).
 */

// It waits long for the service, so that a machine with other work changes no outcome.
const app = await startMailApp({ MAIL_TIMEOUT_MS: "25000" });
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

let addresses = 0;

/** An address that nobody was asked at before. */
function freshAddress(): string {
  addresses += 1;
  return `stranger-${addresses}@example.org`;
}

const ask = (who: Technician, id: number, supervisorId: number, kind = "verify-request") =>
  who.json("POST", `/api/${kind}/${id}`, { supervisorId });

/** Asks with a saved supervisor of this address. Returns whether an email was queued. */
async function isEmailed(who: Technician, id: number, email: string, kind?: string): Promise<boolean | undefined> {
  const supervisor = await who.addSupervisor({ email });
  return emailedBy(await ask(who, id, supervisor.id, kind));
}

function emailedBy(answer: Answer): boolean | undefined {
  expect(answer.status).toBe(200);
  const { emailed, verificationUrl } = answer.json<{ emailed: boolean; verificationUrl: string }>();
  expect(verificationUrl).toMatch(/\/verify\/[0-9a-f-]{36}$/);
  return emailed;
}

async function mailedTo(address: string): Promise<number> {
  await app.idle();
  return mailChannels.delivered.filter(({ to }) => to === address).length;
}

for (const [what, kind, add] of [
  ["an entry", "verify-request", (ada: Technician) => ada.addEntry()],
  ["rope hours", "verify-request-rope", (ada: Technician) => ada.addRopeHours()],
] as const) {
  test(`60 requests for ${what} and one supervisor mail one email in 24 hours, and each has the link`, async () => {
    const ada = await app.register();
    const [{ id }, email] = [await add(ada), freshAddress()];
    const supervisor = await ada.addSupervisor({ email });
    const emailed = [];
    for (let n = 0; n < 60; n += 1) {
      emailed.push(emailedBy(await ask(ada, id, supervisor.id, kind)));
      await app.idle();
    }
    expect(await mailedTo(email)).toBe(1);
    expect(emailed).toEqual([true, ...Array<boolean>(59).fill(false)]);
    await app.nextDay(DAY - 60_000);
    expect(emailedBy(await ask(ada, id, supervisor.id, kind))).toBe(false);
    await app.nextDay(60_000);
    expect(emailedBy(await ask(ada, id, supervisor.id, kind))).toBe(true);
    expect(await mailedTo(email)).toBe(2);
  });

  test(`${what} that the technician has edited since may be mailed again at once, also after the link was withdrawn`, async () => {
    const ada = await app.register();
    const [{ id }, email] = [await add(ada), freshAddress()];
    const supervisor = await ada.addSupervisor({ email });
    const record = `/api/${kind === "verify-request" ? "entries" : "rope-hours"}/${id}`;
    const send = async () => emailedBy(await ask(ada, id, supervisor.id, kind));
    expect([await send(), await send()]).toEqual([true, false]);
    await app.idle();
    await ada.json("PATCH", record, { hours: 9 });
    expect([await send(), await send()]).toEqual([true, false]);
    await app.idle();
    // Withdrawing alone is no reason for another one; an edit is, with or without an open link.
    await ada.json("DELETE", `/api/${kind}/${id}`);
    expect(await send()).toBe(false);
    await ada.json("DELETE", `/api/${kind}/${id}`);
    await ada.json("PATCH", record, { hours: 7 });
    expect(await send()).toBe(true);
    expect(await mailedTo(email)).toBe(3);
  });
}

test("of 50 requests at once for one record one email goes out, and one answer says so", async () => {
  const ada = await app.register();
  const [{ id }, email] = [await ada.addEntry(), freshAddress()];
  const supervisor = await ada.addSupervisor({ email });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(ada, id, supervisor.id)));
  expect(await mailedTo(email)).toBe(1);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(1);
});

test("of 50 requests at once for 50 records five emails go out to one address", async () => {
  const ada = await app.register();
  const [entries, email] = [await ada.addEntries(50), freshAddress()];
  const supervisor = await ada.addSupervisor({ email });
  const answers = await Promise.all(entries.map(({ id }) => ask(ada, id, supervisor.id)));
  await app.sweep();
  expect(await mailedTo(email)).toBe(5);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(5);
});

test("of 50 requests at once to 50 new addresses 20 emails go out", async () => {
  const ada = await app.register();
  const entries = await ada.addEntries(50);
  const asked = await Promise.all(
    entries.map(async ({ id }) => ({ id, supervisor: await ada.addSupervisor({ email: freshAddress() }) })),
  );
  const answers = await Promise.all(asked.map(({ id, supervisor }) => ask(ada, id, supervisor.id)));
  await app.sweep();
  expect(mailChannels.delivered).toHaveLength(20);
  expect(answers.map(emailedBy).filter(Boolean)).toHaveLength(20);
});

test("a supervisor who is deleted and added again, or written in another way, is the same one", async () => {
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

test("one address gets five emails a day from all technicians together, also from accounts that are gone", async () => {
  const email = freshAddress();
  for (let n = 0; n < 5; n += 1) {
    const who = await app.register();
    expect(await isEmailed(who, (await who.addEntry()).id, email)).toBe(true);
    await app.idle();
    await app.db.prepare("DELETE FROM users WHERE id = ?").bind(who.user.id).run();
  }
  const ada = await app.register();
  const entries = await ada.addEntries(6);
  for (const { id } of entries) expect(await isEmailed(ada, id, email)).toBe(false);
  // Another address is not concerned.
  expect(await isEmailed(ada, entries[0]?.id ?? 0, freshAddress())).toBe(true);
  await app.nextDay();
  const emailed = [];
  for (const { id } of entries) emailed.push(await isEmailed(ada, id, email));
  expect(emailed).toEqual([true, true, true, true, true, false]);
  expect(await mailedTo(email)).toBe(10);
});

test("a technician writes to 20 new addresses a day, and to known ones besides", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const known = freshAddress();
  expect(await isEmailed(ada, id, known)).toBe(true);
  await app.nextDay();
  for (let n = 0; n < 20; n += 1) expect([n, await isEmailed(ada, id, freshAddress())]).toEqual([n, true]);
  const next = freshAddress();
  expect(await isEmailed(ada, id, next)).toBe(false);
  expect(await isEmailed(ada, id, known)).toBe(true);
  // Under another name it is the same account; another account has its own twenty.
  await ada.json("PATCH", "/api/user", { name: "Somebody Else" });
  expect(await isEmailed(ada, id, next)).toBe(false);
  const bob = await app.register();
  expect(await isEmailed(bob, (await bob.addEntry()).id, next)).toBe(true);
  await app.nextDay();
  expect(await isEmailed(ada, id, next)).toBe(true);
});

test("an address is forgotten a year after the last email to it, and is new then", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  expect(await isEmailed(ada, id, freshAddress())).toBe(true);
  const hashes = () => count(app.db, "outbox", "user_id = ? AND recipient IS NOT NULL", ada.user.id);
  await app.nextDay(364 * DAY);
  await app.tick(new Date());
  expect(await hashes()).toBe(1);
  await app.nextDay(2 * DAY);
  await app.tick(new Date());
  expect(await hashes()).toBe(0);
});

test("an email that certainly did not go out uses up nothing of its record; one that is tried again is counted once", async () => {
  const ada = await app.register();
  const [{ id }, email] = [await ada.addEntry(), freshAddress()];
  const supervisor = await ada.addSupervisor({ email });
  mailChannels.behave({ status: 400 });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  await app.idle();
  mailChannels.behave({ status: 503 });
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  await app.idle();
  const [last] = await rows(app.db, "SELECT subject FROM tries ORDER BY id DESC LIMIT 1");
  await app.sweep();
  mailChannels.behave("send");
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
  await app.sweep();
  const counted = await count(app.db, "tries", "subject = ?", last?.subject);
  expect([await mailedTo(email), counted]).toEqual([1, 2]);
});

test("where mail is off nothing is queued, said or used up", async () => {
  const silent = await startMailApp({ PUBLIC_ORIGIN: "" });
  const ada = await silent.register();
  const [entries, supervisor] = [await ada.addEntries(7), await ada.addSupervisor()];
  for (const { id } of entries) {
    expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
    expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(false);
  }
  expect(await count(silent.db, "tries")).toBe(0);
  const page = await ada.get(`/profile?request=${entries[0]?.id}&link`);
  expect(textsOf(page.text, "dialog")[0]).toContain("this installation has no mail service");
});

test("an email that waits and is readdressed counts for the new address, and is not sent over its limit", async () => {
  const full = freshAddress();
  for (let n = 0; n < 5; n += 1) {
    const who = await app.register();
    expect(await isEmailed(who, (await who.addEntry()).id, full)).toBe(true);
  }
  await app.idle();
  mailChannels.behave({ status: 503 });
  const ada = await app.register();
  const [first, second] = await ada.addEntries(2);
  const [one, other] = [await ada.addSupervisor({ email: freshAddress() }), await ada.addSupervisor()];
  await ask(ada, first?.id ?? 0, one.id);
  await ask(ada, second?.id ?? 0, other.id);
  await app.idle();
  const free = freshAddress();
  await ada.json("PATCH", `/api/supervisors/${one.id}`, { email: full });
  await ada.json("PATCH", `/api/supervisors/${other.id}`, { email: free });
  mailChannels.reset();
  await app.sweep();
  expect(mailChannels.delivered.map(({ to }) => to)).toEqual([free]);
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["moot", "sent"]);
  const dialog = await ada.get(`/profile?request=${first?.id}&link`);
  expect(textsOf(dialog.text, "dialog")[0]).toContain(`(${full}) was not sent. Send them this link yourself.`);
});

test("the same request sent again with its key answers what the first did", async () => {
  const ada = await app.register();
  const [{ id }, supervisor] = [await ada.addEntry(), await ada.addSupervisor({ email: freshAddress() })];
  const send = () =>
    ada.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id }, { "Idempotency-Key": "k" });
  const answers = [await send(), await send()];
  expect(answers.map(emailedBy)).toEqual([true, true]);
  expect(answers.map(({ trips }) => trips)).toEqual([2, 2]);
  expect(answers[1]?.json()).toEqual(answers[0]?.json());
});

test("no table holds a supervisor's address for a limit, only hashes of it", async () => {
  const ada = await app.register();
  const email = freshAddress();
  await isEmailed(ada, (await ada.addEntry()).id, email);
  const stored = JSON.stringify([
    await rows(app.db, "SELECT * FROM outbox"),
    await rows(app.db, "SELECT * FROM tries"),
  ]);
  expect(stored).not.toContain(email.split("@")[0]);
});

test("the limits of a technician are read from their index alone, and none scans a table", async () => {
  const ada = await app.register();
  await isEmailed(ada, (await ada.addEntry()).id, freshAddress());
  const [stored, ...others] = (await app.statements()).filter(
    ([sql]) => sql.startsWith('insert into "outbox"') && sql.includes("GROUP BY recipient"),
  );
  expect([stored !== undefined, others.length > 0]).toEqual([true, true]);
  const plan = await rows<{ detail: string }>(app.db, `EXPLAIN QUERY PLAN ${stored?.[0]}`, ...(stored?.[1] ?? []));
  const details = plan.map(({ detail }) => detail);
  const alone = "SEARCH outbox USING COVERING INDEX outbox_by_recipient (user_id=? AND recipient";
  expect(details.filter((detail) => detail.includes("outbox_by_recipient"))).toEqual([
    `${alone}=? AND record_kind=? AND record_id=?)`,
    `${alone}>?)`,
    `${alone}=?)`,
  ]);
  expect(details.filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
});

// Catches limits without an end: by a clock that was a year ahead, nobody could be written to for a year.
test("emails that a clock has dated in the future count for no limit", async () => {
  const ada = await app.register();
  const [{ id }, supervisor] = [await ada.addEntry(), await ada.addSupervisor({ email: freshAddress() })];
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  for (let n = 1; n < 20; n += 1) expect(await isEmailed(ada, (await ada.addEntry()).id, freshAddress())).toBe(true);
  expect(await isEmailed(ada, (await ada.addEntry()).id, freshAddress())).toBe(false);
  await app.idle();
  await app.nextDay(-365 * DAY);
  expect(emailedBy(await ask(ada, id, supervisor.id))).toBe(true);
  expect(await isEmailed(ada, (await ada.addEntry()).id, freshAddress())).toBe(true);
});
