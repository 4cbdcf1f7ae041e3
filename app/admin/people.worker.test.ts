import { expect, test } from "vitest";
import { PERSON_ACTS, RESET_LINK, STILL_TO_COME } from "#app/admin/people.server.ts";
import { promote } from "#app/admin/promote.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * The acts of an admin on accounts. Seen to fail: a session that is stored for a locked user; a last admin without a
 * rule.
 */

const app = await startApp();

const act = (admin: Technician, { user }: Technician, what: string) =>
  admin.json("POST", `/api/admin/users/${user.id}/${what}`);
const logIn = ({ user }: Technician, password = PASSWORD) =>
  app.json("POST", "/api/auth/login", { email: user.email, password });
const refusal = {
  code: "locked",
  message: "An admin has locked this account. Ask the person who runs this installation.",
};

test("a locked user is signed out, cannot sign in, reads why only with the right password, and can again once unlocked", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { token } = (await kari.json("POST", "/api/tokens", { name: "x", access: "write" })).json<{ token: string }>();
  const { entry } = await kari.addVerifiedEntry();
  expect((await act(admin, kari, "lock")).json()).toMatchObject({ id: kari.user.id, lockedAt: expect.any(String) });
  expect((await kari.get("/api/user")).status).toBe(401);
  expect((await app.get("/api/user", { Authorization: `Bearer ${token}` })).status).toBe(401);
  const right = await logIn(kari);
  expect([right.status, right.json()]).toEqual([403, refusal]);
  const wrong = await logIn(kari, "not it");
  expect([wrong.status, wrong.json()]).toMatchObject([401, { code: "invalid_credentials" }]);
  // Verified records, on which others rely, stay.
  expect(await rows(app.db, "SELECT verified FROM records WHERE id = ?", entry.id)).toEqual([{ verified: 1 }]);
  const again = await act(admin, kari, "lock");
  expect(again.status).toBe(200);
  expect((await act(admin, kari, "unlock")).json()).toMatchObject({ lockedAt: null });
  expect((await logIn(kari)).status).toBe(200);
  const list = (await admin.get("/api/admin/users")).json<{ id: number; lockedAt: string | null }[]>();
  expect(list.find(({ id }) => id === kari.user.id)?.lockedAt).toBeNull();
});

// Seen: it unlocked the account and said only that it is an admin.
test("npm run admin says whether it has made an admin, unlocked one, or changed nothing", async () => {
  const kari = await app.register();
  const { email } = kari.user;
  const run = () => promote(async (sql) => (await app.db.prepare(sql).all()).results, email);
  const lock = () => app.db.prepare("UPDATE users SET locked_at = 1 WHERE id = ?").bind(kari.user.id).run();
  await lock();
  expect(await run()).toBe(
    `${email} is an admin now, from the next page on. The account was locked, and is unlocked now.`,
  );
  expect(await run()).toBe(`${email} is an admin already.`);
  await lock();
  expect(await run()).toBe(`${email} is an admin already. The account was locked, and is unlocked now.`);
  expect((await logIn(kari)).status).toBe(200);
  await app.db.prepare("UPDATE users SET is_admin = 0 WHERE id = ?").bind(kari.user.id).run();
  expect(await run()).toBe(`${email} is an admin now, from the next page on.`);
});

test("no admin locks their own account, and the last admin stays one", async () => {
  await app.db.prepare("UPDATE users SET is_admin = 0").run();
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  for (const what of ["lock", "remove-admin"]) {
    const answer = await act(admin, admin, what);
    expect([what, answer.status, answer.json()]).toMatchObject([what, 409, { code: "last_admin" }]);
  }
  expect((await act(admin, kari, "make-admin")).json()).toMatchObject({ isAdmin: true });
  // A locked admin does not count: otherwise no admin could unlock an account.
  await act(admin, kari, "lock");
  expect((await act(admin, admin, "remove-admin")).status).toBe(409);
  await act(admin, kari, "unlock");
  expect((await act(admin, admin, "remove-admin")).json()).toMatchObject({ isAdmin: false });
  expect((await act(admin, kari, "lock")).status).toBe(403);
});

test("one of two admins who remove each other at once stays", async () => {
  await app.db.prepare("UPDATE users SET is_admin = 0").run();
  const [one, other] = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })];
  await Promise.all([act(one, other, "remove-admin"), act(other, one, "remove-admin")]);
  expect(await rows(app.db, "SELECT count(*) AS n FROM users WHERE is_admin = 1")).toEqual([{ n: 1 }]);
});

