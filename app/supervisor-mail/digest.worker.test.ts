import { beforeEach, expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { NEW_PASSWORD, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * The emails to a technician, and how often they are sent: anyone with a link can cause answers, and an account its
 * own, so one email lists them together. The limits of supervisors' emails are in limits.worker.test.ts.
 */

const app = await startMailApp();
const { mailChannels } = app;
const HOUR = 60 * 60 * 1000;

beforeEach(async () => {
  await app.db.prepare("DELETE FROM outbox").run();
  mailChannels.reset();
});

const told = ({ user }: Technician) => mailChannels.delivered.filter(({ to }) => to === user.email);
const subjects = (who: Technician) => told(who).map(({ subject }) => subject);

/** Links that were never mailed, each for one record of a technician. */
async function links(ada: Technician, count: number): Promise<string[]> {
  const { id: supervisorId } = await ada.addSupervisor({ email: freshEmail() });
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await ada.addEntry({ location: `Dock ${n}` });
    tokens.push(await ada.requestVerification(id, supervisorId));
  }
  await app.idle();
  return tokens;
}

async function verify(token: string, supervisorName = "Ola Hansen"): Promise<void> {
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName })).status).toBe(200);
  await app.idle();
}

/** An hour passes, or several, and the timer runs. */
async function nextHour(hours = 1): Promise<void> {
  await app.nextDay(hours * HOUR);
  await app.db
    .prepare("UPDATE outbox SET due_at = due_at - ?")
    .bind(hours * HOUR)
    .run();
  await app.tick(new Date());
  await app.idle();
}

test("the first of fifteen answers in a row is emailed at once, and the others together an hour later", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 15);
  for (const token of tokens) await verify(token);
  expect(subjects(ada)).toEqual(["Your OJT hours of 20 Nov 2026 were verified"]);
  await app.tick(new Date());
  expect(told(ada)).toHaveLength(1);
  await nextHour();
  expect(subjects(ada).slice(1)).toEqual(["14 of your records were verified"]);
  expect(told(ada)[1]?.text.replace(/\s+/g, " ")).toContain("Ola Hansen verified 14 records (105.0 hours).");
  for (let hour = 0; hour < 3; hour += 1) await nextHour();
  expect(told(ada)).toHaveLength(2);
});

test("one email lists the records verified, declined and withdrawn meanwhile, twenty at most", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 30);
  await verify(tokens[0] ?? "");
  await app.tick(new Date()); // the notice to the supervisor, with the link to disown
  await app.idle();
  const disown = mailChannels.delivered.map(({ text }) => text.match(/\/disown\/\S+/)?.[0]).find(Boolean);
  await verify(tokens[1] ?? "", "Ingrid Solheim");
  const reason = "Not there: see <b>www.evil.example</b>";
  for (const token of tokens.slice(2)) {
    await app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola Hansen", reason });
  }
  expect((await app.json("POST", `/api${disown}`, {})).json()).toMatchObject({ disowned: 1 });
  await app.idle();
  expect(told(ada)).toHaveLength(1);
  await nextHour();
  const [, mail] = told(ada);
  expect(mail?.subject).toBe("1 of your records was verified, 28 declined, 1 taken back");
  const text = mail?.text.replace(/\s+/g, " ");
  expect(text).toContain("Your supervisors verified 1 record (7.5 hours) and declined 28 records.");
  expect(text).toContain("Ola Hansen took back a verification.");
  expect(mail?.text.match(/Declined: /g)).toHaveLength(19);
  // The last line of the list says that it is cut, and of what.
  expect(text).toContain(", 7.5 h: Verification withdrawn by the supervisor ");
  expect(text).toContain("9 more records: Declined. They are in your log. Open the declined OJT records:");
  expect(mail?.html).not.toContain("<b>www");
  expect(mail?.text).toContain("Open the declined OJT records:\nhttp://hours.example.com/profile?status=declined#log");
  expect(`${mail?.text}${mail?.html}`).not.toContain("www.evil");
});

