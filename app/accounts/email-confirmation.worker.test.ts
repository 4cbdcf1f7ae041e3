import { beforeEach, expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { freshEmail, tokenFor } from "#tests/worker/email-changes.ts";
import { textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { NEW_PASSWORD, PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * The address of an account is confirmed by a link. Catches an account that emails strangers at will before, a link
 * that works twice, for a former address or after its time, a request that is never sent, and every email but the link
 * and a reset to an unconfirmed address.
 */

const app = await startMailApp();
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;
const SUBJECT = "Confirm your email address for Hours Tracker";

beforeEach(() => mailChannels.reset());

const mailsTo = (email: string) => mailChannels.delivered.filter(({ to }) => to === email);
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject);
const confirm = (token: string) => app.as(new Map()).json("POST", `/api/user/email/${token}`);
const resend = (who: Technician) => who.json("POST", "/api/user/email/resend");

/** The token of the newest link that was mailed to an address. */
function linkTo(email: string): string {
  const text = mailsTo(email).findLast(({ subject }) => subject === SUBJECT)?.text;
  return text?.match(/http:\/\/hours\.example\.com\/account\/email\/(\S+)/)?.[1] ?? "";
}

/** Signed in with an address that is not confirmed; the sign-in has mailed a link. */
async function unconfirmed(over: { email?: string; name?: string } = {}): Promise<Technician> {
  const who = await app.register({ email: freshEmail(), isConfirmed: false, ...over });
  await app.idle();
  return who;
}

/** Asks another supervisor about another record. Returns the answer, the supervisor's address and the record. */
async function ask(who: Technician, email = `boss-${crypto.randomUUID()}@example.org`) {
  const { id } = await who.addEntry();
  const supervisor = await who.addSupervisor({ email });
  const answer = await who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  await app.idle();
  return { id, email, ...answer.json<{ emailed: boolean; emailedReason: string | null; verificationToken: string }>() };
}

test("registering emails a link that confirms the address once, without a session, and nothing that a person typed", async () => {
  const email = freshEmail();
  const answer = await app.json("POST", "/api/auth/register", {
    email,
    password: PASSWORD,
    name: "Evil Name",
    employeeNumber: "EVIL-7",
  });
  const user = answer.json<Record<string, unknown>>();
  expect(Object.keys(user)).toEqual([
    ...["id", "email", "name", "employeeNumber", "isAdmin", "createdAt", "emailConfirmedAt"],
  ]);
  expect([answer.status, user.emailConfirmedAt, answer.trips]).toEqual([201, null, 2]);
  await app.idle();
  expect(subjectsTo(email)).toEqual([SUBJECT]);
  const [mail] = mailsTo(email);
  for (const text of [mail?.text, mail?.html, JSON.stringify(mail)]) expect(text).not.toMatch(/evil/i);
  expect(mail?.text).toContain("pass the link on yourself");
  const token = linkTo(email);
  // The database holds neither the token nor a link.
  const stored = await rows(app.db, "SELECT * FROM account_links WHERE email = ?", email);
  expect(JSON.stringify([stored, await rows(app.db, "SELECT * FROM outbox")])).not.toContain(token);

  const page = await app.get(`/account/email/${token}`);
  expect([page.status, page.headers.get("cache-control"), page.headers.get("x-robots-tag")]).toEqual([
    ...[200, "no-store", "noindex"],
  ]);
  expect(textsOf(page.text, "button")).toEqual(["Confirm Email Address"]);
  expect(await count(app.db, "users", "email = ? AND email_confirmed_at IS NULL", email)).toBe(1);
  const done = await confirm(token);
  expect([done.status, done.trips, done.json()]).toEqual([
    ...[200, 2, { ...user, emailConfirmedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }],
  ]);
  const again = await confirm(token);
  expect([again.status, again.json()]).toEqual([
    ...[400, { code: "link_ended", message: "This link has been used: the email address is confirmed." }],
  ]);
});

test("one of 20 uses of a link at once confirms, and the address stays confirmed", async () => {
  const who = await unconfirmed();
  const token = linkTo(who.user.email);
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
});

test("a link that is unknown, replaced, expired or for a former address confirms nothing", async () => {
  const who = await unconfirmed();
  const old = linkTo(who.user.email);
  expect((await resend(who)).status).toBe(200);
  await app.idle();
  const token = linkTo(who.user.email);
  expect(token).not.toBe(old);
  const refused = async (sent: string) => {
    const answer = await confirm(sent);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("used, has expired or was replaced")]);
    expect((await app.get(`/account/email/${sent}`)).status).toBe(400);
    expect(await count(app.db, "users", "id = ? AND email_confirmed_at IS NOT NULL", who.user.id)).toBe(0);
  };
  for (const sent of ["x", old, token.slice(0, -1)]) await refused(sent);
  await app.db.prepare("UPDATE account_links SET expires_at = 1 WHERE user_id = ?").bind(who.user.id).run();
  await refused(token);
  await app.tick(new Date());
  expect(await count(app.db, "account_links", "user_id = ? AND purpose = 'confirmation'", who.user.id)).toBe(0);
  // Changed between the email and its link.
  await resend(who);
  await app.idle();
  const last = linkTo(who.user.email);
  await app.db.prepare("UPDATE users SET email = ? WHERE id = ?").bind(freshEmail(), who.user.id).run();
  await refused(last);
});