// Seen: both were locked, and no admin could unlock them.
test("one of two admins who lock each other at once can still sign in", async () => {
  for (let round = 0; round < 5; round += 1) {
    await app.db.prepare("UPDATE users SET is_admin = 0").run();
    const [one, other] = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })];
    await Promise.all([act(one, other, "lock"), act(other, one, "lock")]);
    expect(await rows(app.db, "SELECT count(*) AS n FROM users WHERE is_admin = 1 AND locked_at IS NULL")).toEqual([
      { n: 1 },
    ]);
  }
});

// Seen: it was answered 200, or 409 for the last admin, and logged as done.
test("the act of an admin who loses the role at the same moment is done whole, or refused and not logged as done", async () => {
  const [admin, other] = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })];
  const done: string[] = [];
  for (const what of [...PERSON_ACTS, RESET_LINK]) {
    const kari = await app.register({ isAdmin: what === "remove-admin" });
    const stored = async () => [
      await rows(app.db, "SELECT * FROM users WHERE id = ?", kari.user.id),
      await rows(app.db, "SELECT * FROM sessions WHERE user_id = ?", kari.user.id),
    ];
    const before = await stored();
    const [answer] = await Promise.all([act(admin, kari, what), act(other, admin, "remove-admin")]);
    expect([what, answer.status]).toEqual([what, answer.status === 200 ? 200 : 403]);
    if (answer.status === 200) done.push(what);
    else expect([what, answer.json(), await stored()]).toMatchObject([what, { code: "admin_only" }, before]);
    await app.db.prepare("UPDATE users SET is_admin = 1 WHERE id = ?").bind(admin.user.id).run();
  }
  await app.json("POST", "/api/auth/login", { email: "nobody@example.com", password: "wrong" });
  const lines = await app.logged(({ what }) => what === "login_failed");
  const logged = lines.filter(({ what, user }) => what === "person_changed_by_admin" && user === admin.user.id);
  expect(logged.map(({ act }) => act)).toEqual(done);
});

test("a user who has left is locked with a last day, all records and links stay, and unlocking undoes it", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { entry } = await kari.addVerifiedEntry();
  const token = await kari.requestVerification((await kari.addEntry()).id);
  const path = `/api/admin/users/${kari.user.id}/has-left`;
  const left = await admin.json("POST", path, { on: "2026-10-31" });
  expect([left.status, left.trips, left.json()]).toMatchObject([
    200,
    2,
    { id: kari.user.id, leftOn: "2026-10-31", lockedAt: expect.any(String) },
  ]);
  expect((await kari.get("/api/user")).status).toBe(401);
  expect((await logIn(kari)).json()).toEqual(refusal);
  expect(await rows(app.db, "SELECT verified FROM records WHERE id = ?", entry.id)).toEqual([{ verified: 1 }]);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(200);
  // A new last day corrects the first; without one it is today.
  await app.setClock(new Date("2026-11-24T12:00:00Z")); // at night it is another day in the admin's time zone
  expect((await admin.json("POST", path)).json()).toMatchObject({ leftOn: "2026-11-24" });
  await app.setClock(new Date());
  expect((await act(admin, kari, "lock")).json()).toMatchObject({ leftOn: expect.any(String) });
  expect((await act(admin, kari, "unlock")).json()).toMatchObject({ lockedAt: null, leftOn: null });
  expect((await logIn(kari)).status).toBe(200);
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const ahead = await admin.json("POST", path, { on: tomorrow });
  expect([ahead.status, ahead.json()]).toMatchObject([400, { message: STILL_TO_COME }]);
  expect((await admin.json("POST", `/api/admin/users/${admin.user.id}/has-left`)).status).toBe(409);
  expect(await rows(app.db, "SELECT locked_at FROM users WHERE id = ?", kari.user.id)).toEqual([{ locked_at: null }]);
});

