import { createServer } from "node:net";
import { beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { AUTHORITY, LATE_MS, type Smtp, startSmtpServer, USER } from "#tests/worker/smtp-server.ts";

/*
 * Emails through SMTP: the built Worker against a real SMTP server. The reaction of the outbox to each outcome is in
 * tests/worker/mail-faults.test.ts.
 */

const startSmtpApp = (SMTP_URL: string, env: Record<string, string> = {}, settings = {}) =>
  startMailApp({ MAILCHANNELS_API_KEY: "", MAILCHANNELS_BASE_URL: "", SMTP_URL, ...env }, settings);

const smtp = await startSmtpServer();
const app = await startSmtpApp(smtp.url, { MAIL_FROM: "Hours Tracker Łódź <hours@example.com>" });

beforeEach(async () => {
  await app.idle();
  await app.db.prepare("DELETE FROM outbox").run();
  smtp.reset();
});

let supervisors = 0;

/** Requests a verification of a new supervisor, because one address gets five emails a day. */
async function request(of = app, over: Record<string, unknown> = {}) {
  supervisors += 1;
  const email = `ola-${supervisors}@example.org`;
  const ada = await of.register({ name: "Ada Łódź" });
  const { id } = await ada.addEntry(over);
  const supervisor = await ada.addSupervisor({ email });
  const token = await ada.requestVerification(id, supervisor.id);
  const only = async () => (await of.settled(ada))[0];
  return { ada, email, token, only };
}

const LONG = `${"x".repeat(1200)}${"ż".repeat(300)}`;

test("an email arrives with its text and HTML, its headers and its words, whatever characters they have", async () => {
  const location = [".", "..two dots", "Dock = 4; naïve 検査 😀 ", "", ".", LONG.slice(0, 150)].join(" ");
  const { email, token, only } = await request(app, { location });
  expect(await only()).toMatchObject({ state: "sent", attempts: 1 });
  const [{ sender, recipient, raw, mail, user } = expect.fail("nothing arrived")] = smtp.arrived;
  expect([sender, recipient, user]).toEqual(["hours@example.com", email, USER]);
  expect(mail.from).toMatchObject({ address: "hours@example.com", name: "Hours Tracker Łódź" });
  expect(mail.to).toMatchObject([{ address: email }]);
  expect(mail.subject).toBe("Ada Łódź asks you to verify 7.5 OJT hours");
  for (const body of [mail.text, mail.html]) {
    expect(body).toMatch(new RegExp(`http://hours\\.example\\.com/verify/${token}\\?m=[\\w-]{22}[\\s"<]`));
    expect(body).toContain("naïve 検査 😀");
    expect(body).toContain("Ada Łódź");
  }
  expect(mail.text).toContain(LONG.slice(0, 150));
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(header("auto-submitted")).toBe("auto-generated");
  expect(header("list-unsubscribe")).toMatch(/^<http:\/\/hours\.example\.com\/\S+>$/);
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("message-id")).toMatch(/^<[\da-f]{32}@example\.com>$/);
  expect(Math.abs(Date.now() - Date.parse(header("date") ?? ""))).toBeLessThan(10 * 60_000);
  expect(raw).toMatch(/^[\r\n\t -~]*$/); // ASCII alone
  expect(raw.split("\r\n").every((line) => line.length <= 200 && !/[\r\n]/.test(line))).toBe(true);
});

const TLS = { skip: inject("target") === "binary" }; // the executable's authorities are compiled in

for (const [name, options, host] of [
  ["smtps is TLS from the first byte", { secure: true }, "127.0.0.1"],
  ["smtp begins TLS before it says who it is", { allowInsecureAuth: false }, "127.0.0.2"],
] as const) {
  test(`${name}, and signs in with AUTH PLAIN`, TLS, async () => {
    const server = await startSmtpServer(options, host);
    const of = await startSmtpApp(server.url, {}, { authorities: [AUTHORITY] });
    const { email, only } = await request(of);
    expect(await only()).toMatchObject({ state: "sent", attempts: 1 });
    expect(server.arrived).toMatchObject([{ isSecure: true, user: USER, recipient: email }]);
  });

  test(`${name}: to a server whose authority is unknown nothing is said, and the email waits`, async () => {
    const server = await startSmtpServer(options, host);
    const of = await startSmtpApp(server.url, { MAIL_TIMEOUT_MS: "3000" });
    expect(await (await request(of)).only()).toMatchObject({ state: "waiting", unknown_outcomes: 0 });
    expect(server.arrived).toEqual([]);
    // workerd writes lines of its own beside the log.
    const line = await vi.waitFor(
      () => of.log.join("").match(/\{.*"not_reachable".*\}/)?.[0] ?? expect.fail("no such line"),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      status: null,
      host: expect.stringContaining(`:${server.port}`),
    });
  });
}

