import { beforeEach, expect, test } from "vitest";
import type { Answer, Client } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { messageOf, tagsOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

const app = await startMailApp();
const { mailChannels } = app;
const NEW = "a brand new password";
const WRONG = "That is not your current password";
const JUST_CHANGED = "Your password was changed a moment ago. The new one is the current one now.";

beforeEach(() => mailChannels.reset());

const change = (who: Client, body: object = {}) =>
  who.json("POST", "/api/user/password", { currentPassword: PASSWORD, newPassword: NEW, ...body });

async function signIn(who: Technician, password: string): Promise<{ answer: Answer; client: Client }> {
  const client = app.as(new Map());
  return { client, answer: await client.json("POST", "/api/auth/login", { email: who.user.email, password }) };
}

const statusOf = async (client: Client) => (await client.get("/api/user")).status;

test("changing the password ends every other session, keeps this one, clears an open reset link and sends one email", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const phone = (await signIn(ada, PASSWORD)).client;
  await openReset(app.db, ada.user.id, "of-ada");
  await openReset(app.db, bob.user.id, "of-bob");

  const answer = await change(ada);
  expect([answer.status, answer.json(), answer.trips]).toEqual([200, { message: "Password changed" }, 2]);
  expect([await statusOf(ada), await statusOf(phone), await statusOf(bob)]).toEqual([200, 401, 200]);
  expect((await signIn(ada, PASSWORD)).answer.status).toBe(401);
  expect((await signIn(ada, NEW)).answer.status).toBe(200);
  expect((await app.get("/reset-password/of-ada")).status).toBe(400);
  expect((await app.get("/reset-password/of-bob")).status).toBe(200);
  expect((await app.settled(ada)).map(({ kind, state }) => `${kind} ${state}`)).toEqual(["password_changed sent"]);
  expect(mailChannels.delivered[0]?.text.replace(/\s+/g, " ")).toContain(
    "all other devices were signed out, and all API tokens have ended",
  );
  expect(await app.messages(bob)).toEqual([]);
});

test("a wrong current password changes nothing, ends no session, sends no email, and is reported on its field", async () => {
  const ada = await app.register();
  const phone = (await signIn(ada, PASSWORD)).client;
  const answer = await change(ada, { currentPassword: `${PASSWORD} ` });
  expect([answer.status, answer.json()]).toEqual([
    400,
    { code: "wrong_password", message: WRONG, errors: [{ path: "currentPassword", message: WRONG }] },
  ]);
  expect([await statusOf(ada), await statusOf(phone)]).toEqual([200, 200]);
  expect((await signIn(ada, PASSWORD)).answer.status).toBe(200);
  expect(await app.messages(ada)).toEqual([]);
});

test("the same form sent twice changes the password once, and for two minutes the second answer says so", async () => {
  const ada = await app.register();
  const form = { currentPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW };
  expect((await ada.post("/account/password", form)).status).toBe(303);
  const second = await ada.post("/account/password", form);
  expect([second.status, messageOf(second.text, "currentPassword")]).toEqual([400, JUST_CHANGED]);
  expect(await app.settled(ada)).toHaveLength(1);
  await app.db
    .prepare("UPDATE outbox SET created_at = ?")
    .bind(Date.now() - 300_000)
    .run();
  expect(messageOf((await ada.post("/account/password", form)).text, "currentPassword")).toBe(WRONG);
});

test("an account gets three password-changed emails a day at most; every change or reset still succeeds", async () => {
  const ada = await app.register();
  let current = PASSWORD;
  for (let n = 1; n <= 4; n += 1) {
    const next = `${NEW} ${n}`;
    expect((await change(ada, { currentPassword: current, newPassword: next })).status).toBe(200);
    current = next;
  }
  await openReset(app.db, ada.user.id, "fifth");
  expect((await app.json("POST", "/api/auth/reset-password/fifth", { password: NEW })).status).toBe(200);
  await app.settled(ada);
  expect(mailChannels.delivered.filter(({ to }) => to === ada.user.email)).toHaveLength(3);
  await app.nextDay();
  await openReset(app.db, ada.user.id, "sixth");
  expect((await app.json("POST", "/api/auth/reset-password/sixth", { password: NEW })).status).toBe(200);
  await app.settled(ada);
  expect(mailChannels.delivered.filter(({ to }) => to === ada.user.email)).toHaveLength(4);
});

test("no response, log line or stored row holds a password", async () => {
  const ada = await app.register();
  const answers = [
    await change(ada, { currentPassword: "Tr0ub4dor&3-wrong" }),
    await ada.post("/account/password", {
      currentPassword: "Tr0ub4dor&3-wrong",
      newPassword: "Tr0ub4dor&3-new",
      confirmPassword: "Tr0ub4dor&3-new",
    }),
    await change(ada, { newPassword: "Tr0ub4dor&3-new" }),
  ];
  const stored = await rows(app.db, "SELECT * FROM users");
  for (const text of [...answers.map((answer) => answer.text), JSON.stringify(stored), app.log.join("")]) {
    expect(text).not.toContain("Tr0ub4dor");
  }
});

test("the form shows an error for each field, never repeats a password, and reports success in a toast", async () => {
  const ada = await app.register();
  const page = await ada.get("/account");
  const send = (fields: Record<string, string>) => ada.submit(page, "/account/password", fields, "Change Password");
  const filled = { currentPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW };
  for (const [fields, field, message] of [
    [{ ...filled, currentPassword: "" }, "currentPassword", "Password is required"],
    [{ ...filled, newPassword: "1234567" }, "newPassword", "Password must be at least 8 characters"],
    [{ ...filled, confirmPassword: "other" }, "confirmPassword", "Passwords do not match"],
    [{ ...filled, currentPassword: "wrong" }, "currentPassword", WRONG],
  ] as const) {
    const refused = await send(fields);
    expect([refused.status, messageOf(refused.text, field)]).toEqual([400, message]);
    const passwords = tagsOf(refused.text, "input").filter(({ type }) => type === "password");
    expect(passwords.map(({ value }) => value ?? "")).toEqual(["", "", ""]);
    expect(refused.trips).toBe(1);
  }
  const changed = await send(filled);
  expect([changed.status, changed.location, changed.trips]).toEqual([303, "/account", 2]);
  expect(textsOf((await ada.follow(changed)).text, "div", 'role="status"')).toEqual([
    "Password changed Every other device has been signed out, and all API tokens have ended.",
  ]);
  expect((await signIn(ada, NEW)).answer.status).toBe(200);
});
