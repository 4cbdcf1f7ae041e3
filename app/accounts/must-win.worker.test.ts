import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { NEW_PASSWORD, PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * Acts against a person who has taken over an account: its sessions may change it as often as they like, and must not keep an admin
 * or its owner from acting. Each succeeds at its first attempt, with two round trips. Seen to fail while these acts compared the
 * revision of the account that is attacked: some answered 409, the others took up to ten seconds.
 */

const app = await startApp();
const admin = await app.register({ isAdmin: true });
const LOOPS = 50;
const timeout = 300_000;

/** Sends an act once, while 50 loops change the name of the account with its session. */
async function beside<Answer>(attacked: Client, act: () => Promise<Answer>): Promise<Answer> {
  const attack = { isOver: false, changes: 0 };
  const loops = Array.from({ length: LOOPS }, async (_, loop) => {
    for (let turn = 0; !attack.isOver; turn++) {
      const { status } = await attacked.json("PATCH", "/api/user", { name: `Loop ${loop} turn ${turn}` });
      if (status === 200) attack.changes += 1;
      if (status === 401) break; // the session has ended
    }
  });
  while (attack.changes < LOOPS) await new Promise((resolve) => setImmediate(resolve));
  try {
    return await act();
  } finally {
    attack.isOver = true;
    await Promise.all(loops);
  }
}

async function signedIn({ user }: Technician): Promise<Client> {
  const client = app.as(new Map());
  const answer = await client.json("POST", "/api/auth/login", { email: user.email, password: PASSWORD });
  expect(answer.status).toBe(200);
  return client;
}

const pathOf = ({ user }: Technician, act: string) => `/api/admin/users/${user.id}/${act}`;

test.each(["lock", "end-sessions"])(
  "an admin's act %s succeeds beside 50 loops that change the account",
  {
    timeout,
  },
  async (act) => {
    const kari = await app.register();
    const answer = await beside(kari, () => admin.json("POST", pathOf(kari, act)));
    expect([answer.status, answer.trips, answer.json()]).toMatchObject([200, 2, { id: kari.user.id }]);
    expect(await count(app.db, "sessions", "user_id = ?", kari.user.id)).toBe(0);
  },
);

test("an admin makes a reset link, and its user sets a password with it, beside 50 loops that change the account", {
  timeout,
}, async () => {
  const kari = await app.register();
  const made = await beside(kari, () => admin.json("POST", pathOf(kari, "reset-link")));
  expect([made.status, made.trips, made.json()]).toMatchObject([200, 2, { emailed: false }]);
  const { pathname } = new URL(made.json<{ url: string }>().url);
  const path = pathname.replace("/reset-password", "/api/auth/reset-password");
  const used = await beside(kari, () => app.json("POST", path, { password: NEW_PASSWORD }));
  expect([used.status, used.trips, used.json()]).toEqual([200, 2, { message: "Password reset successful" }]);
  expect(await count(app.db, "sessions", "user_id = ?", kari.user.id)).toBe(0);
});

test("an owner changes the password beside 50 loops of another session, which then ends", { timeout }, async () => {
  const kari = await app.register();
  const thief = await signedIn(kari);
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const answer = await beside(thief, () => kari.json("POST", "/api/user/password", body));
  expect([answer.status, answer.trips]).toEqual([200, 2]);
  expect([(await thief.get("/api/user")).status, (await kari.get("/api/user")).status]).toEqual([401, 200]);
});

test("an owner deletes the account beside 50 loops of another session", { timeout }, async () => {
  const kari = await app.register();
  const thief = await signedIn(kari);
  const answer = await beside(thief, () => kari.json("DELETE", "/api/user", { password: PASSWORD }));
  expect([answer.status, answer.trips]).toEqual([200, 2]);
  expect(await count(app.db, "users", "id = ?", kari.user.id)).toBe(0);
});

test("a change of the account that changes nothing stores nothing and leaves the revision", async () => {
  const kari = await app.register();
  const revision = async () => (await rows(app.db, "SELECT revision FROM users WHERE id = ?", kari.user.id))[0];
  await kari.json("PATCH", "/api/user", { name: "Kari", renewalEmails: true });
  const before = await revision();
  const answer = await kari.json("PATCH", "/api/user", { name: "Kari", renewalEmails: true });
  expect([answer.status, answer.json()]).toMatchObject([200, { name: "Kari" }]);
  expect(await revision()).toEqual(before);
});

/** Runs SQL as another request would: after what the next act has read of the account, before what it stores. */
async function meanwhile(db: D1Database, { user }: Technician, sql: string): Promise<void> {
  await db
    .prepare(
      `CREATE TRIGGER meanwhile_${user.id} AFTER UPDATE OF revision ON users WHEN NEW.id = ${user.id} BEGIN ${sql}; END`,
    )
    .run();
}

test("a reset link is neither stored nor mailed if the account is locked after the request was read", async () => {
  const mailing = await startMailApp();
  const kari = await mailing.register();
  await meanwhile(mailing.db, kari, `UPDATE users SET locked_at = 1 WHERE id = ${kari.user.id}`);
  await mailing.json("POST", "/api/auth/reset-password", { email: kari.user.email });
  expect(await rows(mailing.db, "SELECT locked_at, reset_token FROM users WHERE id = ?", kari.user.id)).toEqual([
    { locked_at: 1, reset_token: null },
  ]);
  expect(await count(mailing.db, "outbox", "user_id = ? AND kind = 'password_reset'", kari.user.id)).toBe(0);
});

test("where mail is off a request for a link leaves one that an admin has made after the request was read", async () => {
  const kari = await app.register();
  const link = `reset_token = '${"a".repeat(64)}', reset_token_expiry = ${Date.now() + 60_000}, reset_nonce = 'b'`;
  await meanwhile(app.db, kari, `UPDATE users SET ${link} WHERE id = ${kari.user.id}`);
  await app.json("POST", "/api/auth/reset-password", { email: kari.user.email });
  expect(await rows(app.db, "SELECT reset_nonce FROM users WHERE id = ?", kari.user.id)).toEqual([
    { reset_nonce: "b" },
  ]);
});

const revisionOf = async ({ user }: Technician) =>
  (await rows<{ revision: number }>(app.db, "SELECT revision FROM users WHERE id = ?", user.id))[0]?.revision ?? -1;

test("the end of a token raises the revision, so that what it was just doing is decided again and refused", async () => {
  const kari = await app.register();
  const made = await kari.json("POST", "/api/tokens", { name: "x", access: "write" });
  const before = await revisionOf(kari);
  expect((await kari.json("DELETE", `/api/tokens/${made.json<{ id: number }>().id}`)).status).toBe(200);
  expect(await revisionOf(kari)).toBe(before + 1);
});

test("a log-in raises the revision of the account whose session it ends in this browser", async () => {
  const [kari, ola] = [await app.register(), await app.register()];
  const before = [await revisionOf(kari), await revisionOf(ola)];
  const browser = app.as(new Map(kari.cookies));
  const answer = await browser.json("POST", "/api/auth/login", { email: ola.user.email, password: PASSWORD });
  expect([answer.status, (await kari.get("/api/user")).status]).toEqual([200, 401]);
  expect([await revisionOf(kari), await revisionOf(ola)]).toEqual([(before[0] ?? 0) + 1, before[1]]);
});
