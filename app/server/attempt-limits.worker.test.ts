import { expect, inject, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { type Answer, freshAddress } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * The rate limits of login, registration, password reset and links, each at its exact boundary. Time passes by moving
 * the counted attempts into the past. Catches: counting after the password check (a hundred concurrent attempts would
 * all be checked); `<=` in place of `<` at either end; a limit by email address alone (another person's failures would
 * lock the account); a fixed window that starts with its first attempt (nineteen failures within fifteen minutes); a
 * network whose unknown tokens block its valid links too.
 */

const app = await startApp();
const MINUTE = 60_000;

/** Returns a client that keeps one address. */
function visitor(address = freshAddress()) {
  const client = app.as(new Map());
  client.address = address;
  return client;
}

type Visitor = ReturnType<typeof visitor>;

const logIn = (from: Visitor, email: string, password = "not the password") =>
  from.json("POST", "/api/auth/login", { email, password });

/** Lets time pass for all attempts counted so far. */
async function pass(ms: number): Promise<void> {
  await app.db.prepare("UPDATE tries SET at = at - ?").bind(ms).run();
}

function refused(answer: Answer): number {
  expect([answer.status, answer.json()]).toEqual([
    429,
    { message: expect.stringMatching(/try again in (a|\d+) minute/) },
  ]);
  return Number(answer.headers.get("Retry-After"));
}

async function times<T>(n: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < n; i++) results.push(await work());
  return results;
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const all = (n: number, status: number) => Array<number>(n).fill(status);

test("ten failed logins in fifteen minutes are checked; the eleventh is refused, even with the right password", async () => {
  const began = Date.now();
  const { user } = await app.register();
  const from = visitor();
  expect(statuses(await times(10, () => logIn(from, user.email)))).toEqual(all(10, 401));
  const seconds = refused(await logIn(from, user.email, PASSWORD));
  expect(seconds).toBeGreaterThanOrEqual(15 * 60 - Math.ceil((Date.now() - began) / 1000));
  expect(seconds).toBeLessThanOrEqual(15 * 60);
});

test("a locked login affects one account from one network: other networks and other accounts still log in", async () => {
  const [{ user }, neighbour] = [await app.register(), await app.register()];
  const from = visitor();
  await times(11, () => logIn(from, user.email));
  expect((await logIn(visitor(), user.email, PASSWORD)).status).toBe(200);
  expect((await logIn(from, neighbour.user.email, PASSWORD)).status).toBe(200);
});

test("an IPv6 client gets no new attempts from another address of its own network", async () => {
  const { user } = await app.register();
  const answers = [];
  for (let i = 1; i <= 11; i++) answers.push(await logIn(visitor(`2001:db8:7:7::${i}`), user.email));
  expect(statuses(answers)).toEqual([...all(10, 401), 429]);
});

test("only failures count: successful logins are not limited", async () => {
  const { user } = await app.register();
  const from = visitor();
  const before = await count(app.db, "tries", "1");
  expect(statuses(await times(12, () => logIn(from, user.email, PASSWORD)))).toEqual(all(12, 200));
  expect(await count(app.db, "tries", "1")).toBe(before);
});

test("an unknown email address is rate limited like a known one", async () => {
  const from = visitor();
  expect(statuses(await times(11, () => logIn(from, "nobody@example.com")))).toEqual([...all(10, 401), 429]);
});

test("the window slides: an attempt is accepted again fifteen minutes after the oldest one counted, and no sooner", async () => {
  const { user } = await app.register();
  const from = visitor();
  const began = Date.now();
  await logIn(from, user.email);
  await pass(5 * MINUTE);
  await times(9, () => logIn(from, user.email));
  const seconds = refused(await logIn(from, user.email));
  expect(seconds).toBeLessThanOrEqual(10 * 60);
  expect(seconds).toBeGreaterThanOrEqual(10 * 60 - Math.ceil((Date.now() - began) / 1000));
  // A minute to spare for the request itself.
  await pass((seconds - 60) * 1000);
  expect(refused(await logIn(from, user.email))).toBeLessThanOrEqual(60);
  await pass(MINUTE);
  expect((await logIn(from, user.email)).status).toBe(401);
  refused(await logIn(from, user.email));
});

test("failures counted while the clock was a year ahead lock nobody out once the clock is right again", async () => {
  const { user } = await app.register();
  const from = visitor();
  await times(10, () => logIn(from, user.email));
  refused(await logIn(from, user.email, PASSWORD));
  await pass(-365 * 24 * 60 * MINUTE);
  expect((await logIn(from, user.email, PASSWORD)).status).toBe(200);
  await app.tick(new Date());
  expect(await count(app.db, "tries", "at > ?", Date.now() + 2 * MINUTE)).toBe(0);
});

test("of a hundred concurrent failures ten are checked", async () => {
  const { user } = await app.register();
  const from = visitor();
  const answers = await Promise.all(Array.from({ length: 100 }, () => logIn(from, user.email)));
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
  expect(statuses(answers).filter((status) => status === 429)).toHaveLength(90);
});

test("of 200 concurrent wrong logins to 200 accounts from one network, fifty are checked", async () => {
  const cheap = await startApp({ cheapHashes: true });
  const from = cheap.as(new Map());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      from.json("POST", "/api/auth/login", { email: `crew-${number}@example.com`, password: "not the password" }),
    ),
  );
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(50);
  expect(statuses(answers).filter((status) => status === 429)).toHaveLength(150);
});

