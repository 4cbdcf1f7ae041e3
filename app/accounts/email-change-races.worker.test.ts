import { beforeEach, expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { askFor, confirm, freshEmail, move, tokenFor } from "#tests/worker/email-changes.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aSupervisor, PASSWORD } from "#tests/worker/people.ts";

/*
 * Changes of an email address at the same moment as others, their limits, and supervisors with an own address. Catches a
 * decision that is stored though its account has changed since it was read.
 */

const app = await startMailApp();
const { mailChannels } = app;
const HOUR = 3_600_000;

beforeEach(() => mailChannels.reset());

const messageIn = (answer: { json<T>(): T }) => answer.json<{ message: string }>().message;
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

test("one of ten concurrent confirmations changes the address, and the old one gets one email", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const token = await tokenFor(app, ada, email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(app, token)));
  expect(statusesOf(answers)).toEqual([200, ...Array(9).fill(400)]);
  expect((await app.settled(ada)).filter(({ kind }) => kind === "email_changed")).toHaveLength(1);
  expect(await count(app.db, "earlier_addresses", "user_id = ?", ada.user.id)).toBe(1);
});

test("one of two accounts that change to one address at once gets it, and the other gets 409", async () => {
  const [ada, bob, email] = [await app.register(), await app.register(), freshEmail()];
  const tokens = [await tokenFor(app, ada, email), await tokenFor(app, bob, email)];
  const answers = await Promise.all(tokens.map((token) => confirm(app, token)));
  expect(statusesOf(answers)).toEqual([200, 409]);
  const [loser, token] = answers[0]?.status === 200 ? [bob, tokens[1]] : [ada, tokens[0]];
  expect((await loser.get("/api/user")).json()).toEqual(loser.user);
  expect(await count(app.db, "users", "email = ?", email)).toBe(1);
  expect(await count(app.db, "earlier_addresses", "user_id = ?", loser.user.id)).toBe(0);
  expect((await confirm(app, token ?? "")).status).toBe(409);
});

test("an address that another user registers meanwhile is 409, and nothing is changed", async () => {
  const [ada, email] = [await app.register(), freshEmail()];
  const token = await tokenFor(app, ada, email);
  expect((await app.json("POST", "/api/auth/register", { email, password: PASSWORD })).status).toBe(201);
  const answer = await confirm(app, token);
  expect([answer.status, messageIn(answer), answer.trips]).toEqual([
    409,
    expect.stringMatching(/has an account by now/),
    2,
  ]);
  expect((await ada.get("/api/user")).json()).toEqual(ada.user);
  expect((await app.settled(ada)).map(({ kind }) => kind)).not.toContain("email_changed");
});

test("a name that is changed at the same moment is kept, and the search text has both", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ada, email, name] = [await app.register(), freshEmail(), `Ada ${round} Lund`];
    const token = await tokenFor(app, ada, email);
    const answers = await Promise.all([confirm(app, token), ada.json("PATCH", "/api/user", { name })]);
    expect(statusesOf(answers)).toEqual([200, 200]);
    const [row] = await rows(app.db, "SELECT email, name, search FROM users WHERE id = ?", ada.user.id);
    expect(row).toEqual({ email, name, search: expect.stringMatching(new RegExp(`^ada ${round} lund\n${email}`)) });
  }
});

test("only one link of two requests at once works", async () => {
  const ada = await app.register();
  await Promise.all([askFor(ada, freshEmail()), askFor(ada, freshEmail())]);
  await app.settled(ada);
  const tokens = mailChannels.delivered.flatMap(({ text }) => text.match(/\/account\/email\/(\S+)/)?.[1] ?? []);
  const answers = [];
  for (const token of tokens) answers.push((await confirm(app, token)).status);
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
});

test("a request whose password is changed or whose session is ended during hashing stores nothing", async () => {
  const [ada, thief] = [await app.register(), app.as(new Map())];
  await thief.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  const passwords = { currentPassword: PASSWORD, newPassword: "a brand new password" };
  const [asked, changed] = await Promise.all([
    askFor(thief, freshEmail()),
    ada.json("POST", "/api/user/password", passwords),
  ]);
  expect(changed.status).toBe(200);
  expect([200, 400, 401]).toContain(asked.status);
  // Also if the request came first: the new password ends it.
  expect(await count(app.db, "account_links", "user_id = ? AND purpose = 'change'", ada.user.id)).toBe(0);
});

