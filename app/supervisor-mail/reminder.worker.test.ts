import { beforeEach, expect, test } from "vitest";
import { statuses, times, visitor } from "#tests/worker/attempts.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * Reminders, the end of a request, and the list of what waits for an address. Time passes by moving the stored instants into
 * the past. Catches a second reminder on one day, and a link that works after its end.
 */

const app = await startMailApp();
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

/** Lets days pass for requests and for all that limits count. */
async function pass(days: number): Promise<void> {
  await app.nextDay(days * DAY);
  await app.db
    .prepare(
      `UPDATE verification_requests SET created_at = created_at - ?1, requested_at = requested_at - ?1, expires_at = expires_at - ?1,
        remind_at = remind_at - ?1`,
    )
    .bind(days * DAY)
    .run();
}

/** The timer on a working day, at noon in UTC, which is the time zone of the tests' clients. */
async function tickAt(hour = 12): Promise<void> {
  await app.idle();
  const now = new Date();
  // The timer's clock may not be behind the requests', so the hour is of a time zone.
  const zone = `Etc/GMT${offset(hour - now.getUTCHours())}`;
  await app.db.prepare("UPDATE verification_requests SET supervisor_time_zone = ?").bind(zone).run();
  await app.tickOnWorkday();
}

/** The sign of these zones is reversed: `Etc/GMT-3` is three hours ahead. */
function offset(hours: number): string {
  const east = ((hours + 36) % 24) - 12;
  return east === 0 ? "" : east > 0 ? `-${east}` : `+${-east}`;
}

async function asked(email = freshEmail()) {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entry = await ada.addEntry();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const token = await ada.requestVerification(entry.id, supervisor.id);
  await app.idle();
  return { ada, entry, email, token, supervisor };
}

const reminders = (email: string) =>
  mailChannels.delivered.filter(({ to, subject }) => to === email && subject.startsWith("Reminder: "));

test("reminders go out on days 5, 12 and 19, and no more", async () => {
  const { email, token } = await asked();
  // The days around each reminder, the day before the end, and each twice.
  const sent: Record<number, number> = {};
  let today = 0;
  for (const day of [4, 5, 6, 11, 12, 13, 18, 19, 20, 30, 89]) {
    await pass(day - today);
    today = day;
    await tickAt();
    await tickAt();
    sent[day] = reminders(email).length;
  }
  expect(sent).toEqual({ 4: 0, 5: 1, 6: 1, 11: 1, 12: 2, 13: 2, 18: 2, 19: 3, 20: 3, 30: 3, 89: 3 });
  expect(reminders(email)[0]?.text).toContain(`http://hours.example.com/verify/${token}?m=`);
}, 60_000);

test("one reminder a day has all that waits for the address, from all technicians", async () => {
  const { email, token } = await asked();
  const other = await asked(email);
  await pass(6);
  await tickAt();
  await tickAt();
  expect(reminders(email)).toHaveLength(1);
  const [reminder] = reminders(email);
  for (const one of [token, other.token]) expect(reminder?.text).toContain(one);
  // The sums by method of all that waits, as in the first email, and until when.
  expect(reminder?.text).toMatch(/MT +2 +15\.0/);
  expect(reminder?.text).toMatch(/Total Hours: +2 +15\.0/);
  expect(reminder?.html).toContain("Total Hours:");
  expect(reminder?.text.match(/Answer by/g)).toHaveLength(2);
  await pass(1);
  await tickAt();
  expect(reminders(email)).toHaveLength(1);
});

// Catches a limit of a mailbox that a second email of the same moment passes. Seen to fail: there were two.
test("two spellings of one mailbox get one reminder a day between them", async () => {
  const name = `same-${crypto.randomUUID().slice(0, 8)}`;
  const spellings = [`${name}@gmail.com`, `${name}+work@gmail.com`];
  for (const email of spellings) await asked(email);
  await pass(5);
  await tickAt();
  expect(spellings.flatMap(reminders)).toHaveLength(1);
});

// Catches a request that is listed in the reminders of others after its own three.
test("a request that was reminded of three times, or not at all, is not in the reminder of another", async () => {
  const { email, token } = await asked();
  const silent = await asked(email);
  await app.db.prepare("UPDATE verification_requests SET reminders = 0 WHERE token = ?").bind(silent.token).run();
  await app.db
    .prepare("UPDATE verification_requests SET reminded = 3, remind_at = NULL WHERE token = ?")
    .bind(token)
    .run();
  const other = await asked(email);
  await pass(5);
  await tickAt();
  const [reminder] = reminders(email);
  const has = [other.token, token, silent.token].map((one) => reminder?.text.includes(one));
  expect(has).toEqual([true, false, false]);
});