// Catches a lock that leaves the emails going out: to who has left, and to supervisors on their behalf.
test("a user who has left gets no email, and their requests no reminder, until that is taken back", async () => {
  const mailing = await startMailApp();
  const { delivered } = mailing.mailChannels;
  const [admin, kari, bo] = [
    await mailing.register({ isAdmin: true }),
    await mailing.register(),
    await mailing.register(),
  ];
  const tokens = [];
  for (const technician of [kari, bo]) {
    const supervisor = await technician.addSupervisor({ email: `super-${technician.user.id}@example.org` });
    for (let n = 0; n < 2; n += 1) {
      tokens.push(await technician.requestVerification((await technician.addEntry()).id, supervisor.id));
    }
  }
  await mailing.idle();
  expect((await act(admin, kari, "has-left")).status).toBe(200);
  const before = delivered.length;
  await mailing.nextDay(5 * 86_400_000);
  // It is noon where the supervisors are: no reminder goes out at night.
  const east = 12 - new Date().getUTCHours();
  await mailing.db
    .prepare("UPDATE verification_requests SET remind_at = remind_at - 432000000, supervisor_time_zone = ?")
    .bind(east === 0 ? "UTC" : `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`)
    .run();
  await mailing.tickOnWorkday();
  await mailing.idle();
  const reminded = () => delivered.slice(before).map(({ to, subject }) => [to, subject.startsWith("Reminder: ")]);
  expect(reminded()).toEqual([[`super-${bo.user.id}@example.org`, true]]);
  // A verification is mailed to its technician, unless they have left.
  for (const token of [tokens[0], tokens[2]]) {
    await mailing.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  }
  await mailing.idle();
  const notified = delivered.slice(before).filter(({ to }) => [kari.user.email, bo.user.email].includes(to));
  expect(notified.map(({ to }) => to)).toEqual([bo.user.email]);
  expect((await act(admin, kari, "unlock")).status).toBe(200);
  await mailing.tickOnWorkday();
  await mailing.idle();
  expect(reminded()).toContainEqual([`super-${kari.user.id}@example.org`, true]);
});

test("ending the sessions of a user signs them out everywhere, and the tokens stay", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { token } = (await kari.json("POST", "/api/tokens", { name: "x", access: "read" })).json<{ token: string }>();
  expect((await act(admin, kari, "end-sessions")).status).toBe(200);
  expect((await kari.get("/api/user")).status).toBe(401);
  expect((await app.get("/api/user", { Authorization: `Bearer ${token}` })).status).toBe(200);
});

test("where mail is off the admin gets the link to set a new password, on the page too, and it works once", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register({ isConfirmed: false })];
  const { emailed, url } = (await act(admin, kari, "reset-link")).json<{ emailed: boolean; url: string }>();
  expect(emailed).toBe(false);
  const path = `/api${new URL(url).pathname.replace("/reset-password", "/auth/reset-password")}`;
  const password = "another long passphrase";
  expect((await app.json("POST", path, { password })).status).toBe(200);
  expect((await app.json("POST", path, { password })).status).toBe(400);
  expect((await logIn(kari, password)).json()).toMatchObject({ id: kari.user.id, emailConfirmedAt: null });
  const page = await admin.post(`/admin/user/${kari.user.id}/reset-link`, {});
  expect(page.text).toContain("/reset-password/");
  expect(page.headers.get("Cache-Control")).toBe("no-store");
});

// Seen: a stranger who asked for the user's link three times ended the one that the admin had given, and the next was refused.
test("where mail is off a request for a user's link neither ends the admin's link nor keeps the admin from making one", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const linkOf = async () => (await act(admin, kari, "reset-link")).json<{ url: string }>().url;
  const opened = async (url: string) => (await app.get(new URL(url).pathname)).status;
  const first = await linkOf();
  for (let n = 0; n < 4; n += 1) await app.json("POST", "/api/auth/reset-password", { email: kari.user.email });
  expect(await opened(first)).toBe(200);
  const second = await linkOf();
  expect([await opened(first), await opened(second)]).toEqual([400, 200]);
});

// Seen: 404, "There is no such user."
test("a link to an address that is not confirmed is refused after too many emails there, with the reason", async () => {
  const mailing = await startMailApp();
  const [admin, kari] = [await mailing.register({ isAdmin: true }), await mailing.register({ isConfirmed: false })];
  const answers = [];
  for (let n = 0; n < 7; n += 1) {
    answers.push(await act(admin, kari, "reset-link"));
    await mailing.nextDay(61 * 60 * 1000); // not a fourth link within an hour
  }
  // The first link of a day is free, and signing in has sent a link to confirm the address.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const last = answers.at(-1);
  expect(last?.json()).toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(
      /^The address of this account is not confirmed, and there were too many emails to it\. Please try again in \d+ hours\.$/,
    ),
  });
  expect(Number(last?.headers.get("Retry-After"))).toBeGreaterThan(60 * 60);
  // Seen: after three refusals within an hour the reason was that the user has got three links.
  for (let n = 0; n < 3; n += 1) await act(admin, kari, "reset-link");
  const page = await admin.post(`/admin/user/${kari.user.id}/reset-link`, {});
  expect([page.status, page.text.includes("The address of this account is not confirmed")]).toEqual([429, true]);
  expect((await admin.json("POST", "/api/admin/users/999999/reset-link")).status).toBe(404);
});

test("an admin gets all of a user's data as the user does", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  await kari.addEntry();
  const own = (await kari.get("/api/export.json")).json();
  expect((await admin.get(`/api/admin/users/${kari.user.id}/export.json`)).json()).toEqual(own);
});