test("an account requests five changes a day, and an address gets three emails a day from all accounts", async () => {
  const ada = await app.register();
  for (let n = 0; n < 5; n += 1) expect((await askFor(ada, freshEmail())).status).toBe(200);
  const sixth = await askFor(ada, freshEmail());
  expect([sixth.status, messageIn(sixth)]).toEqual([
    429,
    "There were too many changes of your email address. Please try again in 24 hours.",
  ]);
  expect(Number(sixth.headers.get("Retry-After"))).toBeGreaterThan(23 * 3600);
  const [email, strangers] = [freshEmail(), await Promise.all(Array.from({ length: 4 }, () => app.register()))];
  const answers = [];
  for (const [n, who] of strangers.entries())
    answers.push(await askFor(who, email.replace("@", n === 3 ? "+spam@" : "@")));
  expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  for (const who of [ada, ...strangers]) await app.settled(who);
  expect(mailChannels.received.filter(({ to }) => to.includes(email.split("@")[0] ?? ""))).toHaveLength(3);
  await app.nextDay();
  expect((await askFor(ada, email)).status).toBe(200);
});

test("a wrong password counts for no limit of emails", async () => {
  const ada = await app.register();
  for (let n = 0; n < 6; n += 1) expect((await askFor(ada, freshEmail(), "wrong")).status).toBe(400);
  expect((await askFor(ada, freshEmail())).status).toBe(200);
});

test("no earlier address of the own account may be a supervisor's, and the database does not hold it", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [first, second] = [ada.user.email, freshEmail()];
  const { id } = await ada.addSupervisor();
  await move(app, ada, second);
  await move(app, ada, freshEmail());
  const was = "This was the email address of your own account. Someone else must verify your hours.";
  const refusal = { code: "own_mailbox", message: was, errors: [{ path: "email", message: was }] };
  for (const email of [first.toUpperCase(), second]) {
    const added = await ada.json("POST", "/api/supervisors", aSupervisor({ email }));
    expect([added.status, added.json()]).toEqual([400, refusal]);
    const changed = await ada.json("PATCH", `/api/supervisors/${id}`, { email });
    expect([changed.status, changed.json(), changed.trips]).toEqual([400, refusal, 1]);
    expect((await bob.json("POST", "/api/supervisors", aSupervisor({ email }))).status).toBe(201);
  }
  await app.tick(new Date(Date.now() + 26 * HOUR));
  const stored = await rows(app.db, "SELECT * FROM earlier_addresses WHERE user_id = ?", ada.user.id);
  expect(stored).toHaveLength(2);
  expect(JSON.stringify([stored, await rows(app.db, "SELECT * FROM account_links")])).not.toContain(first);
});

// Seen to fail: once the saved supervisor was deleted, the account could have the address that had verified its hours.
test("an account cannot get the mailbox of a supervisor who has verified its hours, also once the saved supervisor is deleted", async () => {
  const ada = await app.register();
  const waiting = freshEmail();
  const open = await tokenFor(app, ada, waiting);
  const { id } = await ada.addSupervisor({ email: freshEmail() });
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id, id);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect((await ada.json("DELETE", `/api/supervisors/${id}`)).status).toBe(200);
  const [asked] = await rows<{ email: string }>(
    app.db,
    "SELECT supervisor_email AS email FROM verification_requests WHERE token = ?",
    token,
  );
  for (const address of [asked?.email ?? "", (asked?.email ?? "").replace("@", "+me@")]) {
    const refused = await askFor(ada, address);
    expect([refused.status, messageIn(refused)]).toEqual([400, expect.stringMatching(/has verified your hours/)]);
  }
  // A link of before is refused as well. (The address of the request is changed past the app.)
  const alias = waiting.replace("@", "+tag@");
  await app.db
    .prepare("UPDATE verification_requests SET supervisor_email = ? WHERE token = ?")
    .bind(alias, token)
    .run();
  const late = await confirm(app, open);
  expect([late.status, messageIn(late), late.trips]).toEqual([
    409,
    expect.stringMatching(/has verified your hours/),
    1,
  ]);
  // Another account may have it, and this one too once the record and its verification are gone.
  expect((await askFor(await app.register(), asked?.email ?? "")).status).toBe(200);
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(entry.id).run();
  expect((await confirm(app, open)).status).toBe(200);
});

test("an account cannot get the address of one of its supervisors, nor if it is saved before the link is used", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor({ email: freshEmail() });
  for (const address of [supervisor.email, supervisor.email.replace("@", "+me@")]) {
    const refused = await askFor(ada, address);
    expect([refused.status, messageIn(refused)]).toEqual([400, expect.stringMatching(/one of your supervisors/)]);
  }
  expect(await app.messages(ada)).toEqual([]);
  const email = freshEmail();
  const token = await tokenFor(app, ada, email);
  const { id } = await ada.addSupervisor();
  // Past the app, which refuses an address to which the account is being changed.
  await app.db
    .prepare("UPDATE supervisors SET email = ? WHERE id = ?")
    .bind(`${email.replace("@", "+tag@")}`, id)
    .run();
  expect((await confirm(app, token)).status).toBe(409);
  expect((await ada.json("DELETE", `/api/supervisors/${id}`)).status).toBe(200);
  expect((await confirm(app, token)).status).toBe(200);
});