test("a digest leaves out answers that no longer hold when it is sent", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 2);
  await verify(tokens[0] ?? "");
  await app.json("POST", `/api/verify/${tokens[1]}/decline`, { supervisorName: "Ola", reason: "No" });
  await app.idle();
  const declined = (await ada.get("/api/entries")).json<{ id: number; status: string }[]>();
  const { id } = declined.find(({ status }) => status === "declined") ?? { id: 0 };
  expect((await ada.json("DELETE", `/api/entries/${id}`, undefined)).status).toBe(200);
  await nextHour();
  expect(told(ada)).toHaveLength(1);
  expect((await app.messages(ada)).filter(({ kind }) => kind === "hours_verified").map(({ state }) => state)).toEqual([
    "sent",
    "cancelled",
  ]);
});

test("two emails list each concurrent answer once", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 12);
  await Promise.all(tokens.map((token) => app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })));
  await app.idle();
  await nextHour();
  await nextHour();
  const counts = subjects(ada).map((subject) => (subject.startsWith("Your OJT") ? 1 : Number(subject.split(" ")[0])));
  expect([counts.length <= 2, counts.reduce((sum, n) => sum + n, 0)]).toEqual([true, 12]);
});

test("nothing is lost if the mail service fails for two days, and the digests of these days do not arrive together", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 4);
  mailChannels.behave((mail) => (mail.to === ada.user.email ? { status: 503 } : "send"));
  for (const token of tokens.slice(0, 3)) {
    await verify(token);
    for (let times = 0; times < 4; times += 1) await nextHour(4);
  }
  expect(told(ada)).toEqual([]);
  mailChannels.behave("send");
  await app.sweep();
  await app.sweep();
  expect(subjects(ada)).toEqual(["3 of your records were verified"]);
  await verify(tokens[3] ?? "");
  expect(told(ada)).toHaveLength(1);
  await nextHour();
  expect(subjects(ada)[1]).toBe("Your OJT hours of 20 Nov 2026 were verified");
});

test("a digest whose copy may have arrived keeps its content; what came since is in the next", async () => {
  const ada = await app.register({ email: freshEmail() });
  const tokens = await links(ada, 2);
  mailChannels.behave((mail) => (mail.to === ada.user.email ? "drop late" : "send"));
  await verify(tokens[0] ?? "");
  mailChannels.behave("send");
  await verify(tokens[1] ?? "");
  await app.db.prepare("UPDATE outbox SET due_at = 0 WHERE due_at IS NOT NULL AND attempts = 1").run();
  await app.tick(new Date());
  await app.idle();
  expect(told(ada).map(({ text }) => text.match(/VER-\S+/)?.[0])).toHaveLength(2);
  expect(new Set(told(ada).map(({ text }) => text)).size).toBe(1);
  await nextHour();
  expect(told(ada)).toHaveLength(3);
  expect(told(ada)[2]?.text).toContain("Dock 1");
});

test("requests that end in the same week are one email a day, each once", async () => {
  const ada = await app.register({ email: freshEmail() });
  await links(ada, 30);
  mailChannels.reset();
  const DAY = 24 * HOUR;
  const end = async (which: string, days: number) =>
    app.db
      .prepare(`UPDATE verification_requests SET expires_at = ? WHERE user_id = ? AND ${which}`)
      .bind(Date.now() + days * DAY, ada.user.id)
      .run();
  await end("1", 30);
  const [{ first } = { first: 0 }] = await rows<{ first: number }>(
    app.db,
    "SELECT min(id) AS first FROM verification_requests WHERE user_id = ?",
    ada.user.id,
  );
  await end(`id < ${first + 25}`, 6);
  await app.tick(new Date());
  await end(`id = ${first + 25}`, 6.9);
  await app.tick(new Date());
  await app.idle();
  expect(subjects(ada)).toEqual(["25 of your verification requests end in a week"]);
  await app.nextDay();
  await app.tick(new Date());
  await app.tick(new Date());
  await app.idle();
  expect(subjects(ada).slice(1)).toEqual(["One of your verification requests ends in a week"]);
});

