import { beforeEach, expect, test } from "vitest";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { askFor, confirm, freshEmail, move, tokenFor } from "#tests/worker/email-changes.ts";
import { textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { linkToken } from "./link-token.server.ts";

const app = await startMailApp();
const { mailChannels } = app;
/** `startApp`'s. */
const SESSION_SECRET = "a secret for tests, of 32 bytes and more";
const ENDED = "used, has expired or was replaced";

beforeEach(() => mailChannels.reset());

const signIn = (email: string, password = PASSWORD) => app.json("POST", "/api/auth/login", { email, password });
const mailsTo = (email: string) =>
  mailChannels.delivered.filter(({ to }) => to === email).map(({ subject }) => subject);

test("the link changes the address without a session: the user logs in with the new one, and every session stays", async () => {
  const [ada, email] = [await app.register({ name: "Ada Berg", employeeNumber: "NDT-9" }), freshEmail()];
  const asked = await askFor(ada, ` ${email.toUpperCase()} `);
  expect([asked.status, asked.trips]).toEqual([200, 2]);
  expect((await ada.get("/api/user")).json()).toMatchObject({ email: ada.user.email });
  const token = await tokenFor(app, ada, email);
  const answer = await confirm(app, token);
  expect([answer.status, answer.json(), answer.trips]).toEqual([
    ...[200, { ...ada.user, email, emailConfirmedAt: expect.any(String) }, 2],
  ]);
  expect((await ada.get("/api/user")).json()).toEqual(answer.json());
  expect([(await signIn(email)).status, (await signIn(ada.user.email)).status]).toEqual([200, 401]);
});

test("the old address gets an email about the request, with the way to stop it, and about the change", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const token = await tokenFor(app, ada, email);
  const [notice] = mailChannels.delivered.filter(({ to }) => to === ada.user.email);
  expect(notice?.subject).toBe("A new email address was requested for your Hours Tracker account");
  for (const text of [notice?.text.replace(/\s+/g, " "), notice?.html]) {
    expect(text).toContain(email);
    expect(text).toContain("http://hours.example.com/reset-password");
    expect(text).toContain("set another password now: this ends the change");
    expect(text).not.toContain(token);
  }
  await confirm(app, token);
  await app.settled(ada);
  expect(mailsTo(ada.user.email)).toEqual([
    "A new email address was requested for your Hours Tracker account",
    "The email address of your Hours Tracker account was changed",
  ]);
  expect(mailsTo(email)).toEqual(["Confirm your new email address for Hours Tracker"]);
});

// A thief who knows the password could otherwise confirm while the mail service is down.
test("the old address gets its emails even if they are sent only after the change", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  mailChannels.behave({ status: 503 });
  await askFor(ada, email);
  await app.settled(ada);
  const [change] = await rows(
    app.db,
    "SELECT nonce FROM account_links WHERE purpose = 'change' AND user_id = ?",
    ada.user.id,
  );
  // The token of the link, as if that email alone had arrived.
  const token = linkToken(SESSION_SECRET, "email change", ada.user.id, String(change?.nonce));
  expect((await confirm(app, token)).status).toBe(200);
  mailChannels.behave("send");
  await app.sweep();
  expect(mailsTo(ada.user.email)).toHaveLength(2);
  expect(mailsTo(email)).toEqual([]);
});

test("an address with an account gets the same answer after the same statements, and its owner gets an email", async () => {
  const [ada, bob, taken, email] = [await app.register(), await app.register(), await app.register(), freshEmail()];
  const seen = ({ status, text, headers, trips }: Answer) => {
    // The harness adds the rows read; clients do not see them.
    const kept = [...headers].filter(([name]) => !["date", "x-d1-rows", "set-cookie"].includes(name));
    return { status, text, kept, trips };
  };
  const ask = async (who: typeof ada, address: string) => {
    await app.hashes();
    return { ...seen(await askFor(who, address)), hashes: await app.hashes() };
  };
  const [free, used] = [await ask(ada, email), await ask(bob, taken.user.email.toUpperCase())];
  expect(used).toEqual(free);
  expect([free.status, free.trips, free.hashes.length]).toEqual([200, 2, 1]);
  const kinds = (list: { kind: string; state: string }[]) => list.map(({ kind, state }) => `${kind} ${state}`);
  expect(kinds(await app.settled(bob))).toEqual(kinds(await app.settled(ada)));
  expect(mailsTo(bob.user.email)).toEqual(mailsTo(ada.user.email));
  expect(mailsTo(taken.user.email)).toEqual(["Your email address already has an Hours Tracker account"]);
  const told = mailChannels.delivered.find(({ to }) => to === taken.user.email)?.text ?? "";
  expect(told).not.toContain(bob.user.email);
  expect(told).not.toContain("/account/email/");
});

test("a wrong password, the own address and an invalid one are refused on their field, and send nothing", async () => {
  const ada = await app.register();
  for (const [email, password, path, message] of [
    [freshEmail(), "wrong", "password", "That is not your current password"],
    [ada.user.email.toUpperCase(), PASSWORD, "email", "This is the email address of your account already."],
    ["no address", PASSWORD, "email", "Please enter a valid email address"],
  ] as const) {
    const answer = await askFor(ada, email, password);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: path === "password" ? "wrong_password" : "invalid", message, errors: [{ path, message }] },
    ]);
  }
  expect(await app.messages(ada)).toEqual([]);
  expect(await count(app.db, "account_links", "user_id = ? AND purpose = 'change'", ada.user.id)).toBe(0);
});

