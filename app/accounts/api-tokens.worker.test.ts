import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn } from "#tests/worker/html.ts";
import { openEmailChange, openReset } from "#tests/worker/open-links.ts";
import { anEntry, aSupervisor, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { withToken } from "#tests/worker/tokens.ts";

/*
 * Personal API tokens: how they are made, what they may do and how they end. access-tokens.test.ts has every route.
 */

const app = await startApp();
const HOUR = 60 * 60 * 1000;

interface Token {
  id: number;
  name: string;
  access: string;
  token: string;
  createdAt: string;
  lastUsedAt: string | null;
}

async function makeToken(who: Technician, access: "read" | "write", name = "Payroll"): Promise<Token> {
  const answer = await who.json("POST", "/api/tokens", { name, access });
  expect(answer.status).toBe(201);
  return answer.json<Token>();
}

const listed = async (who: Technician) => (await who.get("/api/tokens")).json<Token[]>();

test("a token is shown once and stored as a hash", async () => {
  const kari = await app.register();
  const made = await makeToken(kari, "read", "  Payroll  ");
  expect(made).toMatchObject({ name: "Payroll", access: "read", lastUsedAt: null });
  expect(made.token).toMatch(/^ht_[\w-]{43}$/);
  const { token, ...rest } = made;
  expect(await listed(kari)).toEqual([rest]);
  expect(JSON.stringify(await rows(app.db, "SELECT * FROM api_tokens"))).not.toContain(token);
  await app.logged(({ what, token: id }) => what === "token_made" && id === made.id);
  expect(app.log.join("")).not.toContain(token);
});

test("a read token reads, and a write is 403 and changes nothing", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  const call = withToken(app, (await makeToken(kari, "read")).token);
  expect((await call("GET", "/api/user")).json()).toMatchObject({ email: kari.user.email });
  expect((await call("GET", "/api/entries")).json<{ id: number }[]>().map((entry) => entry.id)).toEqual([id]);
  for (const [method, path, body] of [
    ["POST", "/api/entries", [anEntry()]],
    ["POST", "/api/entries", "no entry"],
    ["PATCH", `/api/entries/${id}`, { hours: 1 }],
    ["DELETE", `/api/entries/${id}`, undefined],
    ["POST", "/api/supervisors", aSupervisor()],
    ["DELETE", "/api/entries/999999", undefined],
  ] as const) {
    const answer = await call(method, path, body);
    expect([method, path, answer.status]).toEqual([method, path, 403]);
    expect(answer.json().message).toContain("This token may only read.");
  }
  expect(await count(app.db, "entries", "user_id = ?", kari.user.id)).toBe(1);
  expect(await count(app.db, "supervisors", "user_id = ?", kari.user.id)).toBe(0);
});

test("a write token reads and writes what is its user's, in as many round trips as a session", async () => {
  const [kari, jan] = [await app.register(), await app.register()];
  const foreign = await jan.addEntry();
  const call = withToken(app, (await makeToken(kari, "write")).token);
  const made = await call("POST", "/api/entries", [anEntry({ location: "By a token" })]);
  expect([made.status, made.trips]).toEqual([201, 2]);
  const [entry] = made.json<{ id: number; userId: number }[]>();
  expect(entry?.userId).toBe(kari.user.id);
  const read = await call("GET", "/api/entries");
  expect([read.status, read.trips]).toEqual([200, 1]);
  expect((await call("PATCH", `/api/entries/${entry?.id}`, { hours: 3 })).status).toBe(200);
  expect((await call("PATCH", `/api/entries/${foreign.id}`, { hours: 3 })).status).toBe(404);
  expect(made.headers.getSetCookie()).toEqual([]);
});