// Catches a reminder that waits until the mail service is back, as other emails do. Seen to fail: it was sent.
test("a reminder that the mail service did not take on its day is not sent on another", async () => {
  const { email } = await asked();
  await pass(5);
  mailChannels.behave(() => ({ status: 503 }));
  await tickAt();
  expect(await count(app.db, "outbox", "kind = 'verification_reminder' AND due_at IS NOT NULL")).toBeGreaterThan(0);
  mailChannels.reset();
  for (const table of ["outbox SET created_at = created_at - ?1, due_at", "request_events SET at"]) {
    const column = table.split(" ").at(-1);
    await app.db.prepare(`UPDATE ${table} = ${column} - ?1 WHERE ${column} IS NOT NULL`).bind(DAY).run();
  }
  await tickAt();
  expect(reminders(email)).toEqual([]);
});

test("the time zone of the supervisor is that from which the link was last opened", async () => {
  const { token } = await asked();
  await app.get(`/verify/${token}`);
  await app.idle();
  const [zones] = await rows(app.db, "SELECT * FROM verification_requests WHERE token = ?", token);
  expect(zones?.supervisor_time_zone).toBe(zones?.time_zone);
});

// Seen: the request said that the second supervisor had opened it days before they got it, and sent no reminder.
test("a request that is sent to another supervisor is not opened, and has all its reminders before it", async () => {
  const { ada, entry, email, token } = await asked();
  const remindThrice = async (address: string) => {
    for (const [before, days] of [5, 7, 7].entries()) {
      await pass(days);
      await tickAt();
      expect(reminders(address)).toHaveLength(before + 1);
    }
  };
  const stored = async () => {
    const columns = "id, opened_at IS NOT NULL AS opened, supervisor_time_zone AS zone, reminded";
    return (await rows(app.db, `SELECT ${columns} FROM verification_requests WHERE token = ?`, token))[0];
  };
  const open = async () => {
    await app.get(`/verify/${token}`);
    await app.idle();
  };
  await open();
  await remindThrice(email);
  const next = await ada.addSupervisor({ email: freshEmail() });
  expect(await ada.requestVerification(entry.id, next.id)).toBe(token);
  const readdressed = await stored();
  expect(readdressed).toMatchObject({ opened: 0, zone: null, reminded: 0 });
  expect(textOf((await ada.get("/requests")).text)).toContain("Requested today, not opened yet. Next reminder on ");
  await open();
  expect(await count(app.db, "events", "type = 'request.opened' AND request_id = ?", Number(readdressed?.id))).toBe(2);
  // Asked again, the same supervisor has opened it.
  await ada.requestVerification(entry.id, next.id);
  expect(await stored()).toMatchObject({ opened: 1, zone: expect.any(String) });
  await remindThrice(next.email);
});

test("reminders are sent from 7 to 19 h of the supervisor's day only, and not if they are switched off", async () => {
  const { email } = await asked();
  await pass(5);
  for (const hour of [19, 23, 3, 6]) {
    await tickAt(hour);
    expect([hour, reminders(email).length]).toEqual([hour, 0]);
    await app.db.prepare("UPDATE verification_requests SET remind_at = 1 WHERE remind_at IS NOT NULL").run();
  }
  await app.db.prepare("UPDATE verification_requests SET reminders = 0").run();
  await tickAt(9);
  expect(reminders(email)).toEqual([]);
  await app.db.prepare("UPDATE verification_requests SET reminders = 1").run();
  await tickAt(7);
  expect(reminders(email)).toHaveLength(1);
});

test("a request ends after 90 days; its technician gets an email a week before, its link says so, and the log has it", async () => {
  const { ada, entry, token } = await asked();
  const told = () => mailChannels.delivered.filter(({ to }) => to === ada.user.email).map(({ subject }) => subject);
  await pass(82);
  await tickAt();
  expect(told()).toEqual([]);
  await pass(1.5);
  await tickAt();
  await tickAt();
  expect(told()).toEqual(["One of your verification requests ends in a week"]);
  await pass(6);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
  await pass(1);
  // Also before the timer has ended it.
  const page = await app.get(`/verify/${token}`);
  const whom = `ask the technician for a new link. The technician is ${ada.user.name}. Are records waiting for you?`;
  expect([page.status, textOf(page.text)]).toEqual([404, expect.stringContaining(whom)]);
  expect(page.text).toContain('<a href="/inbox">');
  expect(page.text).not.toContain(ada.user.email);
  const own = textOf((await ada.get(`/verify/${token}`)).text);
  expect(own).toContain("This link has expired. Request the verification again to get a new link.");
  expect(own).not.toMatch(/ask the technician|waiting for you/);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(404);
  await tickAt();
  const [after] = (await ada.get("/api/entries")).json<{ status: string }[]>();
  expect(after?.status).toBe("pending");
  const history = (await ada.get(`/api/entries/${entry.id}/verification`)).json<{ log: object[]; intact: boolean }>();
  expect([history.log.at(-1), history.intact]).toEqual([
    expect.objectContaining({ event: "withdrawn", cause: "expired" }),
    true,
  ]);
  expect(await ada.requestVerification(entry.id)).not.toBe(token);
});