test("the own address is refused before a password is hashed, and counts as no attempt", async () => {
  const ada = await app.register();
  const before = await count(app.db, "attempts", "1");
  await app.hashes();
  const answer = await askFor(ada, ada.user.email, "wrong");
  expect([answer.status, answer.json().code, answer.trips]).toEqual([400, "invalid", 2]);
  expect([await app.hashes(), await count(app.db, "attempts", "1")]).toEqual([[], before]);
});

test("a link works once, for one hour to the millisecond, and not after a newer one", async () => {
  const ada = await app.register();
  const refused = async (token: string) => {
    const answer = await confirm(app, token);
    expect([answer.status, answer.json<{ message: string }>().message]).toEqual([400, expect.stringContaining(ENDED)]);
  };
  const before = Date.now();
  const [older, newer] = [await tokenFor(app, ada, freshEmail()), await tokenFor(app, ada, freshEmail())];
  await refused(older);
  const [row] = await rows<{ at: number }>(
    app.db,
    "SELECT expires_at AS at FROM account_links WHERE purpose = 'change' AND user_id = ?",
    ada.user.id,
  );
  expect(row?.at).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(row?.at).toBeLessThanOrEqual(Date.now() + 3_600_000);
  expect((await confirm(app, newer)).status).toBe(200);
  await refused(newer);
  const late = await tokenFor(app, ada, freshEmail());
  await app.db.prepare("UPDATE account_links SET expires_at = ? WHERE used_at IS NULL").bind(Date.now()).run();
  await refused(late);
  for (const token of ["abc", "%27--", "a".repeat(5000)]) await refused(token);
});

test("the database and the log hold no token, and a hash from the database is none", async () => {
  const ada = await app.register();
  const token = await tokenFor(app, ada, freshEmail());
  const changes = await rows(
    app.db,
    "SELECT * FROM account_links WHERE purpose = 'change' AND user_id = ?",
    ada.user.id,
  );
  const stored = JSON.stringify([changes, await rows(app.db, "SELECT * FROM outbox")]);
  expect(stored).not.toContain(token);
  expect((await confirm(app, String(changes[0]?.token))).status).toBe(400);
  expect((await confirm(app, token)).status).toBe(200);
  await app.logged(({ what, account }) => what === "email_changed" && account === ada.user.id);
  for (const word of [token, "example.net", ada.user.email]) expect(app.log.join("")).not.toContain(word);
});

test("a reset link that went to the old address ends with the change, and an open change ends with a new password", async () => {
  const [ada, bob, eve] = [await app.register(), await app.register(), await app.register()];
  await openReset(app.db, ada.user.id, "of-ada");
  await move(app, ada, freshEmail());
  expect((await app.get("/reset-password/of-ada")).status).toBe(400);

  const changed = await tokenFor(app, bob, freshEmail());
  const passwords = { currentPassword: PASSWORD, newPassword: "a brand new password" };
  expect((await bob.json("POST", "/api/user/password", passwords)).status).toBe(200);
  expect((await confirm(app, changed)).status).toBe(400);

  const reset = await tokenFor(app, eve, freshEmail());
  await openReset(app.db, eve.user.id, "of-eve");
  const { newPassword: password } = passwords;
  expect((await app.json("POST", "/api/auth/reset-password/of-eve", { password })).status).toBe(200);
  expect((await confirm(app, reset)).status).toBe(400);
  expect((await signIn(eve.user.email, password)).status).toBe(200);
});

test("the admin's list shows the new address, and the search finds it and no longer the old one", async () => {
  const [admin, ada, email] = [await app.register({ isAdmin: true }), await app.register(), freshEmail()];
  await move(app, ada, email);
  const found = async (search: string) =>
    textsOf((await admin.get(`/admin?search=${encodeURIComponent(search)}`)).text, "td").some((text) =>
      text.includes(email),
    );
  expect((await admin.get("/api/admin/users")).json<{ email: string }[]>().map((user) => user.email)).toContain(email);
  expect([await found(email), await found(ada.user.email)]).toEqual([true, false]);
  // A change of details keeps the new address in the search text.
  expect((await ada.json("PATCH", "/api/user", { name: "Ada Lund" })).status).toBe(200);
  expect([await found(email), await found("ada lund")]).toEqual([true, true]);
});

test("the timer deletes expired changes, and used ones a day later; nothing is left of a deleted account", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  await move(app, ada, freshEmail());
  await tokenFor(app, ada, freshEmail());
  await tokenFor(app, bob, freshEmail());
  const left = (who: typeof ada) => count(app.db, "account_links", "user_id = ? AND purpose = 'change'", who.user.id);
  await app.tick(new Date());
  expect([await left(ada), await left(bob)]).toEqual([2, 1]);
  await app.tick(new Date(Date.now() + 3_600_001));
  expect([await left(ada), await left(bob)]).toEqual([1, 0]);
  await app.tick(new Date(Date.now() + 26 * 3_600_000));
  expect(await left(ada)).toBe(0);
  const earlier = () => count(app.db, "earlier_addresses", "user_id = ?", ada.user.id);
  expect(await earlier()).toBe(1);
  expect((await ada.json("DELETE", "/api/user", { password: PASSWORD })).status).toBe(200);
  expect(await earlier()).toBe(0);
});