test("a link is sent again three times a day, to a confirmed account never, and without a session 401", async () => {
  const who = await unconfirmed();
  for (let n = 1; n <= 3; n += 1) {
    const answer = await resend(who);
    await app.idle();
    expect([answer.status, answer.trips, answer.json()]).toEqual([
      ...[200, 2, { message: expect.stringContaining("new link") }],
    ]);
  }
  const over = await resend(who);
  expect([over.status, Number(over.headers.get("retry-after")) > 80_000]).toEqual([429, true]);
  await app.idle();
  expect(subjectsTo(who.user.email)).toHaveLength(4);
  const { user, ...confirmed } = { user: who.user, answer: await resend(await app.register()) };
  expect(user.emailConfirmedAt).toBeNull();
  expect([confirmed.answer.status, confirmed.answer.json()]).toEqual([
    200,
    { message: "Your email address is confirmed." },
  ]);
  expect((await app.json("POST", "/api/user/email/resend")).status).toBe(401);
});

test("the links count to the five emails a day of their address, from all accounts, and so do resets to an unconfirmed one but the first", async () => {
  const who = await unconfirmed({ email: "victim@example.net" });
  for (let n = 0; n < 3; n += 1) {
    await resend(who);
    await app.idle();
  }
  for (let n = 0; n < 3; n += 1) {
    expect((await app.json("POST", "/api/auth/reset-password", { email: "victim@example.net" })).status).toBe(200);
    await app.idle();
  }
  // Another spelling of the same mailbox, as another account, and as the supervisor of a third.
  await unconfirmed({ email: "victim+2@example.net" });
  const ada = await app.register();
  const change = await ada.json("POST", "/api/user/email", { email: "victim+3@example.net", password: PASSWORD });
  expect(change.status).toBe(429);
  expect(await ask(ada, "victim@example.net")).toMatchObject({ emailed: false, emailedReason: "limit" });
  await app.sweep();
  expect(mailChannels.delivered.filter(({ to }) => to.startsWith("victim"))).toHaveLength(6);
});

// Five requests to an unconfirmed address stopped its owner from setting a new password.
test("emails that others cause do not stop the first reset of a day to an unconfirmed address", async () => {
  const email = freshEmail();
  await unconfirmed({ email });
  const ada = await app.register();
  const asked = [];
  for (let n = 0; n < 5; n += 1) asked.push((await ask(ada, email)).emailed);
  expect(asked).toEqual([true, true, true, true, false]);
  for (let n = 0; n < 2; n += 1) {
    expect((await app.json("POST", "/api/auth/reset-password", { email })).status).toBe(200);
    await app.idle();
  }
  expect(subjectsTo(email).filter((subject) => subject.startsWith("Reset"))).toHaveLength(1);
});

