import { beforeEach, expect, test } from "vitest";
import { hashLinkToken, linkToken } from "#app/accounts/link-token.server.ts";
import { hashMailbox } from "#app/accounts/own-addresses.server.ts";
import { unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { exportCode, hashCode } from "#app/proof/export-code.server.ts";
import { hashSubject } from "#app/server/attempt-limits.server.ts";
import { recipientOf } from "#app/supervisor-mail/limits.server.ts";
import { noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import { unknownMailbox } from "#app/verification/unknown-technicians.server.ts";
import { rows } from "#tests/worker/database.ts";
import { freshEmail } from "#tests/worker/email-changes.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { NEW_PASSWORD, PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * Emails that wait while SESSION_SECRET is changed are sent with a link that works. The tests put data made with
 * another secret into the database, as a Worker with that secret stored it. Seen to fail: a request ended as cancelled,
 * and its technician read that it was emailed; a link to reset a password arrived and did not work.
 */

const app = await startMailApp();
const { mailChannels } = app;
const EARLIER = "a secret of before that has 32 bytes and more";

const knowing = await startMailApp({ EARLIER_SECRETS: `one before that of 32 bytes and more, ${EARLIER}` });

beforeEach(() => {
  mailChannels.reset();
  mailChannels.behave(() => ({ status: 503 }));
});

const mailsTo = (email: string) => mailChannels.delivered.filter(({ to }) => to === email);
const anyone = () => app.as(new Map());
const pathIn = (email: string, name: string) =>
  mailsTo(email)
    .at(-1)
    ?.text.match(new RegExp(`http://hours.example.com(/${name}/\\S+)`))?.[1] ?? "";

const set = (statement: string, ...values: unknown[]) =>
  app.db
    .prepare(statement)
    .bind(...values)
    .run();

/** The mail service works again, and the timer sends what waits. */
async function send(): Promise<void> {
  await app.idle();
  mailChannels.behave("send");
  await app.sweep();
  await app.idle();
}

async function asked(who?: Technician) {
  const ada = who ?? (await app.register({ email: freshEmail(), name: "Kari Nordmann" }));
  const { id } = await ada.addEntry();
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ email });
  const token = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  const recipient = recipientOf({ secret: EARLIER }, { userId: ada.user.id, address: email });
  await set("UPDATE outbox SET recipient = ? WHERE user_id = ? AND recipient IS NOT NULL", recipient, ada.user.id);
  return { ada, id, email, token, supervisor };
}

test("a request that waits for the mail service while the secret is changed is sent, with the secret of the mailbox", async () => {
  const { ada, email } = await asked();
  await send();
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(["Kari Nordmann asks you to verify 7.5 OJT hours"]);
  expect(await app.messages(ada)).toMatchObject([{ kind: "verification_requested", state: "sent" }]);
  const answer = await anyone().json("POST", `/api${pathIn(email, "verify")}`, { supervisorName: "Ola" });
  expect(answer.json()).toMatchObject({ entry: { verifiedVia: "mailbox" } });
});

test("a request that failed before the secret was changed is sent again by an admin", async () => {
  const { ada, email } = await asked();
  const [message] = await app.messages(ada);
  await set(
    "UPDATE outbox SET state = 'failed', reason = 'refused', due_at = NULL, lease = NULL, ended_at = 1 WHERE id = ?",
    message?.id,
  );
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  mailChannels.behave("send");
  expect((await admin.json("POST", `/api/admin/messages/${message?.id}/send-again`)).status).toBe(200);
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
});

/** The noon of a working day after the first reminder is due, and of one that follows it. */
function noonOfReminders(): Date {
  const noon = new Date(new Date().setUTCHours(12, 0, 0, 0) + 6 * 24 * 60 * 60 * 1000);
  return new Date(noon.getTime() + ((3 - noon.getUTCDay() + 7) % 7) * 24 * 60 * 60 * 1000);
}

test("a reminder that waits while the secret is changed is sent, and not once its request has another supervisor", async () => {
  const [one, other] = [await asked(), await asked()];
  const noon = noonOfReminders();
  await set("UPDATE outbox SET state = 'sent', due_at = NULL, ended_at = 1 WHERE due_at IS NOT NULL");
  await app.tick(noon);
  await app.idle();
  await set("UPDATE outbox SET recipient = ? WHERE kind = 'verification_reminder'", "0".repeat(64));
  const next = await other.ada.addSupervisor({ email: freshEmail() });
  await other.ada.requestVerification(other.id, next.id);
  await set("UPDATE verification_requests SET remind_at = NULL"); // no other reminder comes in between
  mailChannels.behave("send");
  await set("UPDATE outbox SET due_at = 0 WHERE kind = 'verification_reminder' AND due_at IS NOT NULL");
  await app.tick(new Date(noon.getTime() + 60_000));
  await app.idle();
  const isReminded = (email: string) => mailsTo(email).some(({ subject }) => subject.startsWith("Reminder"));
  expect([one.email, other.email, next.email].map(isReminded)).toEqual([true, false, false]);
});

