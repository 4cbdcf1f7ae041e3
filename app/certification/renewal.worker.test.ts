import { beforeEach, expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate, type Technician } from "#tests/worker/people.ts";

/*
 * The emails before a certificate expires, by the timer with a clock of its own. Detects an email twice, of
 * a deleted certificate, to an address that is not confirmed or after it was switched off, and an end that is told wrongly.
 */

const app = await startMailApp();
const { mailChannels } = app;

const DAY_MS = 86_400_000;
const TODAY = new Date().toISOString().slice(0, 10);

/** The date so many days after today. */
const inDays = (days: number) => new Date(Date.parse(TODAY) + days * DAY_MS).toISOString().slice(0, 10);

/** The timer on that day, at noon in UTC. It ends no session. */
async function onDay(...days: number[]) {
  await app.db
    .prepare("UPDATE sessions SET expires_at = ?")
    .bind(Date.now() + 7_000 * DAY_MS)
    .run();
  for (const day of days) await app.tick(new Date(Date.parse(TODAY) + day * DAY_MS + DAY_MS / 2));
}

beforeEach(async () => {
  await app.db.prepare("DELETE FROM renewals").run();
  await app.db.prepare("DELETE FROM outbox").run();
  mailChannels.reset();
});

async function add(who: Technician, over: object = {}): Promise<number> {
  const answer = await who.json("POST", "/api/certificates", aCertificate(over));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json<{ id: number }>().id;
}

/** The subjects of these emails: not of that which asks to confirm an address. */
const subjects = () =>
  mailChannels.delivered.map(({ subject }) => subject).filter((subject) => /certificate/.test(subject));

async function expiringEvents(who: Technician): Promise<number[]> {
  const events = (await who.get("/api/events")).json<{ type: string; record?: { id: number } }[]>();
  return events.flatMap(({ type, record }) => (type === "certificate.expiring" ? [record?.id ?? 0] : []));
}

test("rope hours have an end that nobody is told of", async () => {
  const ada = await app.register();
  await ada.addRopeHours({ startDate: inDays(-5), endDate: inDays(30), details: { purpose: "work" } });
  expect(await rows(app.db, "SELECT * FROM renewals WHERE user_id = ?", ada.user.id)).toEqual([]);
});

test("a certificate is told of 90, 30 and 7 days before its end, once each, however often the timer runs", async () => {
  const ada = await app.register({ name: "Ada Nilsen" });
  const id = await add(ada, { title: "UT Level II", number: "NI-7", expiresOn: inDays(95) });
  await onDay(4);
  expect(subjects()).toEqual([]);
  await Promise.all([onDay(5), onDay(5)]);
  await onDay(6);
  expect(subjects()).toEqual(["Your certificate expires in 90 days"]);
  const [mail] = mailChannels.delivered;
  expect(mail?.to).toBe(ada.user.email);
  expect(mail?.text).toContain("Hello Ada Nilsen,");
  expect(mail?.text).toContain("UT Level II, NI-7, Northgate Inspection");
  expect(mail?.text).toContain("http://hours.example.com/certificates");
  expect(mail?.text).toContain("http://hours.example.com/account#renewal");
  await onDay(64, 65, 65, 66, 87, 88);
  expect(await expiringEvents(ada)).toEqual([id, id, id]); // those of 90 days ago are swept
  await onDay(89, 94, 95, 96, 150);
  expect(subjects()).toEqual([90, 30, 7].map((days) => `Your certificate expires in ${days} days`));
});

test("all that is due on a day is one email, two of one kind too, the first end first, with links broken up", async () => {
  const ada = await app.register();
  const grace = await app.register();
  await add(ada, { title: "UT by www.example.com", expiresOn: inDays(95) });
  await add(ada, { title: "UT again", expiresOn: inDays(95) });
  await add(ada, {
    ...{ category: "near_vision", title: "Jaeger 1", method: null, level: null, expiresOn: inDays(94) },
  });
  await add(ada, { title: "Later", expiresOn: inDays(300) });
  await add(grace, { title: "Of Grace", expiresOn: inDays(95) });
  await onDay(5);
  expect(subjects().sort()).toEqual([
    "3 of your certificates and tests expire soon",
    "Your certificate expires in 90 days",
  ]);
  const mail = mailChannels.delivered.find(({ to }) => to === ada.user.email);
  expect(mail?.text.replace(/\s+/g, " ")).toContain("The first one expires in 89 days");
  expect(mail?.text.match(/Jaeger 1|UT by www\[.\]example\[.\]com|UT again|Later|Of Grace/g)).toEqual([
    "Jaeger 1",
    "UT by www[.]example[.]com",
    "UT again",
  ]);
});