test("no token can change the account, its password or its email address, see its sessions, or make tokens", async () => {
  const kari = await app.register();
  const own = await makeToken(kari, "write");
  const call = withToken(app, own.token);
  for (const [method, path, body] of [
    ["PATCH", "/api/user", { name: "Another Name" }],
    ["DELETE", "/api/user", { password: PASSWORD }],
    ["POST", "/api/user/password", { currentPassword: PASSWORD, newPassword: "a brand new password" }],
    ["POST", "/api/user/password", {}],
    ["POST", "/api/user/email", { email: "new@example.com", password: PASSWORD }],
    ["GET", "/api/user/sessions", undefined],
    ["DELETE", "/api/user/sessions", undefined],
    ["GET", "/api/tokens", undefined],
    ["POST", "/api/tokens", { name: "Another", access: "write" }],
    ["DELETE", `/api/tokens/${own.id}`, undefined],
  ] as const) {
    const answer = await call(method, path, body);
    expect([method, path, answer.status, answer.json().message]).toEqual([
      ...[method, path, 403],
      expect.stringContaining("A token cannot do this."),
    ]);
  }
  expect((await kari.get("/api/user")).json()).toMatchObject({ name: kari.user.name, email: kari.user.email });
  expect(await listed(kari)).toHaveLength(1);
});

test("with an Authorization header cookies are ignored, and a wrong one is 401", async () => {
  const [kari, jan] = [await app.register(), await app.register()];
  const { token } = await makeToken(kari, "read");
  const asJan = withToken(jan, token);
  expect((await asJan("GET", "/api/user")).json()).toMatchObject({ email: kari.user.email });
  for (const Authorization of [
    "Bearer wrong",
    "Bearer",
    "Basic amFuOnB3",
    `Basic ${token}`,
    token,
    `Bearer ${token} x`,
  ]) {
    const answer = await jan.get("/api/user", { Authorization });
    expect([Authorization, answer.status, answer.json()]).toEqual([
      Authorization,
      401,
      { code: "unauthorized", message: "Unauthorized" },
    ]);
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
  }
  expect((await jan.get("/api/user", { Authorization: `bearer  ${token}` })).status).toBe(200);
});

test("an empty Authorization header is none: the cookies count", async () => {
  const jan = await app.register();
  for (const Authorization of ["", " "]) {
    const answer = await jan.get("/api/user", { Authorization });
    expect([answer.status, answer.json()]).toMatchObject([200, { email: jan.user.email }]);
  }
  await jan.send("POST", "/api/auth/logout", { headers: { Authorization: "" } });
  expect((await jan.get("/api/user")).status).toBe(401);
});

// Seen: behind a proxy that asks for a password, signing out said that it was done and ended nothing.
test("signing in and out ends the session of the cookie, whatever Authorization says", async () => {
  const [kari, jan] = [await app.register(), await app.register()];
  const { token } = await makeToken(kari, "write");
  for (const Authorization of ["Basic amFuOnB3", `Bearer ${token}`]) {
    const credentials = { email: jan.user.email, password: PASSWORD };
    for (const [call, body] of [
      ["login", credentials],
      ["logout", {}],
    ] as const) {
      const before = jan.as(new Map(jan.cookies));
      expect((await before.get("/api/user")).status).toBe(200);
      expect((await jan.json("POST", `/api/auth/${call}`, body, { Authorization })).status).toBe(200);
      expect([Authorization, call, (await before.get("/api/user")).status]).toEqual([Authorization, call, 401]);
    }
    await jan.json("POST", "/api/auth/login", credentials);
  }
});

test("a page takes no token: with one it is the page of the cookies, or of nobody", async () => {
  const [kari, jan] = [await app.register(), await app.register()];
  const { token } = await makeToken(kari, "write");
  const headers = { Authorization: `Bearer ${token}` };
  expect((await app.get("/profile", headers)).location).toBe("/auth");
  const page = await jan.get("/account", headers);
  expect([page.status, page.text.includes(jan.user.email), page.text.includes(kari.user.email)]).toEqual([
    200,
    true,
    false,
  ]);
});

test("an ended token, and one of a deleted account, is 401", async () => {
  const kari = await app.register();
  const [one, other] = [await makeToken(kari, "read"), await makeToken(kari, "write")];
  expect((await kari.json("DELETE", `/api/tokens/${one.id}`)).json()).toEqual({ message: "Token ended" });
  expect((await withToken(app, one.token)("GET", "/api/user")).status).toBe(401);
  expect((await withToken(app, other.token)("GET", "/api/user")).status).toBe(200);
  expect((await kari.json("DELETE", "/api/user", { password: PASSWORD })).status).toBe(200);
  expect((await withToken(app, other.token)("GET", "/api/user")).status).toBe(401);
  expect(await count(app.db, "api_tokens", "user_id = ?", kari.user.id)).toBe(0);
});