test("a reminder that cannot be sent on its day is listed as failed", async () => {
  const { ada } = await asked();
  await set("UPDATE outbox SET state = 'sent', due_at = NULL, ended_at = 1 WHERE due_at IS NOT NULL");
  const noon = noonOfReminders();
  await app.tick(noon);
  await app.idle();
  await set("UPDATE outbox SET due_at = 0 WHERE due_at IS NOT NULL");
  await app.tick(new Date(noon.getTime() + 24 * 60 * 60 * 1000));
  const reminder = (await app.messages(ada)).find(({ kind }) => kind === "verification_reminder");
  expect(reminder).toMatchObject({ state: "failed", reason: "gave_up" });
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  const { mail } = (await admin.get("/api/admin/system")).json<{ mail: { failed: { id: number }[] } }>();
  expect(mail.failed.map(({ id }) => id)).toContain(reminder?.id);
  await set("UPDATE outbox SET created_at = 1 WHERE id = ?", reminder?.id);
  const again = await admin.json("POST", `/api/admin/messages/${reminder?.id}/send-again`);
  expect([again.status, again.text]).toEqual([409, expect.stringContaining("cannot be sent again")]);
});

test("the link to confirm an address or to change it works, if its email waited while the secret was changed", async () => {
  const who = await app.register({ email: freshEmail(), isConfirmed: false });
  const { id, email } = who.user;
  const next = freshEmail();
  await who.json("POST", "/api/user/email", { email: next, password: PASSWORD });
  await app.idle();
  const hashOf = (...link: [Parameters<typeof linkToken>[1], string | number, string]) =>
    hashLinkToken(linkToken(EARLIER, ...link));
  for (const [purpose, subject] of [
    ["confirmation", email],
    ["change", id],
  ] as const) {
    const link = `user_id = ${id} AND purpose = '${purpose}'`;
    const [row] = await rows<{ nonce: string }>(app.db, `SELECT nonce FROM account_links WHERE ${link}`);
    await set(
      `UPDATE account_links SET token = ? WHERE ${link}`,
      hashOf(`email ${purpose}`, subject, row?.nonce ?? ""),
    );
  }
  await send();
  const confirmed = await anyone().json("POST", `/api/user/email/${linkIn(email, "Confirm your email")}`);
  expect([confirmed.status, confirmed.json()]).toMatchObject([200, { emailConfirmedAt: expect.any(String) }]);
  const changed = await anyone().json("POST", `/api/user/email/${linkIn(next, "Confirm your new")}`);
  expect([changed.status, changed.json()]).toMatchObject([200, { email: next }]);
});

test("the link to set a password works, if its email waited while the secret was changed", async () => {
  const who = await app.register({ email: freshEmail() });
  const { id, email } = who.user;
  await app.json("POST", "/api/auth/reset-password", { email });
  await app.idle();
  const [row] = await rows<{ nonce: string }>(app.db, "SELECT reset_nonce AS nonce FROM users WHERE id = ?", id);
  const hash = hashLinkToken(linkToken(EARLIER, "password reset", id, row?.nonce ?? ""));
  await set("UPDATE users SET reset_token = ? WHERE id = ?", hash, id);
  await send();
  const reset = await anyone().json("POST", `/api${pathIn(email, "reset-password").replace("/reset", "/auth/reset")}`, {
    password: NEW_PASSWORD,
  });
  expect([reset.status, reset.json()]).toEqual([200, { message: "Password reset successful" }]);
});

test("an email whose link has expired is not sent again, and the admin reads why", async () => {
  const who = await app.register({ email: freshEmail() });
  await app.json("POST", "/api/auth/reset-password", { email: who.user.email });
  await app.idle();
  const [message] = await app.messages(who);
  await set(
    "UPDATE outbox SET state = 'failed', reason = 'refused', due_at = NULL, lease = NULL, ended_at = 1 WHERE id = ?",
    message?.id,
  );
  await set("UPDATE users SET reset_token_expiry = 1 WHERE id = ?", who.user.id);
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  const again = await admin.json("POST", `/api/admin/messages/${message?.id}/send-again`);
  expect([again.status, again.text]).toEqual([409, expect.stringContaining("its link has expired")]);
  expect(await app.messages(who)).toMatchObject([{ state: "failed", reason: "refused" }]);
});