/** Makes a network fail that many more times, each time at another account. */
async function fail(from: Visitor, times: number): Promise<void> {
  await logIn(from, `${crypto.randomUUID()}@example.com`);
  // The network's attempt is counted after the account's.
  const [last] = await rows<{ subject: string; at: number }>(app.db, "SELECT * FROM tries ORDER BY id DESC LIMIT 1");
  await app.db
    .prepare("INSERT INTO tries (subject, at) SELECT ?, ? FROM json_each(?)")
    .bind(last?.subject, last?.at, JSON.stringify(Array<number>(times - 1).fill(0)))
    .run();
}

test("after fifty failures in fifteen minutes a network is refused for at most fifteen, and no other network is", async () => {
  const { user } = await app.register();
  const from = visitor();
  await fail(from, 49);
  expect((await logIn(from, "fiftieth@example.com")).status).toBe(401);
  const answer = await logIn(from, user.email, PASSWORD);
  expect(refused(answer)).toBeLessThanOrEqual(15 * 60);
  expect(answer.json().message).toMatch(/^There were too many failed log-ins from your network\./);
  expect(answer.trips).toBe(1);
  expect((await logIn(visitor(), user.email, PASSWORD)).status).toBe(200);
  // Refused attempts do not count: trying again does not extend the wait.
  for (let again = 0; again < 5; again += 1) refused(await logIn(from, user.email, PASSWORD));
  await pass(15 * MINUTE);
  expect((await logIn(from, user.email, PASSWORD)).status).toBe(200);
});

test("a successful login does not count against its network, and neither does a signed-in user's password check", async () => {
  const owner = await app.register();
  const from = visitor();
  await fail(from, 49);
  for (let again = 0; again < 3; again += 1) expect((await logIn(from, owner.user.email, PASSWORD)).status).toBe(200);
  owner.address = from.address;
  const change = { currentPassword: "not the password", newPassword: "another horse battery" };
  for (let again = 0; again < 3; again += 1) {
    expect((await owner.json("POST", "/api/user/password", change)).status).toBe(400);
  }
  expect((await logIn(from, "fiftieth@example.com")).status).toBe(401);
  refused(await logIn(from, owner.user.email, PASSWORD));
});

test("a refused login hashes nothing, takes one round trip and stores nothing", async () => {
  const { user } = await app.register();
  const from = visitor();
  await times(10, () => logIn(from, user.email));
  const before = await count(app.db, "tries", "1");
  const answer = await logIn(from, user.email, PASSWORD);
  expect([answer.status, answer.trips]).toEqual([429, 1]);
  expect(await count(app.db, "tries", "1")).toBe(before);
});

test("the alert says how long to wait, and the form keeps the email address", async () => {
  const { user } = await app.register();
  const from = visitor();
  const page = await from.get("/auth");
  const send = () => from.submit(page, "/auth", { email: user.email, password: "not the password" });
  await times(10, send);
  const answer = await send();
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(textOf(answer.text)).toMatch(
    /There were too many failed log-ins\. You can reset your password instead\. Please try again in 1[0-5] minutes\./,
  );
  expect(answer.text).toContain(`value="${user.email}"`);
});