test("to another machine nothing is sent without TLS: a server that offers no STARTTLS, or refuses it, gets no password", async () => {
  const said: string[] = [];
  for (const [offer, reason] of [
    ["250 AUTH PLAIN", "the server offers no STARTTLS"],
    ["250 STARTTLS", "STARTTLS was answered 454"],
  ]) {
    const server = createServer((socket) => {
      socket.write("220 hello\r\n");
      socket.on("data", (chunk) => {
        said.push(String(chunk).trim());
        socket.write(/^EHLO/.test(String(chunk)) ? `250-hello\r\n${offer}\r\n` : "454 4.7.0 not now\r\n");
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number }; // it listens on a port
    const of = await startSmtpApp(`smtp://user:secret@127.0.0.2:${port}`);
    expect(await (await request(of)).only()).toMatchObject({ state: "waiting", unknown_outcomes: 0 });
    await of.logged((line) => String(line.reason).startsWith(String(reason)));
  }
  expect(said.filter((line) => !/^(EHLO hours\.example\.com|STARTTLS|QUIT)$/.test(line))).toEqual([]);
});

test("a server with AUTH LOGIN alone, and one that asks for no password, are served", async () => {
  const login = await startSmtpServer({ authMethods: ["LOGIN"] });
  expect(await (await request(await startSmtpApp(login.url))).only()).toMatchObject({ state: "sent" });
  expect(login.arrived).toMatchObject([{ user: USER, isSecure: false }]);
  const open = await startSmtpServer({ authOptional: true, disabledCommands: ["AUTH"] });
  const of = await startSmtpApp(`smtp://localhost:${open.port}`, { PUBLIC_ORIGIN: "http://hours.example.com" });
  expect(await (await request(of)).only()).toMatchObject({ state: "sent" });
  expect(open.arrived).toMatchObject([{ user: undefined }]);
});

type Step = keyof Smtp["refusals"];

for (const [step, code, expected] of [
  ["AUTH", 535, { state: "waiting", outcome: "key_refused" }],
  ["AUTH", 454, { state: "waiting", outcome: "later" }],
  ["MAIL", 553, { state: "waiting", outcome: "key_refused" }],
  ["RCPT", 450, { state: "waiting", outcome: "later" }], // greylisting
  ["RCPT", 421, { state: "waiting", outcome: "later" }],
  ["RCPT", 550, { state: "failed", outcome: "refused" }],
  ["RCPT", 530, { state: "waiting", outcome: "key_refused" }],
  ["email", 554, { state: "failed", outcome: "refused" }],
] as [Step, number, { state: string; outcome: string }][]) {
  test(`${step} answered ${code}: the outcome is ${expected.outcome}, and the log has no address`, async () => {
    smtp.refusals[step] = [code, "5.1.1 <ola-1@example.org> no"];
    const before = app.log.length;
    const { only } = await request();
    expect(await only()).toMatchObject({ state: expected.state, attempts: 1, unknown_outcomes: 0 });
    expect(smtp.arrived).toEqual([]);
    await app.logged(({ outcome, status, reason }) => {
      return outcome === expected.outcome && status === code && /was answered \d{3}/.test(String(reason));
    });
    expect(app.log.slice(before).join("")).not.toContain("ola-");
    // After a 421 the server closes the connection itself.
    if (code !== 421) await vi.waitFor(() => expect([smtp.connections, smtp.quits]).toEqual([1, 1]));
    smtp.reset();
    await app.sweep();
    const isLost = expected.state === "failed";
    expect(await only()).toMatchObject(
      isLost ? { state: "failed", reason: "refused" } : { state: "sent", attempts: 2 },
    );
    expect(smtp.arrived).toHaveLength(isLost ? 0 : 1);
  });
}

test("while the password is refused one email a minute is tried, and when it goes the rest follow", async () => {
  smtp.refusals.AUTH = [535, "5.7.8 no"];
  const requests: { ada: Technician }[] = [await request()];
  await app.idle();
  for (let n = 0; n < 5; n += 1) requests.push(await request());
  await app.idle();
  expect(smtp.connections).toBe(1);
  for (let minute = 1; minute <= 3; minute += 1) {
    await app.tick(new Date(Date.now() + minute * 60_000));
    expect(smtp.connections).toBe(1 + minute);
  }
  smtp.reset();
  await app.tick(new Date(Date.now() + 5 * 60_000));
  expect(smtp.arrived).toHaveLength(6);
});

for (const at of ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA"]) {
  test(`a connection that is cut at ${at}: nothing has arrived, so the email is tried again as often as it takes`, async () => {
    smtp.fault = { at, how: "cut" };
    const { only } = await request();
    expect(await only()).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 0 });
    await app.sweep();
    expect(await only()).toMatchObject({ state: "waiting", attempts: 2, unknown_outcomes: 0 });
    smtp.reset();
    await app.sweep();
    expect(await only()).toMatchObject({ state: "sent", attempts: 3 });
    expect(smtp.arrived).toHaveLength(1);
  });
}

test("a connection that is cut after the final dot: the email may have arrived, so it is sent once more with the same Message-ID, and no third time", async () => {
  smtp.fault = { at: "final dot", how: "cut after" };
  const { only } = await request();
  expect(await only()).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 1 });
  await app.sweep();
  expect(await only()).toMatchObject({ state: "unknown", attempts: 2, unknown_outcomes: 2 });
  await app.sweep();
  const ids = smtp.arrived.map(({ mail }) => mail.messageId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

test("a server that says nothing is left after MAIL_TIMEOUT_MS, at every step, and after MAIL_ANSWER_TIMEOUT_MS at the final dot; only then is the outcome unknown", async () => {
  const of = await startSmtpApp(smtp.url, { MAIL_TIMEOUT_MS: "1500", MAIL_ANSWER_TIMEOUT_MS: "1600" });
  for (const [at, unknown] of [
    ["greeting", 0],
    ["EHLO", 0],
    ["RCPT", 0],
    ["final dot", 1],
  ] as const) {
    smtp.fault = { at, how: "hang" };
    const { only } = await request(of);
    expect([at, await only()]).toMatchObject([at, { state: "waiting", attempts: 1, unknown_outcomes: unknown }]);
    await of.db.prepare("DELETE FROM outbox").run();
  }
  await of.logged(({ reason }) => reason === "it took longer than 1600 ms, at the final dot");
});

// Seen: each email to a server that takes longer than MAIL_TIMEOUT_MS for it was sent twice.
test("a server that takes longer than MAIL_TIMEOUT_MS to answer after the final dot gets an email once, and the timer sends others meanwhile", async () => {
  const of = await startSmtpApp(smtp.url, { MAIL_TIMEOUT_MS: "1500" });
  smtp.fault = { at: "greeting", how: "cut" };
  const slow = await request(of);
  expect(await slow.only()).toMatchObject({ state: "waiting", unknown_outcomes: 0 });
  smtp.fault = { at: "final dot", how: "late" };
  await of.db.prepare("UPDATE outbox SET due_at = 0").run();
  const start = Date.now();
  await of.tick(new Date());
  expect(Date.now() - start).toBeLessThan(LATE_MS);
  smtp.fault = null;
  await (await request(of)).only();
  // A sweep two minutes later does not take it for one whose Worker has stopped.
  await of.tick(new Date(start + 2 * 60_000));
  expect(smtp.arrived.map(({ recipient }) => recipient)).toHaveLength(2);
  expect(await slow.only()).toMatchObject({ state: "sent", attempts: 2, unknown_outcomes: 0 });
  expect(smtp.arrived).toHaveLength(2);
});

test("a port at which nothing listens, and one that answers what is not SMTP: the email waits", async () => {
  const web = createServer((socket) =>
    socket
      .on("error", () => {})
      .end("HTTP/1.1 400 Bad Request\r\n\r\n")
      .destroySoon(),
  );
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const { port } = web.address() as { port: number }; // it listens on a port
  const of = await startSmtpApp(`smtp://127.0.0.1:${port}`);
  const { only } = await request(of);
  expect(await only()).toMatchObject({ state: "waiting", attempts: 1, unknown_outcomes: 0 });
  await of.logged(({ reason }) => reason === "the server's reply is not SMTP");
  web.close();
  await of.sweep();
  expect(await only()).toMatchObject({ state: "waiting", attempts: 2, unknown_outcomes: 0 });
});