test("one logged with 20 days left is told of on the next day and a week before its end, not for each day that has passed", async () => {
  const ada = await app.register();
  await add(ada, { expiresOn: inDays(20) });
  await add(ada, { title: "Ended years ago", issuedOn: "2015-01-01", expiresOn: "2018-01-01" });
  await add(ada, { title: "Ends today", expiresOn: TODAY });
  await add(ada, { title: "Never ends", expiresOn: null });
  await onDay(0);
  expect(subjects()).toEqual([]);
  await onDay(1, 2, 5, 13, 14, 20, 21);
  expect(subjects()).toEqual(["Your certificate expires in 19 days", "Your certificate expires in 7 days"]);
});

test("after weeks without a timer it is told of once, and not at all after its end", async () => {
  const ada = await app.register();
  await add(ada, { expiresOn: inDays(100) });
  await add(ada, { title: "Short", expiresOn: inDays(60) });
  await onDay(68);
  expect(subjects()).toEqual(["Your certificate expires in 32 days"]);
  expect(await expiringEvents(ada)).toHaveLength(1);
  await onDay(69, 70, 71);
  expect(subjects()).toHaveLength(1);
});

test("a deleted certificate is not told of, and once it is restored, it is", async () => {
  const ada = await app.register();
  const id = await add(ada, { expiresOn: inDays(100) });
  expect((await ada.json("DELETE", `/api/certificates/${id}`)).status).toBe(200);
  await onDay(10);
  expect([subjects(), await expiringEvents(ada)]).toEqual([[], []]);
  await add(ada, { title: "There", expiresOn: inDays(100) });
  const other = await add(ada, { title: "Deleted", expiresOn: inDays(100) });
  await app.db
    .prepare("UPDATE records SET deleted_at = ? WHERE id = ?")
    .bind(Date.now() + 400 * DAY_MS, other)
    .run();
  await onDay(11);
  expect(subjects()).toEqual(["Your certificate expires in 89 days"]);
  await app.db.prepare("UPDATE records SET deleted_at = NULL WHERE id = ?").bind(other).run();
  await onDay(12);
  expect(subjects()).toEqual(["Your certificate expires in 89 days", "Your certificate expires in 88 days"]);
});

test("another end is told of again, and a change of something else is not", async () => {
  const ada = await app.register();
  const id = await add(ada, { expiresOn: inDays(95) });
  await onDay(5);
  expect((await ada.json("PATCH", `/api/certificates/${id}`, { number: "NEW-1" })).status).toBe(200);
  await onDay(6);
  expect(subjects()).toEqual(["Your certificate expires in 90 days"]);
  expect((await ada.json("PATCH", `/api/certificates/${id}`, { expiresOn: inDays(200) })).status).toBe(200);
  await onDay(65, 88, 109, 110, 111);
  expect(subjects()).toEqual(["Your certificate expires in 90 days", "Your certificate expires in 90 days"]);
  expect((await ada.json("PATCH", `/api/certificates/${id}`, { expiresOn: null })).status).toBe(200);
  await onDay(170, 193);
  expect(subjects()).toHaveLength(2);
});

test("a certificate of 29 February ends on that day and is told of by the calendar", async () => {
  const ada = await app.register();
  await add(ada, { expiresOn: "2032-02-29" });
  const dates = await rows<{ due_on: string }>(app.db, "SELECT due_on FROM renewals WHERE user_id = ?", ada.user.id);
  expect(dates).toEqual([{ due_on: "2031-12-01" }]);
  const refused = await ada.json("POST", "/api/certificates", aCertificate({ expiresOn: "2031-02-29" }));
  expect(refused.status).toBe(400);
  await onDay();
  for (const day of ["2031-11-30", "2031-12-01", "2032-01-30", "2032-02-22"])
    await app.tick(new Date(`${day}T12:00:00Z`));
  expect(subjects()).toEqual([90, 30, 7].map((days) => `Your certificate expires in ${days} days`));
  expect(mailChannels.delivered[0]?.text).toContain("on 29 Feb 2032");
});