/** What a token answers now: 200, or 401 once it has ended. */
const statusOf = async (token: string) => (await withToken(app, token)("GET", "/api/user")).status;

const NEW = "a brand new password";
const NEW_PASSWORDS: [way: string, set: (who: Technician) => Promise<Answer>, accepted: number][] = [
  [
    "a change by a call",
    (who) => who.json("POST", "/api/user/password", { currentPassword: PASSWORD, newPassword: NEW }),
    200,
  ],
  [
    "a change on the page",
    (who) => who.post("/account/password", { currentPassword: PASSWORD, newPassword: NEW, confirmPassword: NEW }),
    303,
  ],
  [
    "a reset",
    async ({ user }) => {
      const link = crypto.randomUUID();
      await openReset(app.db, user.id, link);
      return app.json("POST", `/api/auth/reset-password/${link}`, { password: NEW });
    },
    200,
  ],
];

test.each(NEW_PASSWORDS)(
  "a new password ends all tokens of its user and nobody else's: %s",
  async (_, set, accepted) => {
    const [kari, jan] = [await app.register(), await app.register()];
    const [read, write, other] = [
      await makeToken(kari, "read"),
      await makeToken(kari, "write"),
      await makeToken(jan, "read"),
    ];
    const wrong = { currentPassword: "a wrong password", newPassword: NEW };
    expect((await kari.json("POST", "/api/user/password", wrong)).status).toBe(400);
    expect(await statusOf(read.token)).toBe(200);
    expect((await set(kari)).status).toBe(accepted);
    expect([await statusOf(read.token), await statusOf(write.token), await statusOf(other.token)]).toEqual([
      401, 401, 200,
    ]);
    expect(await count(app.db, "api_tokens", "user_id = ?", kari.user.id)).toBe(0);
  },
);

test("ending the sessions, logging out and a change of the email address end no token", async () => {
  const kari = await app.register();
  const { token } = await makeToken(kari, "read");
  expect((await kari.json("DELETE", "/api/user/sessions")).status).toBe(200);
  const link = crypto.randomUUID();
  await openEmailChange(app.db, kari.user, link);
  expect((await app.json("POST", `/api/user/email/${link}`)).status).toBe(200);
  expect((await kari.json("POST", "/api/auth/logout")).status).toBe(200);
  expect(await statusOf(token)).toBe(200);
});

test("a read token gets no link and no code; a write token and a session get them", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  const link = await kari.requestVerification(id, (await kari.addSupervisor()).id);
  const [read, write] = [await makeToken(kari, "read"), await makeToken(kari, "write")];
  const linkOf = async (token: string) => {
    const [request] = (await withToken(app, token)("GET", "/api/verification-requests")).json<
      Record<string, unknown>[]
    >();
    return [request?.verificationToken, request?.verificationUrl];
  };
  expect(await linkOf(read.token)).toEqual([null, null]);
  expect(await linkOf(write.token)).toEqual([link, `http://localhost/verify/${link}`]);
  const file = (await withToken(app, read.token)("GET", "/api/export.json")).json<{ requests: object[] }>();
  expect(file.requests).toEqual([expect.objectContaining({ verificationToken: null })]);
});

test("the last use is noted at most once an hour, also by a refused call, and a clock that was ahead does not stop it", async () => {
  const kari = await app.register();
  const { id, token } = await makeToken(kari, "read");
  const call = withToken(app, token);
  const used = async () => Date.parse((await listed(kari))[0]?.lastUsedAt ?? "");
  const setUsed = (at: number) =>
    app.db.prepare("UPDATE api_tokens SET last_used_at = ? WHERE id = ?").bind(at, id).run();
  expect(await used()).toBeNaN();
  await call("DELETE", "/api/entries/1");
  expect(Date.now() - (await used())).toBeLessThan(60_000);
  const recent = Date.now() - HOUR + 60_000;
  await setUsed(recent);
  await call("GET", "/api/user");
  expect(await used()).toBe(recent);
  for (const at of [Date.now() - HOUR, Date.now() + 24 * HOUR]) {
    await setUsed(at);
    await call("GET", "/api/user");
    expect(Math.abs(Date.now() - (await used()))).toBeLessThan(60_000);
  }
});