test("in a day one account causes at most six emails to its supervisor, and at most six to its own unconfirmed address", async () => {
  const stranger = freshEmail();
  // The account's own address is the stranger's, and no one confirms it.
  const own = await app.register({ email: stranger, name: "Call us now", isConfirmed: false });
  for (let n = 0; n < 12; n += 1) {
    await app.json("POST", "/api/auth/reset-password", { email: stranger });
    await own.json("POST", "/api/user/email/resend");
  }
  for (const token of await links(own, 12)) await verify(token);
  await own.json("POST", "/api/user/password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  await app.idle();
  const received = () => mailChannels.delivered.filter(({ to }) => to === stranger);
  expect(new Set(received().map(({ subject }) => subject))).toEqual(
    new Set(["Reset your Hours Tracker password", "Confirm your email address for Hours Tracker"]),
  );
  expect(received().length).toBeLessThanOrEqual(6); // a link that a newer one replaced is not sent
  for (const { text, html } of received()) expect(text + html).not.toMatch(/Call us|Dock/);

  // Another account has the next stranger as its supervisor, asks in every way, and answers itself.
  mailChannels.reset();
  const [next, ada] = [freshEmail(), await app.register({ email: freshEmail() })];
  const { id: supervisorId } = await ada.addSupervisor({ email: next });
  await ada.json("POST", "/api/user/email", { email: next.replace("@", "+tag@"), password: PASSWORD });
  for (let n = 0; n < 10; n += 1) {
    const { id } = await ada.addEntry();
    const asked = await ada.json("POST", `/api/verify-request/${id}`, { supervisorId });
    await ada.json("PATCH", `/api/entries/${id}`, { location: `Dock ${n}` });
    await ada.json("POST", `/api/verify-request/${id}`, { supervisorId });
    const { verificationToken } = asked.json<{ verificationToken: string }>();
    await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola" });
    await app.json("POST", "/api/supervisor-inbox", { email: next });
  }
  const requests = (await ada.get("/api/verification-requests")).json<{ id: number }[]>();
  for (const { id } of requests) await ada.json("POST", `/api/verification-requests/${id}/remind`);
  for (let hour = 0; hour < 3; hour += 1) await app.tick(new Date());
  await app.idle();
  const toNext = mailChannels.delivered.filter(({ to }) => to.replace("+tag", "") === next);
  expect(toNext.filter(({ subject }) => subject.includes("in your name")).length).toBeLessThanOrEqual(1);
  expect(toNext.length).toBeLessThanOrEqual(6);
  expect(toNext.length).toBeGreaterThan(0); // some were answered before they were sent
});

test("declined records of two kinds have a link for each kind, and what was typed is one line", async () => {
  const ada = await app.register({ email: freshEmail() });
  const { id: supervisorId } = await ada.addSupervisor({ email: freshEmail() });
  const entry = await ada.addEntry({ location: "x".repeat(200) });
  const rope = await ada.addRopeHours({ skills: "Rigging\nPier 9: Declined" });
  const records = [
    { type: "entry", id: entry.id },
    { type: "rope_hour", id: rope.id },
  ];
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  const answer = { supervisorName: "Ola", reason: "Not there" };
  await app.json("POST", `/api/verify/${verificationToken}/decline`, answer);
  await app.idle();
  const [mail] = told(ada);
  expect(mail?.text).toContain(`\n20 Nov 2026, ${"x".repeat(200)}, MT, 7.5 h:\n  Declined: Not there\n`);
  expect(mail?.text).toContain(", Rigging Pier 9: Declined, 38.5 h:\n  Declined: Not there\n");
  for (const [kind, path] of [
    ["OJT", "profile"],
    ["rope", "rope-hours"],
  ]) {
    expect(mail?.text).toContain(
      `Open the declined ${kind} records:\nhttp://hours.example.com/${path}?status=declined#log\n`,
    );
  }
});

test("an email about one declined record leads to that record", async () => {
  const ada = await app.register({ email: freshEmail() });
  const [token] = await links(ada, 1);
  await app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola", reason: "No" });
  await app.idle();
  const [{ id } = { id: 0 }] = (await ada.get("/api/entries")).json<{ id: number }[]>();
  expect(told(ada)[0]?.text).toContain(`Open the declined record:\nhttp://hours.example.com/profile/record/${id}\n`);
});
