import { beforeEach, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { freshEmail, tokenFor } from "#tests/worker/email-changes.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { NEW_PASSWORD, PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * The links of a locked account change nothing. Catches a reset or a change of the address by a link
 * that was mailed before, an email with a new link, and a supervisor who is kept from answering.
 */

const app = await startMailApp();
const withoutMail = await startApp();
const { mailChannels } = app;
const admin = await app.register({ isAdmin: true });

beforeEach(() => mailChannels.reset());

const act = (who: Technician, what: string) => admin.json("POST", `/api/admin/users/${who.user.id}/${what}`);
const lock = async (who: Technician) => expect((await act(who, "lock")).status).toBe(200);
const visitor = () => app.as(new Map());
const logIn = (who: Technician, password = PASSWORD, email = who.user.email) =>
  visitor().json("POST", "/api/auth/login", { email, password });

/** All that is stored of an account, but for its emails. */
const stored = async ({ user: { id } }: Technician) =>
  Promise.all(
    ["SELECT * FROM users WHERE id = ?", "SELECT * FROM account_links WHERE user_id = ?"].map((sql) =>
      rows(app.db, sql, id),
    ),
  );

const linkIn = (email: string, path: string) =>
  mailChannels.delivered
    .findLast(({ to, text }) => to === email && text.includes(`/${path}/`))
    ?.text.match(new RegExp(`hours\\.example\\.com/${path}/(\\S+)`))?.[1] ?? "";

async function resetToken(who: Technician): Promise<string> {
  await visitor().json("POST", "/api/auth/reset-password", { email: who.user.email });
  await app.settled(who);
  return linkIn(who.user.email, "reset-password");
}

const LOCKED = "An admin has locked this account. Ask the person who runs this installation.";
const isRefused = (answer: Answer) =>
  expect([answer.status, answer.json()]).toEqual([403, { code: "locked", message: LOCKED }]);
const isRefusedPage = (page: Answer) => {
  expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining(LOCKED)]);
  expect(page.text).not.toContain("<form");
};

test("a reset link that was mailed before the lock changes nothing, and works once the account is unlocked", async () => {
  const kari = await app.register();
  const token = await resetToken(kari);
  await lock(kari);
  const before = await stored(kari);
  isRefused(await visitor().json("POST", `/api/auth/reset-password/${token}`, { password: NEW_PASSWORD }));
  isRefusedPage(await visitor().get(`/reset-password/${token}`));
  const form = { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
  isRefusedPage(await visitor().post(`/reset-password/${token}`, form));
  expect(await stored(kari)).toEqual(before);
  // A link that has ended gives the same answer as for any account.
  const unknown = await visitor().json("POST", `/api/auth/reset-password/${token}x`, { password: NEW_PASSWORD });
  expect(unknown.status).toBe(400);
  expect((await act(kari, "unlock")).status).toBe(200);
  expect((await logIn(kari, NEW_PASSWORD)).status).toBe(401);
  expect((await visitor().post(`/reset-password/${token}`, form)).status).toBe(200);
  expect((await logIn(kari, NEW_PASSWORD)).status).toBe(200);
});

test("a request to reset a locked account gets the answer of every address, and no email is sent", async () => {
  const [kari, open] = [await app.register(), await app.register()];
  await lock(kari);
  await app.idle();
  const before = await stored(kari);
  const ask = (email: string) => visitor().json("POST", "/api/auth/reset-password", { email });
  const seen = ({ status, text, trips }: Answer) => ({ status, text, trips });
  const answers = [await ask(kari.user.email), await ask(open.user.email), await ask("nobody@example.com")];
  expect(answers.map(seen)).toEqual(Array(3).fill(seen(answers[1] as Answer)));
  const pages = [];
  for (const email of [kari.user.email, open.user.email]) {
    const { status, location, trips } = await visitor().post("/reset-password", { email });
    pages.push({ status, location, trips });
  }
  expect(pages[0]).toEqual(pages[1]);
  await app.idle();
  expect(mailChannels.received.filter(({ to }) => to === kari.user.email)).toEqual([]);
  expect(await count(app.db, "outbox", "user_id = ? AND kind = 'password_reset'", kari.user.id)).toBe(0);
  expect(await stored(kari)).toEqual(before);
});

test("a link that changes or confirms the address of a locked account changes nothing, and works once it is unlocked", async () => {
  const [kari, ola] = [await app.register(), await app.register({ email: freshEmail(), isConfirmed: false })];
  await app.idle();
  const newEmail = freshEmail();
  const tokens: [Technician, string][] = [
    [kari, await tokenFor(app, kari, newEmail)],
    [ola, linkIn(ola.user.email, "account/email")],
  ];
  for (const [who, token] of tokens) {
    expect(token).not.toBe("");
    await lock(who);
    const before = await stored(who);
    isRefused(await visitor().json("POST", `/api/user/email/${token}`));
    isRefusedPage(await visitor().get(`/account/email/${token}`));
    isRefusedPage(await visitor().post(`/account/email/${token}`, {}));
    expect(await stored(who)).toEqual(before);
    expect((await act(who, "unlock")).status).toBe(200);
    const done = await visitor().json("POST", `/api/user/email/${token}`);
    expect([done.status, done.json()]).toMatchObject([200, { emailConfirmedAt: expect.any(String) }]);
  }
  expect((await logIn(kari, PASSWORD, newEmail)).status).toBe(200);
});

test("an admin makes no link that sets the password of a locked account, and the message says to unlock it", async () => {
  const kari = await app.register();
  const bob = await withoutMail.register({ isAdmin: true });
  const eve = await withoutMail.register();
  await lock(kari);
  const before = await stored(kari);
  const answer = await act(kari, "reset-link");
  const message = "This account is locked, so its user cannot set a password. Unlock the account first.";
  expect([answer.status, answer.json()]).toEqual([403, { code: "locked", message }]);
  const page = await admin.post(`/admin/user/${kari.user.id}/reset-link`, {});
  expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining(message)]);
  expect(await stored(kari)).toEqual(before);
  // One that the admin got before, where mail is off.
  const of = `/api/admin/users/${eve.user.id}`;
  const { url } = (await bob.json("POST", `${of}/reset-link`)).json<{ url: string }>();
  expect((await bob.json("POST", `${of}/lock`)).status).toBe(200);
  expect((await bob.json("POST", `${of}/reset-link`)).json()).toEqual({ code: "locked", message });
  const path = `/api${new URL(url).pathname.replace("/reset-password", "/auth/reset-password")}`;
  isRefused(await withoutMail.json("POST", path, { password: NEW_PASSWORD }));
});