test("an unconfirmed account causes emails to three supervisors; the others wait without reminders until it confirms", async () => {
  const who = await unconfirmed();
  const asked = [];
  for (let n = 0; n < 5; n += 1) asked.push(await ask(who));
  expect(asked.map(({ emailed, emailedReason }) => [emailed, emailedReason])).toEqual([
    ...Array(3).fill([true, null]),
    ...Array(2).fill([false, "unconfirmed"]),
  ]);
  const [first, , , fourth, fifth] = asked;
  // More requests to one of the three go, and a request for several records waits like another.
  expect(await ask(who, first?.email)).toMatchObject({ emailed: true });
  const records = [{ type: "entry", id: (await who.addEntry()).id }];
  const supervisor = await who.addSupervisor({ email: "several@example.org" });
  const several = await who.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  expect(several.json()).toMatchObject({ emailed: false, emailedReason: "unconfirmed" });
  const list = (await who.get("/api/verification-requests")).json<{ emailedReason: string | null }[]>();
  expect(list.filter(({ emailedReason }) => emailedReason === "unconfirmed")).toHaveLength(3);
  const dialog = (await who.get(`/profile?request=${fourth?.id}&link=1`)).text;
  expect(dialog).toContain("waits until you have confirmed your own email address");
  expect(dialog).toContain("pass this link on yourself");

  // Neither a reminder nor a request for the inbox sends them an email.
  const noon = new Date(new Date().setUTCHours(11, 0, 0, 0) + 6 * DAY);
  await app.tick(noon);
  expect((await app.json("POST", "/api/supervisor-inbox", { email: fourth?.email })).status).toBe(200);
  await app.idle();
  expect([mailsTo(fourth?.email ?? ""), mailsTo(fifth?.email ?? ""), mailsTo("several@example.org")]).toEqual([
    [],
    [],
    [],
  ]);
  expect(mailsTo(first?.email ?? "").length).toBeGreaterThan(1); // the three are reminded

  await who.json("DELETE", `/api/verify-request/${fifth?.id}`);
  const token = linkTo(who.user.email);
  expect(textsOf((await app.get(`/account/email/${token}`)).text, "button")).toEqual(["Confirm and send 2 requests"]);
  const page = await app.post(`/account/email/${token}`, {});
  expect([page.status, page.text.includes("The 2 requests that waited are being emailed.")]).toEqual([200, true]);
  await app.tick(new Date());
  await app.sweep();
  expect([fourth?.email, fifth?.email, "several@example.org"].map((email) => mailsTo(email ?? "").length)).toEqual([
    1, 0, 1,
  ]);
  expect(mailsTo(fourth?.email ?? "")[0]?.text).toContain(`/verify/${fourth?.verificationToken}?m=`);
  expect((await who.get("/api/verification-requests")).json()).toMatchObject([
    { emailed: true, emailedReason: null },
    ...list.slice(1).map(() => ({})),
  ]);
  // Again nothing is sent.
  await app.tick(new Date());
  await app.sweep();
  expect(mailsTo(fourth?.email ?? "")).toHaveLength(1);
});

test("20 requests at once of an unconfirmed account are emailed to three supervisors", async () => {
  const who = await unconfirmed();
  const [entries, supervisors] = [await who.addEntries(20), []] as [{ id: number }[], { id: number }[]];
  for (let n = 0; n < 20; n += 1) supervisors.push(await who.addSupervisor({ email: `crowd-${n}@example.org` }));
  const answers = await Promise.all(
    entries.map(({ id }, n) => who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisors[n]?.id })),
  );
  expect(answers.filter((one) => one.json().emailed)).toHaveLength(3);
  await app.sweep();
  expect(mailChannels.delivered.filter(({ to }) => to.startsWith("crowd-"))).toHaveLength(3);
});

test("a request that is made while the address is confirmed is emailed, whichever comes first", async () => {
  for (let round = 0; round < 5; round += 1) {
    const who = await unconfirmed();
    for (let n = 0; n < 3; n += 1) await ask(who);
    const token = linkTo(who.user.email);
    const [{ id }, supervisor] = [await who.addEntry(), await who.addSupervisor({ email: freshEmail() })];
    const [confirmed, asked] = await Promise.all([
      confirm(token),
      who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id }),
    ]);
    expect([confirmed.status, asked.status]).toEqual([200, 200]);
    await app.tick(new Date());
    await app.sweep();
    expect(mailsTo(supervisor.email)).toHaveLength(1);
  }
});

test("a reset and a confirmed change of the address confirm it, and send what waited", async () => {
  for (const way of ["reset", "change"]) {
    const who = await unconfirmed();
    for (let n = 0; n < 3; n += 1) await ask(who);
    const waiting = await ask(who);
    expect(waiting.emailedReason).toBe("unconfirmed");
    if (way === "reset") {
      await app.json("POST", "/api/auth/reset-password", { email: who.user.email });
      await app.idle();
      const token = mailsTo(who.user.email)
        .at(-1)
        ?.text.match(/\/reset-password\/(\S+)/)?.[1];
      const reset = await app.json("POST", `/api/auth/reset-password/${token}`, { password: NEW_PASSWORD });
      expect(reset.status).toBe(200);
    } else {
      const next = freshEmail();
      const answer = await confirm(await tokenFor(app, who, next));
      expect(answer.json()).toMatchObject({ email: next, emailConfirmedAt: expect.any(String) });
    }
    expect(await count(app.db, "users", "id = ? AND email_confirmed_at IS NOT NULL", who.user.id)).toBe(1);
    await app.tick(new Date());
    await app.sweep();
    expect([way, mailsTo(waiting.email).length]).toEqual([way, 1]);
  }
});