test("a network that sends 30 unknown tokens gets 429, and a valid token still works there", async () => {
  const kari = await app.register();
  const { token } = await makeToken(kari, "read");
  const thief = kari.as(new Map());
  for (let number = 0; number < 30; number += 1) {
    expect((await withToken(thief, `ht_${number}`)("GET", "/api/user")).status).toBe(401);
  }
  const refused = await withToken(thief, "ht_30")("GET", "/api/user");
  expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect((await withToken(thief, token)("GET", "/api/user")).status).toBe(200);
  // Not those that may not do it.
  expect((await withToken(thief, token)("POST", "/api/tokens", {})).status).toBe(403);
});

test("an admin's read token reads the admin lists, and only a write token deletes", async () => {
  const admin = await app.register({ isAdmin: true });
  const { id } = await (await app.register()).addEntry();
  const read = withToken(app, (await makeToken(admin, "read")).token);
  expect((await read("GET", "/api/admin/users")).status).toBe(200);
  expect((await read("DELETE", `/api/admin/entries/${id}`)).status).toBe(403);
  const write = withToken(app, (await makeToken(admin, "write")).token);
  expect((await write("DELETE", `/api/admin/entries/${id}`)).status).toBe(200);
  const nobody = withToken(app, (await makeToken(await app.register(), "write")).token);
  expect((await nobody("GET", "/api/admin/users")).status).toBe(403);
});

test("a technician cannot verify their own hours with a token", async () => {
  const kari = await app.register();
  const { id } = await kari.addEntry();
  const link = await kari.requestVerification(id, (await kari.addSupervisor()).id);
  for (const access of ["read", "write"] as const) {
    const call = withToken(app, (await makeToken(kari, access)).token);
    expect((await call("POST", `/api/verify/${link}`, { supervisorName: "Ola Hansen" })).status).toBe(403);
  }
});

test("a cross-site call with a token is 403 before the token is looked at", async () => {
  const answer = await withToken(app, "ht_x")("GET", "/api/user", undefined, { "Sec-Fetch-Site": "cross-site" });
  expect(answer.status).toBe(401); // a safe method passes
  const write = await withToken(app, "ht_x")("POST", "/api/entries", [], { "Sec-Fetch-Site": "cross-site" });
  expect([write.status, write.trips]).toEqual([403, 0]);
});

test("50 tokens are enough, also of concurrent requests", async () => {
  const kari = await app.register();
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, number) => kari.json("POST", "/api/tokens", { name: `${number}`, access: "read" })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  const refused = answers.filter(({ status }) => status === 409);
  expect([refused.length, refused[0]?.json().message]).toEqual([5, expect.stringContaining("You have 50 tokens.")]);
});

test("without script a token is made on a page, which shows it once; the same form sent again makes none", async () => {
  const kari = await app.register();
  const { action } = formIn((await kari.get("/account/tokens")).text, "/account/tokens");
  expect(action).toMatch(/^\/account\/tokens\/[\w-]{36}$/);
  const wrong = await kari.post(action, { name: "", access: "read" });
  expect([wrong.status, wrong.text.includes("Name is required")]).toEqual([400, true]);
  const made = await kari.post(action, { name: "Payroll", access: "write" });
  const [, token = ""] = /(ht_[\w-]{43})</.exec(made.text) ?? [];
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect((await withToken(app, token)("GET", "/api/user")).status).toBe(200);
  const again = await kari.post(action, { name: "Payroll", access: "write" });
  expect([again.status, again.text.includes("This token was made already")]).toEqual([409, true]);
  const account = await kari.get("/account");
  expect([account.text.includes("Payroll"), account.text.includes(token)]).toEqual([true, false]);
  const [one] = await listed(kari);
  expect((await kari.post("/account/end-token", { token: String(one?.id) })).location).toBe("/account");
  expect((await withToken(app, token)("GET", "/api/user")).status).toBe(401);
});
