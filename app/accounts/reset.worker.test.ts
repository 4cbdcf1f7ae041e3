import { beforeEach, expect, test } from "vitest";
import type { Answer } from "#tests/worker/client.ts";
import { MAY_SCAN, rows } from "#tests/worker/database.ts";
import { messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";

const app = await startMailApp();
const { mailChannels } = app;
const REQUESTED = "If your email exists in our system, we've sent you instructions to reset your password.";
const NEW = "a brand new password";
const FORM = { password: NEW, confirmPassword: NEW };

beforeEach(() => mailChannels.reset());

/** Requests a reset link and returns the one in the email. */
async function tokenFor(who: Technician): Promise<string> {
  const before = mailChannels.delivered.length;
  const answer = await app.json("POST", "/api/auth/reset-password", { email: who.user.email });
  expect([answer.status, answer.json()]).toEqual([200, { message: REQUESTED }]);
  await app.settled(who);
  const mail = mailChannels.delivered[before];
  expect(mail?.to).toBe(who.user.email);
  const link = mail?.text.match(/http:\/\/hours\.example\.com\/reset-password\/(\S+)/)?.[1];
  if (!link) throw new Error("the message has no link");
  return link;
}

const use = (token: string) => app.json("POST", `/api/auth/reset-password/${token}`, { password: NEW });
const signIn = (who: Technician, password: string) =>
  app.json("POST", "/api/auth/login", { email: who.user.email, password });

test("a reset link sets a new password once, ends every session, and the change is confirmed by email", async () => {
  const ada = await app.register();
  const token = await tokenFor(ada);
  expect((await ada.get("/api/user")).status).toBe(200);
  const answer = await use(token);
  expect([answer.status, answer.json(), answer.trips]).toEqual([200, { message: "Password reset successful" }, 2]);
  expect((await ada.get("/api/user")).status).toBe(401);
  expect((await signIn(ada, "correct horse battery")).status).toBe(401);
  expect((await signIn(ada, NEW)).status).toBe(200);
  expect((await app.settled(ada)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    "password_reset sent",
    "password_changed sent",
  ]);
  const again = await use(token);
  expect([again.status, again.json<{ message: string }>().message]).toEqual([400, expect.stringMatching(/used/)]);
});

test("the database and the outbox hold no reset token", async () => {
  const ada = await app.register();
  const token = await tokenFor(ada);
  const stored = JSON.stringify([
    await rows(app.db, "SELECT * FROM users"),
    await rows(app.db, "SELECT * FROM outbox"),
  ]);
  expect(stored).not.toContain(token);
  const [user] = await rows(app.db, "SELECT reset_token FROM users WHERE id = ?", ada.user.id);
  expect((await use(String(user?.reset_token))).status).toBe(400);
});

test("a newer reset link ends the older one", async () => {
  const ada = await app.register();
  const [older, newer] = [await tokenFor(ada), await tokenFor(ada)];
  expect((await use(older)).status).toBe(400);
  expect((await use(newer)).status).toBe(200);
});

test("a delayed email is not sent if a newer request has replaced it or its link has expired", async () => {
  const ada = await app.register();
  mailChannels.behave({ status: 503 });
  await app.json("POST", "/api/auth/reset-password", { email: ada.user.email });
  await app.settled(ada);
  mailChannels.behave("send");
  await tokenFor(ada);
  await app.sweep();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["cancelled", "sent"]);
  mailChannels.behave({ status: 503 });
  await app.json("POST", "/api/auth/reset-password", { email: ada.user.email });
  await app.settled(ada);
  mailChannels.behave("send");
  await app.db.prepare("UPDATE users SET reset_token_expiry = 1 WHERE id = ?").bind(ada.user.id).run();
  await app.sweep();
  expect((await app.messages(ada)).at(-1)?.state).toBe("cancelled");
});

test("a reset link is valid for one hour, to the millisecond", async () => {
  const ada = await app.register();
  const before = Date.now();
  const token = await tokenFor(ada);
  const [row] = await rows<{ at: number }>(
    app.db,
    "SELECT reset_token_expiry AS at FROM users WHERE id = ?",
    ada.user.id,
  );
  expect(row?.at).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(row?.at).toBeLessThanOrEqual(Date.now() + 3_600_000);
  await app.db.prepare("UPDATE users SET reset_token_expiry = ? WHERE id = ?").bind(Date.now(), ada.user.id).run();
  expect((await use(token)).status).toBe(400);
  expect((await app.get(`/reset-password/${token}`)).status).toBe(400);
});

test("an unknown address gets the same answer after the same statements, and no email", async () => {
  const ada = await app.register();
  const ask = (email: string) => app.json("POST", "/api/auth/reset-password", { email });
  const [known, unknown] = [await ask(ada.user.email.toUpperCase()), await ask("nobody@example.com")];
  const seen = ({ status, text, headers, trips }: Answer) => {
    // The harness adds the rows read; clients do not see them.
    const kept = [...headers].filter(([name]) => name !== "date" && name !== "x-d1-rows");
    return { status, text, kept, trips };
  };
  expect(seen(unknown)).toEqual(seen(known));
  expect(known.trips).toBe(2);
  await app.settled(ada);
  expect(mailChannels.received.map(({ to }) => to)).toEqual([ada.user.email]);
});