test("an address that is not confirmed and a switch that is off get no email, and both get the event", async () => {
  const ada = await app.register({ isConfirmed: false });
  const grace = await app.register();
  const ids = [await add(ada, { expiresOn: inDays(95) }), await add(grace, { expiresOn: inDays(95) })];
  const answer = await grace.json("PATCH", "/api/user", { renewalEmails: false });
  // A user is always exactly the same fields.
  expect([answer.status, answer.json()]).toEqual([200, (await grace.get("/api/user")).json()]);
  expect((await grace.json("PATCH", "/api/user", { renewalEmails: "no" })).status).toBe(400);
  await onDay(5);
  expect(subjects()).toEqual([]);
  expect([...(await expiringEvents(ada)), ...(await expiringEvents(grace))]).toEqual(ids);
  expect((await grace.get("/api/export.json")).json()).toMatchObject({ settings: [{ renewalEmails: false }] });
  await grace.json("PATCH", "/api/user", { renewalEmails: true });
  await onDay(65);
  expect(subjects()).toEqual(["Your certificate expires in 30 days"]);
  expect(mailChannels.delivered.at(-1)?.to).toBe(grace.user.email);
});

test("the account page switches the emails off and on without script, and keeps name and number", async () => {
  const ada = await app.register({ name: "Ada Nilsen" });
  const page = await ada.get("/account");
  expect(page.text).toContain("You get an email 90, 30 and 7 days before");
  expect((await ada.post("/account/details", { renewalEmails: "off" })).status).toBe(303);
  expect((await ada.get("/account")).text).toContain("You get no email before a certificate");
  expect((await ada.get("/api/user")).json()).toMatchObject({ name: "Ada Nilsen" });
  expect((await ada.post("/account/details", { renewalEmails: "perhaps" })).status).toBe(400);
  expect((await ada.post("/account/details", { renewalEmails: "on" })).status).toBe(303);
  await ada.post("/account/details", { name: "Ada Ås", employeeNumber: "" });
  expect((await ada.get("/account")).text).toContain("You get an email 90, 30 and 7 days before");
});

test("a certificate that is deleted or renewed while its email waits is left out", async () => {
  const ada = await app.register();
  const [gone, renewed] = [await add(ada, { expiresOn: inDays(95) }), await add(ada, { expiresOn: inDays(95) })];
  mailChannels.behave({ status: 500 });
  await onDay(5);
  await ada.json("DELETE", `/api/certificates/${gone}`);
  await ada.json("PATCH", `/api/certificates/${renewed}`, { expiresOn: inDays(1000) });
  mailChannels.behave("send");
  await onDay(6);
  expect(subjects()).toEqual([]);
  expect((await app.messages(ada)).map(({ kind, state }) => [kind, state])).toEqual([
    ["certificate_expiring", "cancelled"],
  ]);
});

test("hours that run thin are told in the email and on the progress page: rope and methods with a certificate", async () => {
  const ada = await app.register();
  const held = { issuedOn: inDays(-800), expiresOn: inDays(95) };
  await add(ada, held);
  await add(ada, { ...held, title: "MT", method: "MT", expiresOn: inDays(900) });
  await add(ada, { ...held, title: "Issued this year", method: "PT", issuedOn: inDays(-100), expiresOn: null });
  await add(ada, { ...held, title: "Ended", method: "RT", expiresOn: inDays(-1) });
  const thin = async () => {
    const { text } = await ada.get("/progress");
    return [...text.matchAll(/<li[^>]*>No ([^<]*)\./g)].map(([, one]) => one);
  };
  const shear = "UTSW hours in the last year, and you hold a certificate in it";
  const magnetic = "MT hours in the last year, and you hold a certificate in it";
  expect(await thin()).toEqual([magnetic, shear].map((text) => expect.stringContaining(text.split(" hours")[1] ?? "")));
  await ada.addEntry({ method: "MT", date: inDays(-200) });
  await ada.addEntry({ method: "UTSW", date: inDays(-400) });
  await ada.addRopeHours({ startDate: inDays(-200), endDate: inDays(-199) });
  expect(await thin()).toHaveLength(2);
  await onDay(5);
  expect(mailChannels.delivered[0]?.text.replace(/\s+/g, " ")).toMatch(
    /No recent hours: no rope hours in the last six months; no UT.* hours in the last year, and you hold a certificate in it\./,
  );
  await ada.addEntry({ method: "UTSW", date: inDays(-3) });
  await ada.addRopeHours({ startDate: inDays(-4), endDate: inDays(-3) });
  expect(await thin()).toEqual([]);
});