// Seen: it confirmed the address, which its user may not have: an admin gave them the link, where mail was off.
test("a reset link that was not mailed sets the password, confirms no address, and sends nothing that waits", async () => {
  const who = await unconfirmed();
  for (let n = 0; n < 3; n += 1) await ask(who);
  const waiting = await ask(who);
  await openReset(app.db, who.user.id, `given-${who.user.id}`);
  const reset = await app.json("POST", `/api/auth/reset-password/given-${who.user.id}`, { password: NEW_PASSWORD });
  expect(reset.status).toBe(200);
  const signedIn = await app.json("POST", "/api/auth/login", { email: who.user.email, password: NEW_PASSWORD });
  expect([signedIn.status, signedIn.json()]).toMatchObject([200, { emailConfirmedAt: null }]);
  await app.tick(new Date());
  await app.sweep();
  expect(mailsTo(waiting.email)).toEqual([]);
});

// A mistyped address is a stranger's: whatever happens to the account, it gets the link and a reset alone.
test("an unconfirmed address gets the link and a reset, without a name, and nothing else", async () => {
  const who = await unconfirmed({ name: "Typed Name" });
  const { email } = who.user;
  const { verificationToken } = await ask(who);
  const visitor = app.as(new Map());
  await visitor.json("POST", `/api/verify/${verificationToken}/decline`, { supervisorName: "Nobody", reason: "Typed" });
  const second = await ask(who);
  await visitor.json("POST", `/api/verify/${second.verificationToken}`, { supervisorName: "Nobody" });
  await ask(who);
  // It ends within a week.
  const ending = "UPDATE verification_requests SET expires_at = ? WHERE user_id = ?";
  await app.db
    .prepare(ending)
    .bind(Date.now() + 6 * DAY, who.user.id)
    .run();
  await app.tick(new Date());
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await who.json("POST", "/api/user/password", change)).status).toBe(200);
  await app.json("POST", "/api/auth/reset-password", { email });
  // Another user requests this address.
  const other = await app.register();
  await other.json("POST", "/api/user/email", { email, password: PASSWORD });
  await app.idle();
  const next = freshEmail();
  const asked = await who.json("POST", "/api/user/email", { email: next, password: NEW_PASSWORD });
  expect(asked.status).toBe(200);
  await app.sweep();
  expect(subjectsTo(email).sort()).toEqual([SUBJECT, "Reset your Hours Tracker password"]);
  for (const mail of [...mailsTo(email), ...mailsTo(next)]) expect(JSON.stringify(mail)).not.toContain("Typed");
  const token = mailsTo(next)[0]?.text.match(/account\/email\/(\S+)/)?.[1] ?? "";
  expect((await confirm(token)).status).toBe(200);
  await app.sweep();
  expect(subjectsTo(email)).toHaveLength(2); // not that it was changed
  // Now that the address is confirmed, notices go to it.
  const third = await ask(who);
  await visitor.json("POST", `/api/verify/${third.verificationToken}`, { supervisorName: "Ola" });
  await app.sweep();
  expect(subjectsTo(next).filter((subject) => subject.includes("verified"))).toHaveLength(1);
});

test("the account page says that the address is not confirmed, and sends the link again without script", async () => {
  const who = await unconfirmed();
  expect((await who.get("/profile")).text).toContain("Confirm your email");
  const page = await who.get("/account");
  expect(textsOf(page.text, "button")).toContain("Send the link again");
  expect(page.text).toContain("Change the address");
  const sent = await who.post("/account/email/resend", {});
  expect([sent.status, sent.location]).toEqual([303, "/account"]);
  expect((await who.get("/account")).text).toContain("sent a new link to your email address");
  await app.idle();
  expect(subjectsTo(who.user.email)).toHaveLength(2);
  await confirm(linkTo(who.user.email));
  expect((await who.get("/account")).text).not.toContain("Send the link again");
  expect((await who.get("/profile")).text).not.toContain("Confirm your email");
});

test("deleting the account deletes its link", async () => {
  const who = await unconfirmed();
  expect((await who.json("DELETE", "/api/user", { password: PASSWORD })).status).toBe(200);
  expect(await count(app.db, "account_links", "user_id = ? AND purpose = 'confirmation'", who.user.id)).toBe(0);
});
