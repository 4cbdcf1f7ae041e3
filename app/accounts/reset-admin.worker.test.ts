import { expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/* RESET_ADMIN, by which an only admin who lost the password gets a link in the log. The timer makes it. */

const EMAIL = "ada@example.com";
const app = await startMailApp({ RESET_ADMIN: " Ada@Example.com" });
const withoutSetting = await startMailApp();

const HOUR = 60 * 60 * 1000;
const tick = () => app.tick(new Date());
const users = () => rows(app.db, "SELECT * FROM users ORDER BY id");

/** The lines of the log about the setting. A later line has arrived, so these have too. */
async function linesOf(of: Pick<typeof app, "get" | "log" | "logged">, id: string) {
  await of.get("/auth", { "CF-Ray": `${id}-OSL` });
  const lines = await of.logged((line) => line.event === "request" && line.id === id);
  return lines.filter(({ event }) => event.startsWith("admin reset"));
}

test("RESET_ADMIN makes one link for an admin who may sign in, without an email, and makes no user an admin", async () => {
  // No account, then one without the role, then an admin who is locked: each is one sentence in the log, and nothing else.
  await tick();
  const ada = await app.register({ email: EMAIL });
  const eve = await app.register({ isAdmin: true });
  await tick();
  await app.db.prepare("UPDATE users SET is_admin = 1, locked_at = 1 WHERE email = ?").bind(EMAIL).run();
  const before = await users();
  await tick();
  expect(await users()).toEqual(before);
  expect(await linesOf(app, "00000000000000a1")).toEqual([
    expect.objectContaining({
      level: "warn",
      event: "admin reset refused",
      advice: expect.stringContaining("no link"),
    }),
  ]);

  await app.db
    .prepare("UPDATE users SET locked_at = NULL, email_confirmed_at = NULL WHERE email = ?")
    .bind(EMAIL)
    .run();
  const start = Date.now();
  await Promise.all([tick(), tick()]);
  const [, made, ...others] = await linesOf(app, "00000000000000a2");
  expect(others).toEqual([]);
  expect(made).toMatchObject({ event: "admin reset", account: ada.user.id, advice: expect.stringContaining("once") });
  const link = new URL(String(made?.link));
  expect(link.origin).toBe("http://hours.example.com");
  const [{ expiry } = { expiry: 0 }] = await rows<{ expiry: number }>(
    app.db,
    "SELECT reset_token_expiry AS expiry FROM users WHERE email = ?",
    EMAIL,
  );
  expect(expiry).toBeGreaterThanOrEqual(start + HOUR);
  expect(expiry).toBeLessThanOrEqual(Date.now() + HOUR);
  expect(await app.messages(ada)).toEqual([]);
  expect(JSON.stringify(await users())).not.toContain(link.pathname.split("/").at(-1));
  expect((await eve.get("/api/user")).status).toBe(200);

  expect((await ada.get("/api/user")).status).toBe(200);
  const reset = () => app.json("POST", `/api/auth${link.pathname}`, { password: "a brand new password" });
  expect((await reset()).status).toBe(200);
  expect((await ada.get("/api/user")).status).toBe(401);
  const signedIn = await app.json("POST", "/api/auth/login", { email: EMAIL, password: "a brand new password" });
  // The log is no mailbox: the link confirms no address.
  expect([signedIn.status, signedIn.json()]).toMatchObject([200, { isAdmin: true, emailConfirmedAt: null }]);
  expect((await reset()).status).toBe(400);

  // A used link, and later an expired one, is not made again while the setting stays.
  await tick();
  await app.tick(new Date(Date.now() + 3 * HOUR));
  expect(await linesOf(app, "00000000000000a3")).toHaveLength(2);
  const [user] = await rows(app.db, "SELECT reset_token FROM users WHERE email = ?", EMAIL);
  expect(user).toEqual({ reset_token: null });

  for (const [sql, values] of (await app.statements()).filter(([sql]) => /admin_resets/.test(sql))) {
    const plan = await rows<{ detail: string }>(app.db, `EXPLAIN QUERY PLAN ${sql}`, ...values);
    expect([sql, plan.filter(({ detail }) => detail.startsWith("SCAN "))]).toEqual([sql, []]);
  }

  // The setting named another account meanwhile.
  await app.db.prepare("UPDATE admin_resets SET user_id = ?").bind(eve.user.id).run();
  await tick();
  expect(await linesOf(app, "00000000000000a4")).toHaveLength(3);
});

test("without RESET_ADMIN the timer makes no link, and forgets for whom it has made one", async () => {
  const { db } = withoutSetting;
  const admin = await withoutSetting.register({ email: EMAIL, isAdmin: true });
  await db.prepare("INSERT INTO admin_resets VALUES (?, 1)").bind(admin.user.id).run();
  await withoutSetting.tick(new Date());
  expect(await rows(db, "SELECT * FROM admin_resets")).toEqual([]);
  expect(await rows(db, "SELECT id FROM users WHERE reset_token IS NOT NULL")).toEqual([]);
  expect(await linesOf(withoutSetting, "00000000000000a5")).toEqual([]);
});