// The account as it was read before it was locked: only the statement that stores the session has the condition still.
test("a sign-in to an account that was locked a moment ago makes no session", async () => {
  const late = await startApp({ sabotage: [['"locked_at" from "users"', 'NULL from "users"']] });
  const kari = await late.register();
  await late.db.prepare("UPDATE users SET locked_at = 1 WHERE id = ?").bind(kari.user.id).run();
  const sessions = () => count(late.db, "sessions", "user_id = ?", kari.user.id);
  const had = await sessions();
  const signedIn = await late.json("POST", "/api/auth/login", { email: kari.user.email, password: PASSWORD });
  expect([signedIn.status, await sessions()]).toEqual([401, had]);
});

test("a supervisor answers, disowns and stops emails of a technician who is locked, and forms can be checked", async () => {
  const kari = await app.register();
  await kari.addVerifiedEntry();
  const { code } = (await kari.json("POST", "/api/exports", { form: "ojt" })).json<{ code: string }>();
  const email = freshEmail();
  const supervisor = await kari.addSupervisor({ email });
  const [one, other] = await kari.addEntries(2);
  const tokens = [
    await kari.requestVerification(one?.id ?? 0, supervisor.id),
    await kari.requestVerification(other?.id ?? 0, supervisor.id),
  ];
  await app.idle();
  const mail = mailChannels.delivered.find(({ to, text }) => to === email && text.includes(`/verify/${tokens[0]}`));
  const secret = mail?.text.match(/\?m=(\S+)/)?.[1];
  await lock(kari);
  const answered = await visitor().json("POST", `/api/verify/${tokens[0]}?m=${secret}`, {
    supervisorName: "Ola Hansen",
  });
  expect(answered.status).toBe(200);
  expect(
    (await visitor().json("POST", `/api/verify/${tokens[1]}/decline`, { supervisorName: "Ola", reason: "no" })).status,
  ).toBe(200);
  expect((await visitor().json("POST", "/api/supervisor-inbox", { email })).status).toBe(200);
  expect((await visitor().json("POST", `/api/disown/${tokens[0]}?m=${secret}`, {})).json()).toMatchObject({
    disowned: 1,
  });
  const stop = mail?.text.match(/hours\.example\.com(\/unsubscribe\/\S+)/)?.[1] ?? "";
  expect((await visitor().get(stop)).status).toBe(200);
  expect((await visitor().post(stop, {})).status).toBeLessThan(400);
  const check = (await visitor().get(`/api/check/${code}`)).json<{ states: object }>();
  expect(check.states).toEqual({ unchanged: 1, changed: 0, disowned: 0, deleted: 0 });
  expect(await count(app.db, "records", "user_id = ?", kari.user.id)).toBe(3);
});