for (const [name, path] of [
  ["a verification link", () => `/verify/${crypto.randomUUID()}`],
  ["the call behind it", () => `/api/verify/${crypto.randomUUID()}`],
  ["the page after it", () => `/success?token=${crypto.randomUUID()}`],
  ["a reset link", () => `/reset-password/${crypto.randomUUID()}`],
  ["a token of no known form", () => "/verify/made-up"],
] as const) {
  test(`thirty unknown tokens in ten minutes are answered, the thirty-first is refused: ${name}`, async () => {
    const owner = await app.register();
    const token = await owner.requestVerification((await owner.addEntry()).id);
    const from = visitor();
    const answers = await times(30, () => from.get(path()));
    expect(answers.every(({ status, trips }) => (status === 404 || status === 400) && trips === 1)).toBe(true);
    const answer = await from.get(path());
    expect([answer.status, answer.trips]).toEqual([429, 1]);
    expect(textOf(answer.text)).toMatch(/from your network\. Please try again in (10|[5-9]) minutes\./);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(5 * 60);
    expect((await from.get(`/verify/${token}`)).status).toBe(200);
    await pass(10 * MINUTE);
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
  const from = mailApp.as(new Map());
  await times(30, () => from.get(`/api/verify/${crypto.randomUUID()}`));
  for (const path of ["/verify/x", "/api/verify/x", "/success?token=x", "/reset-password/x"]) {
    expect([path, (await from.get(path)).status]).toEqual([path, 429]);
  }
  const body = { password: "another horse battery" };
  expect((await from.json("POST", "/api/auth/reset-password/x", body)).status).toBe(429);

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
  ]) {
    const [here, there] = [await from.get(path), await elsewhere.get(path)];
    expect([path, here.status, here.trips]).toEqual([path, there.status, there.trips]);
    expect(here.status).not.toBe(429);
  }
  const confirmed = await from.json("POST", `/api/verify/${openToken}`, { supervisorName: "Ingrid Solheim" });
  expect(confirmed.status).toBe(200);
  // An expired link does not count as a guess.
  await mailApp.db.prepare("UPDATE users SET reset_token_expiry = ?").bind(Date.now()).run();
  expect((await from.get(reset)).status).toBe(400);
  const expired = await from.json("POST", `/api/auth${reset}`, body);
  expect(expired.status).toBe(400);
});

test("opening a real link is never counted, even after it was used", async () => {
  const owner = await app.register();
  const token = await owner.requestVerification((await owner.addEntry()).id);
  const { token: used } = await owner.addVerifiedEntry();
  const before = await count(app.db, "tries", "1");
  const from = visitor();
  for (const path of [`/verify/${token}`, `/verify/${used}`, `/success?token=${used}`, "/success"])
    await from.get(path);
  expect(await count(app.db, "tries", "1")).toBe(before);
});

test("a network can create three hundred accounts an hour and no more", async () => {
  const from = visitor();
  const register = (email: string) =>
    from.json("POST", "/api/auth/register", { email, password: PASSWORD, name: "Crew Member" });
  expect((await register("crew-1@example.com")).status).toBe(201);
  const [row] = await rows<{ subject: string; at: number }>(app.db, "SELECT * FROM tries ORDER BY id DESC LIMIT 1");
  const more = "INSERT INTO tries (subject, at) SELECT ?, ? FROM json_each(?)";
  const list = (n: number) => JSON.stringify(Array<number>(n).fill(0));
  await app.db.prepare(more).bind(row?.subject, row?.at, list(298)).run();
  expect((await register("crew-300@example.com")).status).toBe(201);
  const answer = await register("crew-301@example.com");
  expect(refused(answer)).toBeGreaterThan(50 * 60);
  expect(await count(app.db, "users", "email = ?", "crew-301@example.com")).toBe(0);
  expect(
    (await visitor().json("POST", "/api/auth/register", { email: "crew-301@example.com", password: PASSWORD })).status,
  ).toBe(201);
});