test("the Host header never appears in a reset link", async () => {
  const ada = await app.register();
  await app.json("POST", "/api/auth/reset-password", { email: ada.user.email }, { "X-Forwarded-Host": "evil.example" });
  await app.json("POST", "http://evil.example/api/auth/reset-password", { email: ada.user.email });
  await app.settled(ada);
  expect(mailChannels.delivered.length).toBeGreaterThan(0);
  for (const { text, html } of mailChannels.delivered) expect(text + html).not.toContain("evil");
});

test("invalid bodies are rejected with the spec's messages", async () => {
  for (const [path, body, at, message] of [
    ["", {}, "email", "Please enter a valid email address"],
    ["", { email: "x" }, "email", "Please enter a valid email address"],
    ["/t", {}, "password", "Password must be at least 8 characters"],
    ["/t", { password: "1234567" }, "password", "Password must be at least 8 characters"],
  ] as const) {
    const answer = await app.json("POST", `/api/auth/reset-password${path}`, body);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: "invalid", message, errors: [{ path: at, message }] },
    ]);
  }
  for (const token of ["abc", "%27--", "a".repeat(5000)]) expect((await use(token)).status).toBe(400);
});

test("the page requests a link and shows the spec's confirmation, or its error", async () => {
  const ada = await app.register();
  const page = await app.get("/reset-password");
  expect(textsOf(page.text, "button")).toEqual(["Send Reset Link"]);
  const wrong = await app.submit(page, "/reset-password", { email: "x" });
  expect([wrong.status, messageOf(wrong.text, "email")]).toEqual([400, "Please enter a valid email address"]);
  const sent = await app.submit(page, "/reset-password", { email: ada.user.email });
  expect([sent.status, sent.location, sent.trips]).toEqual([303, "/reset-password?sent", 2]);
  expect(textsOf((await app.follow(sent)).text, "p", 'role="status"')).toEqual([REQUESTED]);
  const failed = await app.post("/reset-password", { email: ada.user.email }, { "x-fail-d1-round-trip": "2" });
  expect([failed.status, textsOf(failed.text, "div", 'role="alert"')]).toEqual([
    500,
    ["Failed to send reset link An error occurred. Please try again."],
  ]);
});

test("a signed-in user is redirected from /reset-password to /profile, and can still use a link", async () => {
  const ada = await app.register();
  const answer = await ada.get("/reset-password");
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  expect((await ada.get(`/reset-password/${await tokenFor(ada)}`)).status).toBe(200);
  expect((await app.get("/reset-password/")).text).toContain("Send Reset Link");
});

// A page left open in another tab: the redirect for signed-in users to /profile would lose the form's result.
test("a signed-in user who posts the /reset-password form sees its result", async () => {
  const ada = await app.register();
  const old = await app.get("/reset-password");
  const wrong = await ada.submit(old, "/reset-password", { email: "x" });
  expect([wrong.status, messageOf(wrong.text, "email")]).toEqual([400, "Please enter a valid email address"]);
  const sent = await ada.submit(old, "/reset-password", { email: ada.user.email });
  expect(sent.location).toBe("/reset-password?sent");
  expect(textsOf((await ada.follow(sent)).text, "p", 'role="status"')).toEqual([REQUESTED]);
});

test("the page of a link sets the password and redirects to /auth after two seconds", async () => {
  const ada = await app.register();
  const path = `/reset-password/${await tokenFor(ada)}`;
  const page = await app.get(path);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect([page.headers.get("Cache-Control"), page.headers.get("X-Robots-Tag")]).toEqual(["no-store", "noindex"]);
  const short = await app.submit(page, path, { password: "short", confirmPassword: "short" });
  expect([short.status, messageOf(short.text, "password")]).toEqual([400, "Password must be at least 8 characters"]);
  const other = await app.submit(page, path, { ...FORM, confirmPassword: "other" });
  expect([other.status, messageOf(other.text, "confirmPassword")]).toEqual([400, "Passwords do not match"]);
  expect(tagsOf(other.text, "input").map(({ value }) => value ?? "")).toEqual(["", ""]);
  const failed = await app.post(path, FORM, { "x-fail-d1-round-trip": "2" });
  expect([failed.status, failed.trips, textsOf(failed.text, "div", 'role="alert"')]).toEqual([
    500,
    2,
    ["Failed to reset password An error occurred. Please try again."],
  ]);
  const done = await app.submit(page, path, FORM, "Reset Password");
  expect([done.status, done.headers.get("Refresh"), done.trips]).toEqual([200, "2;url=/auth", 2]);
  expect(textOf(done.text)).toContain("Password reset successful You can now log in with your new password");
  expect((await signIn(ada, NEW)).status).toBe(200);
  const again = await app.submit(page, path, FORM);
  expect([again.status, again.headers.get("Refresh"), textOf(again.text)]).toEqual([
    400,
    null,
    expect.stringContaining("Failed to reset password"),
  ]);
  expect((await app.get(path)).status).toBe(400);
});

test("no log line holds a token, and no statement scans a table", async () => {
  const ada = await app.register();
  const token = await tokenFor(ada);
  await app.post(`/reset-password/${token}`, FORM, { "x-fail-d1-round-trip": "1" });
  await use(token);
  await app.logged(({ event, path }) => event === "error" && path === "/reset-password/:token");
  expect(app.log.join("")).not.toContain(token);
  await app.sweep();
  for (const [sql, values] of await app.statements()) {
    const plan = await rows<{ detail: string }>(app.db, `EXPLAIN QUERY PLAN ${sql}`, ...values);
    const scans = plan.filter(({ detail }) => detail.startsWith("SCAN") && !MAY_SCAN.test(detail));
    expect([sql, scans]).toEqual([sql, []]);
  }
});
