import { expect, test, vi } from "vitest";
import { startSmtpServer } from "#tests/worker/smtp-server.ts";
import { npmStart, runCommand } from "./npm-start.ts";
import { dataFolder, logged, register, SETTINGS, setUpLink, start, visit } from "./start.ts";

const mailBy = (SMTP_URL: string) => ({
  SMTP_URL,
  MAIL_FROM: "Hours Tracker <hours@example.com>",
  PUBLIC_ORIGIN: "http://localhost:8787",
});

const AUTHORITY_FILE = "tests/fixtures/smtp/authority.pem";

test("the executable sends through an SMTP server on its own machine, and /set-up says through which", async () => {
  const smtp = await startSmtpServer();
  const running = await start(dataFolder(), { ...SETTINGS, ...mailBy(smtp.url) });
  const link = running.url + new URL(await setUpLink(running)).pathname;
  const page = await (await visit(link)).text();
  expect(page).toContain(`127.0.0.1:${smtp.port} sends it from Hours Tracker`);
  expect(page).not.toContain(new URL(smtp.url).password);
  await register(running, "ada@example.com"); // her address is to be confirmed
  await vi.waitFor(() => expect(smtp.arrived).toHaveLength(1), { timeout: 60_000, interval: 50 });
  expect(smtp.arrived).toMatchObject([{ recipient: "ada@example.com", sender: "hours@example.com" }]);
});

test("the executable trusts no private authority: the email waits, and the log says so; a refused password is named in /set-up", async () => {
  const secure = await startSmtpServer({ secure: true });
  const running = await start(dataFolder(), { ...SETTINGS, ...mailBy(secure.url) });
  await register(running, "ada@example.com");
  const line = JSON.parse(await logged(running.log, /"not_reachable"/));
  expect(line).toMatchObject({
    host: `localhost:${secure.port}`,
    state: "waiting",
    advice: expect.stringContaining("certificate"),
  });
  expect(secure.arrived).toEqual([]);

  const smtp = await startSmtpServer();
  smtp.refusals.AUTH = [535, "5.7.8 no"];
  const refused = await start(dataFolder(), { ...SETTINGS, ...mailBy(smtp.url) });
  const link = refused.url + new URL(await setUpLink(refused)).pathname;
  await register(refused, "ada@example.com");
  await logged(refused.log, /"key_refused"/);
  await vi.waitFor(
    async () => expect(await (await visit(link)).text()).toContain(`127.0.0.1:${smtp.port} has refused our password`),
    { timeout: 60_000, interval: 200 },
  );
});

// Catches "Not sent" for an email that may have arrived. Without TLS, which hides from the faulty line what passes through it.
test("npm run mail:test says that it is unknown whether an email was sent if there is no answer to the final dot", async () => {
  const smtp = await startSmtpServer();
  for (const how of ["cut after", "hang"] as const) {
    smtp.fault = { at: "final dot", how };
    const env = { ...mailBy(smtp.url), MAIL_TIMEOUT_MS: "5000" };
    const { status, words } = await runCommand("mail-test", env, "you@example.com");
    expect([status, words]).toEqual([
      1,
      expect.stringMatching(/^It is unknown whether it was sent: \S+ gave no clear answer \(/m),
    ]);
    expect(words).not.toContain("Not sent");
    expect(smtp.arrived).toHaveLength(1);
    smtp.reset();
  }
});

test("npm start and npm run mail:test send by SMTP, with an authority of NODE_EXTRA_CA_CERTS", async () => {
  const smtp = await startSmtpServer({ secure: true });
  const env = { ...mailBy(smtp.url), NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };
  const tested = await runCommand("mail-test", env, "you@example.com");
  expect([tested.status, tested.words]).toEqual([0, expect.stringContaining("Sent to you@example.com")]);
  expect(smtp.arrived).toMatchObject([{ recipient: "you@example.com", isSecure: true }]);
  smtp.refusals.AUTH = [535, "5.7.8 no"];
  const refused = await runCommand("mail-test", env, "you@example.com");
  expect([refused.status, refused.words]).toEqual([
    1,
    expect.stringContaining("answered 535 (AUTH PLAIN was answered 535"),
  ]);
  smtp.reset();

  const running = await npmStart(dataFolder(), env);
  const answer = await visit(`${running.url}/api/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "ada@example.com", password: "correct horse" }),
  });
  expect(answer.status).toBe(201);
  await vi.waitFor(
    () => expect(smtp.arrived).toMatchObject([{ recipient: "ada@example.com", isSecure: true }]),
    60_000,
  );
  await running.stop();
});