test("asking again before the end renews the request and keeps its link", async () => {
  const { entry, ada, token, supervisor } = await asked();
  await pass(80);
  expect(await ada.requestVerification(entry.id, supervisor.id)).toBe(token);
  await pass(80);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(200);
});

test("the owner of an address gets a link to all that waits for it, and the answer is the same for every address", async () => {
  const { email, token } = await asked();
  const other = await asked(email);
  mailChannels.reset();
  const known = await app.json("POST", "/api/supervisor-inbox", { email: email.toUpperCase() });
  const unknown = await app.json("POST", "/api/supervisor-inbox", { email: freshEmail() });
  expect([known.status, known.json(), known.trips]).toEqual([unknown.status, unknown.json(), unknown.trips]);
  expect([known.status, known.trips]).toEqual([200, 2]);
  await app.idle();
  expect(mailChannels.delivered.map(({ to }) => to)).toEqual([email]);
  const path = mailChannels.delivered[0]?.text.match(/http:\/\/hours\.example\.com(\/inbox\/\S+)/)?.[1] ?? "";
  const page = await app.get(path);
  expect([page.status, page.trips]).toEqual([200, 1]);
  for (const one of [token, other.token]) expect(page.text).toContain(`/verify/${one}?m=`);
  expect((await app.get(`${path.slice(0, -1)}x`)).status).toBe(404);
  expect((await app.json("POST", "/api/supervisor-inbox", { email: "nobody" })).status).toBe(400);
  const before = await count(app.db, "outbox");
  for (let n = 0; n < 10; n += 1) await app.json("POST", "/api/supervisor-inbox", { email });
  // Two links a day to an address, and the first was sent above.
  expect((await count(app.db, "outbox")) - before).toBe(1);
});

// Seen: after five questions of a stranger no request was mailed to that address on that day.
test("at most two of the five emails a day to an address are links to an inbox, whoever requests them", async () => {
  const { ada, email, supervisor } = await asked();
  const subjects = async () => {
    await app.idle();
    const all = mailChannels.delivered.filter(({ to }) => to === email).map(({ subject }) => subject);
    const links = all.filter((subject) => subject === "The records that wait for your answer").length;
    return { links, requests: all.length - links };
  };
  await times(9, () => visitor(app).json("POST", "/api/supervisor-inbox", { email }));
  expect(await subjects()).toEqual({ links: 2, requests: 1 });
  await times(6, async () => ada.requestVerification((await ada.addEntry()).id, supervisor.id));
  expect(await subjects()).toEqual({ links: 2, requests: 3 });
});

// Seen: five questions that were refused took all emails of the day from an address.
test("a question above the limit of its network counts for no address, and the last one below it is answered", async () => {
  const { email } = await asked();
  const ask = (from = visitor(app), address = email) => from.json("POST", "/api/supervisor-inbox", { email: address });
  const crowd = visitor(app);
  const answers = [...(await times(19, () => ask(crowd, freshEmail()))), ...(await times(6, () => ask(crowd)))];
  expect(statuses(answers)).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
  await times(4, () => ask());
  await app.idle();
  // Two links a day to an address, after the email of the request.
  expect(mailChannels.delivered.filter(({ to }) => to === email)).toHaveLength(3);
});

test("a verification with the secret of the email is by mailbox; with a wrong or foreign one it is by link, and with two it is refused", async () => {
  const { email, token } = await asked();
  const foreign = await asked();
  const secretOf = (address: string) =>
    mailChannels.delivered.find(({ to }) => to === address)?.text.match(/\?m=([\w-]+)/)?.[1] ?? "";
  const m = secretOf(email);
  expect(m).toHaveLength(22);
  const viaOf = async (query: string, link: string) => {
    const answer = await app.json("POST", `/api/verify/${link}${query}`, { supervisorName: "Ola" });
    return answer.json<{ entry: { verifiedVia: string } }>().entry.verifiedVia;
  };
  expect(await viaOf(`?m=${m}`, foreign.token)).toBe("link");
  const repeated = await app.json("POST", `/api/verify/${token}?m=${m}&m=${m}`, { supervisorName: "Ola" });
  expect(repeated.status).toBe(400);
  expect(await viaOf("?m=", (await asked()).token)).toBe("link");
  expect(await viaOf(`?m=${m}`, token)).toBe("mailbox");
});

test("the secret of an email is void once the request has another address, and the technician never sees it", async () => {
  const { ada, email, entry, token } = await asked();
  const m = mailChannels.delivered.find(({ to }) => to === email)?.text.match(/\?m=([\w-]+)/)?.[1] ?? "";
  const dialog = await ada.get(`/profile?request=${entry.id}&link=1`);
  expect(dialog.text).toContain(token);
  expect(dialog.text).not.toContain("?m=");
  await ada.requestVerification(entry.id);
  const answer = await app.json("POST", `/api/verify/${token}?m=${m}`, { supervisorName: "Ola" });
  expect(answer.json<{ entry: { verifiedVia: string } }>().entry.verifiedVia).toBe("link");
});
