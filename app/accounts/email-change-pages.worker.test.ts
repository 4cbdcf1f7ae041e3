import { beforeEach, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { confirm, freshEmail, tokenFor } from "#tests/worker/email-changes.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

const app = await startMailApp();
const { mailChannels } = app;

beforeEach(() => mailChannels.reset());

const stored = (who: Technician) =>
  rows(
    app.db,
    `SELECT email, search, (SELECT json_group_array(used_at) FROM account_links WHERE user_id = users.id AND purpose = 'change') AS used
      FROM users WHERE id = ?`,
    who.user.id,
  );

test("the form on the account page sends a link and says so on a page that names the new address", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const page = await ada.get("/account");
  const sent = await ada.submit(page, "/account/email", { email, password: PASSWORD }, "Send Link");
  expect([sent.status, sent.location, sent.trips]).toEqual([303, "/account/email?sent", 2]);
  const shown = await ada.follow(sent);
  expect([shown.status, shown.trips]).toEqual([200, 1]);
  expect(textsOf(shown.text, "p", 'role="status"')).toEqual([
    "We've sent a link to the new address. Open it within one hour to change your email address. An address that stopped all emails gets none: open the link that stopped them, and let them go out again.",
  ]);
  expect(textOf(shown.text)).toContain(`New address: ${email}`);
  await app.settled(ada);
  expect(mailChannels.delivered.map(({ to }) => to).sort()).toEqual([ada.user.email, email].sort());
});

test("the form shows an error beside its field, keeps the typed address and never repeats the password", async () => {
  const ada = await app.register();
  const page = await ada.get("/account");
  for (const [email, password, field, message] of [
    ["no address", PASSWORD, "email", "Please enter a valid email address"],
    ["kari@example.org", "", "password", "Password is required"],
    ["kari@example.org", "wrong", "password", "That is not your current password"],
    [ada.user.email, PASSWORD, "email", "This is the email address of your account already."],
  ] as const) {
    const refused = await ada.submit(page, "/account/email", { email, password }, "Send Link");
    expect([refused.status, messageOf(refused.text, field)]).toEqual([400, message]);
    expect(refused.trips).toBeLessThanOrEqual(2);
    const values = tagsOf(refused.text, "input").map(({ type, value }) => [type, value ?? ""]);
    expect(values).toEqual([
      ["email", email],
      ["password", ""],
    ]);
  }
  expect(await app.messages(ada)).toEqual([]);
});

// Mail scanners open links, and some send HEAD first.
test("opening the link changes nothing: the page asks, and its one button changes the address", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const path = `/account/email/${await tokenFor(app, ada, email)}`;
  const before = await stored(ada);
  const reader = app.as(new Map());
  for (const method of ["GET", "HEAD", "GET"]) expect((await reader.send(method, path)).status).toBe(200);
  expect(await stored(ada)).toEqual(before);
  const page = await reader.get(path);
  expect([page.trips, page.headers.get("Cache-Control"), page.headers.get("X-Robots-Tag")]).toEqual([
    1,
    "no-store",
    "noindex",
  ]);
  expect(page.headers.get("Referrer-Policy")).toBe("strict-origin");
  expect(textsOf(page.text, "button")).toEqual(["Change Email Address"]);
  expect([...formIn(page.text, path).values({})]).toEqual([]);
  expect(textOf(page.text)).toContain(email);
  // Not to a stranger whose address was typed by mistake.
  expect(page.text).not.toContain(ada.user.email);

  const done = await reader.submit(page, path, {});
  expect([done.status, done.trips, textsOf(done.text, "h1")]).toEqual([200, 2, ["Email address changed"]]);
  expect(textsOf(done.text, "p", 'role="status"')).toEqual([`From now on, log in with ${email} .`]);
  expect((await ada.get("/api/user")).json()).toMatchObject({ email });
});

test("the page of a link that has ended says so with 400, and of one whose address was taken with 409", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const path = `/account/email/${await tokenFor(app, ada, email)}`;
  const page = await app.get(path);
  expect((await app.json("POST", "/api/auth/register", { email, password: PASSWORD })).status).toBe(201);
  const taken = await app.submit(page, path, {});
  expect([taken.status, taken.trips, textsOf(taken.text, "p", 'role="alert"')]).toEqual([
    409,
    2,
    ["This email address has an account by now, so your account cannot have it."],
  ]);
  await app.db.prepare("UPDATE account_links SET expires_at = ? WHERE user_id = ?").bind(Date.now(), ada.user.id).run();
  const unknown = "/account/email/abc";
  for (const answer of [
    await app.get(path),
    await app.submit(page, path, {}),
    await app.get(unknown),
    await app.post(unknown, {}),
  ]) {
    expect([answer.status, answer.trips, answer.headers.get("Cache-Control")]).toEqual([400, 1, "no-store"]);
    expect(textsOf(answer.text, "p", 'role="alert"')).toEqual([
      "This link has been used, has expired or was replaced by a newer one. You can request a new one on your account page.",
    ]);
    expect(tagsOf(answer.text, "form")).toEqual([]);
  }
  expect((await ada.get("/api/user")).json()).toEqual(ada.user);
});

test("a link that was used from one page has ended on another", async () => {
  const ada = await app.register();
  const token = await tokenFor(app, ada, freshEmail());
  const page = await app.get(`/account/email/${token}`);
  expect((await confirm(app, token)).status).toBe(200);
  expect((await app.submit(page, `/account/email/${token}`, {})).status).toBe(400);
});

test("without email the page says that no link was sent", async () => {
  const bare = await startApp();
  const ada = await bare.register();
  const text = "Email is not set up on this server, so no link was sent and your address stays the same.";
  const call = await ada.json("POST", "/api/user/email", { email: freshEmail(), password: PASSWORD });
  expect([call.status, call.json()]).toEqual([200, { message: text }]);
  const page = await ada.follow(await ada.post("/account/email", { email: freshEmail(), password: PASSWORD }));
  expect(textsOf(page.text, "p", 'role="alert"')).toEqual([text]);
});
