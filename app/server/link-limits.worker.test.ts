import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { pass, times, visitor } from "#tests/worker/attempts.ts";
import { count } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { openEmailChange } from "#tests/worker/open-links.ts";

/*
 * The rate limit of unknown tokens in links, at its exact boundary. Catches a network whose unknown tokens block its
 * valid links too.
 */

const app = await startApp();
const MINUTE = 60_000;

for (const [name, path] of [
  ["a verification link", () => `/verify/${crypto.randomUUID()}`],
  ["the call behind it", () => `/api/verify/${crypto.randomUUID()}`],
  ["the page after it", () => `/success?token=${crypto.randomUUID()}`],
  ["a reset link", () => `/reset-password/${crypto.randomUUID()}`],
  ["a link that changes an email address", () => `/account/email/${crypto.randomUUID()}`],
  ["a token of no known form", () => "/verify/made-up"],
] as const) {
  test(`thirty unknown tokens in ten minutes are answered, the thirty-first is refused: ${name}`, async () => {
    const owner = await app.register();
    const token = await owner.requestVerification((await owner.addEntry()).id);
    const from = visitor(app);
    const answers = await times(30, () => from.get(path()));
    expect(answers.every(({ status, trips }) => (status === 404 || status === 400) && trips === 1)).toBe(true);
    const answer = await from.get(path());
    expect([answer.status, answer.trips]).toEqual([429, 1]);
    expect(textOf(answer.text)).toMatch(/from your network\. Please try again in (10|[5-9]) minutes\./);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(5 * 60);
    expect((await from.get(`/verify/${token}`)).status).toBe(200);
    await pass(app, 10 * MINUTE);
    expect((await from.get(path())).status).not.toBe(429);
  });
}

test("a network over its limit of unknown tokens can still open every real link", async () => {
  const mailApp = await startMailApp();
  const owner = await mailApp.register();
  const [open, ended] = [await owner.addEntry(), await owner.addEntry()];
  const { token: verified } = await owner.addVerifiedEntry();
  const openToken = await owner.requestVerification(open.id);
  const endedToken = await owner.requestVerification(ended.id);
  expect((await owner.json("DELETE", `/api/verify-request/${ended.id}`)).status).toBe(200);
  await mailApp.json("POST", "/api/auth/reset-password", { email: owner.user.email });
  await mailApp.idle();
  const texts = mailApp.mailChannels.received.map(({ text }) => text).join("\n");
  const reset = /\/reset-password\/[\w-]+/.exec(texts)?.[0] ?? "";
  expect(reset).not.toBe("");
  await openEmailChange(mailApp.db, (await mailApp.register()).user, "a-change");
  const from = mailApp.as(new Map());
  await times(30, () => from.get(`/api/verify/${crypto.randomUUID()}`));
  for (const path of ["/verify/x", "/api/verify/x", "/success?token=x", "/reset-password/x", "/account/email/x"]) {
    expect([path, (await from.get(path)).status]).toEqual([path, 429]);
  }
  const body = { password: "another horse battery" };
  expect((await from.json("POST", "/api/auth/reset-password/x", body)).status).toBe(429);
  expect((await from.json("POST", "/api/user/email/x")).status).toBe(429);

  const elsewhere = mailApp.as(new Map());
  for (const path of [
    `/verify/${openToken}`,
    `/verify/${endedToken}`,
    `/verify/${verified}`,
    `/api/verify/${openToken}`,
    `/api/verify/${endedToken}`,
    `/api/verify/${verified}`,
    `/success?token=${openToken}`,
    `/success?token=${verified}`,
    reset,
    "/account/email/a-change",
  ]) {
    const [here, there] = [await from.get(path), await elsewhere.get(path)];
    expect([path, here.status, here.trips]).toEqual([path, there.status, there.trips]);
    expect(here.status).not.toBe(429);
  }
  const confirmed = await from.json("POST", `/api/verify/${openToken}`, { supervisorName: "Ingrid Solheim" });
  expect(confirmed.status).toBe(200);
  expect((await from.json("POST", "/api/user/email/a-change")).status).toBe(200);
  // An expired link does not count as a guess.
  await mailApp.db
    .prepare("UPDATE users SET reset_token_expiry = ? WHERE id = ?")
    .bind(Date.now(), owner.user.id)
    .run();
  expect((await from.get(reset)).status).toBe(400);
  const expired = await from.json("POST", `/api/auth${reset}`, body);
  expect(expired.status).toBe(400);
});

test("opening a real link is never counted, even after it was used", async () => {
  const owner = await app.register();
  const token = await owner.requestVerification((await owner.addEntry()).id);
  const { token: used } = await owner.addVerifiedEntry();
  const before = await count(app.db, "attempts", "1");
  const from = visitor(app);
  for (const path of [`/verify/${token}`, `/verify/${used}`, `/success?token=${used}`, "/success"])
    await from.get(path);
  expect(await count(app.db, "attempts", "1")).toBe(before);
});