/** The token of the link in the newest email to an address with this subject. */
function linkIn(email: string, subject: string): string {
  const text = mailsTo(email).findLast((mail) => mail.subject.startsWith(subject))?.text;
  return text?.match(/http:\/\/hours\.example\.com\/account\/email\/(\S+)/)?.[1] ?? "";
}

// Seen: after each change of the secret an address that had stopped all emails got them again.
test("with EARLIER_SECRETS the addresses that stopped emails are recognised, and those that accounts had", async () => {
  const run = (statement: string, ...values: unknown[]) =>
    knowing.db
      .prepare(statement)
      .bind(...values)
      .run();
  const ada = await knowing.register({ email: freshEmail() });
  const emailedTo = async (email: string) => {
    const { id } = await ada.addSupervisor({ email });
    const path = `/api/verify-request/${(await ada.addEntry()).id}`;
    return (await ada.json("POST", path, { supervisorId: id })).json<{ emailed: boolean }>().emailed;
  };
  const [stopped, stranger, earlier, opened] = [freshEmail(), freshEmail(), freshEmail(), freshEmail()];
  await run(
    "INSERT INTO suppressed_addresses (subject, at) VALUES (?, 1)",
    hashSubject(EARLIER, "suppressed", stopped),
  );
  await run("INSERT INTO unknown_technicians VALUES (?, ?, 1)", ada.user.id, unknownMailbox(EARLIER, stranger));
  const { pathname } = new URL(unsubscribeUrl({ origin: "http://localhost", secret: EARLIER }, opened));
  expect((await knowing.as(new Map()).get(pathname)).status).toBe(200);
  expect((await knowing.as(new Map()).post(pathname, {})).status).toBeLessThan(400);
  expect([await emailedTo(stopped), await emailedTo(stranger), await emailedTo(opened)]).toEqual([false, false, false]);
  expect(await emailedTo(freshEmail())).toBe(true);
  await run(
    "INSERT INTO earlier_addresses (user_id, address, created_at) VALUES (?, ?, 1)",
    ...[ada.user.id, hashMailbox({ secret: EARLIER }, ada.user.id, earlier)],
  );
  const own = await ada.json("POST", "/api/supervisors", { name: "Ola", email: earlier, role: "Instructor" });
  expect([own.status, own.json()]).toMatchObject([400, { code: "own_mailbox" }]);
});

test("with EARLIER_SECRETS a mailed link disowns, and a code is printed again; none verifies or confirms", async () => {
  const ada = await knowing.register({ email: freshEmail() });
  const supervisor = await ada.addSupervisor({ email: freshEmail() });
  const token = await ada.requestVerification((await ada.addEntry()).id, supervisor.id);
  await knowing.idle();
  const [request] = await rows<{ nonce: string }>(
    knowing.db,
    "SELECT nonce FROM verification_requests WHERE token = ?",
    token,
  );
  const m = mailboxSecret(EARLIER, { token, supervisorEmail: supervisor.email, nonce: request?.nonce ?? "" });
  const answer = await knowing.json("POST", `/api/verify/${token}?m=${m}`, { supervisorName: "Ola" });
  expect(answer.json()).toMatchObject({ entry: { verifiedVia: "link" } });

  const made = (await ada.json("POST", "/api/exports", { form: "ojt" })).json<{ id: number }>();
  const [{ nonce } = expect.fail("no export")] = await rows<{ nonce: string }>(
    knowing.db,
    "SELECT nonce FROM exports WHERE id = ?",
    made.id,
  );
  const code = exportCode(EARLIER, made.id, nonce);
  await knowing.db.prepare("UPDATE exports SET code_hash = ? WHERE id = ?").bind(hashCode(code), made.id).run();
  expect((await ada.get("/api/exports")).json()).toMatchObject([{ id: made.id, code }]);

  await knowing.tick(new Date());
  await knowing.idle();
  const [notice = expect.fail("no notice")] = await rows<{ id: number; nonce: string }>(
    knowing.db,
    "SELECT id, nonce FROM supervisor_notices ORDER BY id DESC",
  );
  const statusOf = async (use: "disown" | "confirm") =>
    (await knowing.as(new Map()).json("POST", `/api/${use}/${noticeToken(EARLIER, use, notice)}`, {})).status;
  expect([await statusOf("confirm"), await statusOf("disown")]).toEqual([404, 200]);
});