test("an address gets three reset emails an hour; the fourth request has the same answer and sends none", async () => {
  const mailApp = await startMailApp();
  const { user } = await mailApp.register();
  const ask = (email: string) => mailApp.json("POST", "/api/auth/reset-password", { email });
  const answers = await times(4, () => ask(user.email));
  const unknown = await ask("nobody@example.com");
  for (const { status, text, trips } of answers) {
    expect([status, text, trips]).toEqual([unknown.status, unknown.text, unknown.trips]);
  }
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(3);
  await mailApp.db
    .prepare("UPDATE tries SET at = at - ?")
    .bind(60 * MINUTE)
    .run();
  await ask(user.email);
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(4);
});

test("an address gets ten reset emails a day; the eleventh request has the same answer and sends none", async () => {
  const mailApp = await startMailApp();
  const { user } = await mailApp.register();
  const ask = () => mailApp.json("POST", "/api/auth/reset-password", { email: user.email });
  const answers: Answer[] = [];
  for (let n = 0; n < 14; n += 1) {
    if (n % 3 === 0) await mailApp.nextDay(60 * MINUTE);
    answers.push(await ask());
  }
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]?.text]));
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(10);
  await mailApp.nextDay();
  await ask();
  expect(await count(mailApp.db, "outbox", "user_id = ?", user.id)).toBe(11);
});

test("the table of attempts does not reveal its subjects, and it is cleared after a day", async () => {
  const from = visitor("198.51.100.77");
  await logIn(from, "somebody@example.com");
  expect(JSON.stringify(await rows(app.db, "SELECT * FROM tries"))).not.toMatch(/198\.51|somebody/);
  await app.tick(new Date());
  expect(await count(app.db, "tries", "1")).toBeGreaterThan(0);
  await app.tick(new Date(Date.now() + 24 * 60 * MINUTE));
  expect(await count(app.db, "tries", "1")).toBe(0);
});

for (const [name, settings, isOfCloudflare] of [
  ["Cloudflare's binding", { rateLimit: 5 }, true],
  ["the app's own count", { env: { REQUESTS_PER_MINUTE: "5" } }, false],
] as const) {
  // Self-hosting has no such binding.
  const runs = test.skipIf(isOfCloudflare && inject("target") === "binary");

  runs(
    `${name} refuses requests over the rate limit before any D1 call, on public routes that write and on no others`,
    async () => {
      const limited = await startApp(settings);
      const owner = await limited.register();
      const from = limited.as(new Map());
      const paths = ["/api/auth/login", "/api/auth/register", "/api/auth/reset-password"];
      const answers = await times(6, () => from.json("POST", paths[0] as string, {}));
      expect(statuses(answers)).toEqual([...all(5, 400), 429]);
      // Another spelling of the address is the same route.
      for (const path of [...paths, "/api/%61uth/login", "/API/auth/LOGIN", "/auth"]) {
        const answer = await (path === "/auth" ? from.post(path, {}) : from.json("POST", path, {}));
        expect([path, answer.status, answer.trips, answer.headers.get("Retry-After")]).toEqual([path, 429, 0, "60"]);
      }
      const page = await from.post("/reset-password", {});
      expect(textOf(page.text)).toContain(
        "There are too many requests from your network. Please try again in a minute.",
      );
      expect((await from.get("/auth")).status).toBe(200);
      expect(statuses(await times(6, () => owner.get("/api/entries")))).toEqual(all(6, 200));
    },
  );

  runs(`${name} counts each link separately: a supervisor opens theirs whatever else their network sends`, async () => {
    const limited = await startApp(settings);
    const owner = await limited.register();
    const token = await owner.requestVerification((await owner.addEntry()).id);
    const from = limited.as(new Map());
    await times(10, () => from.json("POST", "/api/auth/login", {}));
    await times(10, () => from.get("/verify/made-up"));
    expect([(await from.get("/verify/made-up")).status, (await from.get("/verify/made-up")).trips]).toEqual([429, 0]);
    expect((await from.get(`/verify/${token}`)).status).toBe(200);
    const confirmed = await from.json("POST", `/api/verify/${token}`, { supervisorName: "Ingrid Solheim" });
    expect(confirmed.status).toBe(200);
  });
}
