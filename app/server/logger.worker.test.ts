import { expect, test } from "vitest";
import { type ShownEvent, startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { openEmailChange } from "#tests/worker/open-links.ts";
import { NEW_PASSWORD, PASSWORD } from "#tests/worker/people.ts";
import { worldOf } from "#tests/worker/world.ts";

/*
 * The log's lines, and the request id that a user and the log share. Catches a request without its line (seen with a
 * line written only when no error was thrown), and a response with another id. tests/worker/access.test.ts checks that
 * no line holds a secret.
 */

const app = await startApp();
const ada = await app.register();
const RAY = "8f3c0a1b2c3d4e5f";
const FAIL = { "x-fail-d1-round-trip": "1" };

function requestLine(id: string): Promise<ShownEvent[]> {
  return app.logged((line) => line.event === "request" && line.id === id);
}

test("every request is one line: method, route, status, time, id, and the user or null", async () => {
  const asked: [string, string, typeof app | typeof ada, Partial<ShownEvent>][] = [
    ["GET", "/auth", app, { route: "routes/auth", status: 200, user: null }],
    ["GET", "/profile?request=7", ada, { route: "routes/profile", status: 303, user: ada.user.id }],
    ["GET", "/api/user", ada, { route: "api/user", status: 200, user: ada.user.id }],
    ["GET", "/nothing/at/all", app, { route: "routes/not-found", status: 404, user: null }],
    ["DELETE", "/profile", ada, { method: "DELETE", route: "routes/profile", status: 405 }],
  ];
  for (const [index, [method, path, client, expected]] of asked.entries()) {
    const id = `00000000000000a${index}`;
    await client.send(method, path, { headers: { "CF-Ray": `${id}-OSL` } });
    const lines = (await requestLine(id)).filter((line) => line.id === id);
    expect(lines).toEqual([expect.objectContaining({ level: "info", ms: expect.any(Number), ...expected })]);
    expect(Object.keys(lines[0] ?? {})).toEqual([
      "level",
      "time",
      "event",
      "id",
      "method",
      "route",
      "status",
      "ms",
      "user",
    ]);
  }
});

test("a failure names its request id in a header, on its page and in its JSON message", async () => {
  const page = await ada.get("/profile", { ...FAIL, "CF-Ray": `${RAY}-OSL` });
  expect([page.status, page.headers.get("X-Request-Id")]).toEqual([500, RAY]);
  expect(textOf(page.text)).toContain(`If it happens again, tell us this reference: ${RAY}`);
  const call = await ada.get("/api/user", { ...FAIL, "CF-Ray": `${RAY}-OSL` });
  expect(call.json().message).toMatch(new RegExp(`Reference: ${RAY}$`));
  const lines = await app.logged((line) => line.event === "error" && line.path === "/api/user");
  expect(lines.filter(({ event, id }) => event === "error" && id === RAY).map(({ path }) => path)).toEqual([
    "/profile",
    "/api/user",
  ]);
});

// Catches "we don't know if your change was saved" for years of hours that were certainly not.
test("the message about a full database says what to do, and the typed text stays", async () => {
  await app.db
    .prepare(
      `CREATE TRIGGER no_room BEFORE UPDATE OF employee_number ON users WHEN NEW.id = ${ada.user.id}
      BEGIN SELECT RAISE(ABORT, 'database or disk is full: SQLITE_FULL'); END`,
    )
    .run();
  const words = "Nothing was saved: the server has no room left. Please tell the person who runs it, and try again";
  const call = await ada.json("PATCH", "/api/user", { employeeNumber: "E-77" });
  expect([call.status, call.headers.get("Retry-After"), call.json()]).toEqual([
    503,
    "60",
    { code: "unavailable", message: expect.stringContaining(words) },
  ]);
  const page = await ada.post("/account/details", { name: "Ada Lovelace", employeeNumber: "E-77" });
  expect([page.status, textOf(page.text)]).toEqual([500, expect.stringContaining(words)]);
  expect(page.text).toContain('value="E-77"');
  await app.db.prepare("DROP TRIGGER no_room").run();
});

// Catches a button's route, which has no page: anyone signed in could fill the log with errors that are none.
test("a refused button is no error in the log", async () => {
  const answer = await ada.post("/profile/record/999/withdraw", {}, { "CF-Ray": "00000000000000b1-OSL" });
  expect(answer.status).toBe(404);
  const lines = await requestLine("00000000000000b1");
  expect(lines.filter(({ id }) => id === "00000000000000b1").map(({ event }) => event)).toEqual(["request"]);
});

test("without Cloudflare a request gets a new id, and a client cannot choose it", async () => {
  const ids = new Set<string | null>();
  for (const ray of [undefined, "x", "8f3c0a1b2c3d4e5f\tOSL", "../../etc", "a".repeat(17), '","level":"none']) {
    const answer = await app.get("/nothing", ray ? { "CF-Ray": ray } : {});
    const id = answer.headers.get("X-Request-Id");
    expect([ray, id]).toEqual([ray, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    ids.add(id);
  }
  expect(ids.size).toBe(6);
});

test("a successful response carries no request id", async () => {
  for (const path of ["/auth", "/api/user", "/profile"]) {
    expect((await ada.get(path)).headers.get("X-Request-Id")).toBeNull();
  }
});

test("a request refused for its origin or its role has a line of its own, with the same id", async () => {
  await app.post("/auth", { email: "a@example.com", password: PASSWORD }, { "Sec-Fetch-Site": "cross-site" });
  await app.logged(({ what, route }) => what === "cross_site_refused" && route === "routes/auth");
  await ada.get("/admin");
  const lines = await app.logged(({ what }) => what === "admin_refused");
  const refused = lines.find(({ what }) => what === "admin_refused");
  expect(refused).toMatchObject({ level: "warn", event: "security", route: "routes/admin", user: ada.user.id });
  await requestLine(String(refused?.id));
});

test("logins, failed logins and irreversible actions have a line each, with ids and no typed text", async () => {
  const world = await worldOf(app);
  const { owner, other, admin } = world;
  const email = world.freshEmail;
  const events: Record<string, unknown>[] = [];
  const expectEvent = async (what: string, facts: object, doing: Promise<unknown>) => {
    await doing;
    const isIt = (line: ShownEvent) =>
      line.what === what && Object.entries(facts).every(([name, value]) => line[name] === value);
    events.push(...(await app.logged(isIt)).filter(isIt));
  };
  const account = { account: owner.user.id };
  await expectEvent("registered", {}, app.json("POST", "/api/auth/register", { email, password: PASSWORD }));
  await expectEvent("registration_refused", {}, app.json("POST", "/api/auth/register", { email, password: PASSWORD }));
  const credentials = (password: string) => ({ email: owner.user.email, password });
  await expectEvent("login_failed", account, app.json("POST", "/api/auth/login", credentials("not it at all")));
  const nobody = { email: "nobody@example.com", password: "not it at all" };
  await expectEvent("login_failed", { account: null }, app.json("POST", "/api/auth/login", nobody));
  await expectEvent("login", account, app.json("POST", "/api/auth/login", credentials(PASSWORD)));
  await expectEvent("reset_asked", account, app.json("POST", "/api/auth/reset-password", { email: owner.user.email }));
  await expectEvent("reset_refused", {}, app.json("POST", "/api/auth/reset-password/abc", { password: NEW_PASSWORD }));
  const reset = app.json("POST", `/api/auth/reset-password/${world.resetToken}`, { password: NEW_PASSWORD });
  await expectEvent("reset_used", { account: other.user.id }, reset);
  const asking = owner.json("POST", "/api/user/email", { email: "later@example.com", password: PASSWORD });
  await expectEvent("email_change_asked", { user: owner.user.id }, asking);
  await expectEvent("email_change_refused", {}, app.json("POST", "/api/user/email/abc"));
  await openEmailChange(app.db, owner.user, "a-change");
  const changing = app.json("POST", "/api/user/email/a-change");
  await expectEvent("email_changed", account, changing);
  const { supervisorId } = world;
  const request = owner.json("POST", `/api/verify-request/${world.entryId}`, { supervisorId });
  await expectEvent("verification_requested", { kind: "entry", record: world.entryId, user: owner.user.id }, request);
  const verifying = app.json("POST", `/api/verify/${world.token}`, { supervisorName: "Ola Hansen" });
  await expectEvent("verified", { kind: "entry", record: world.entryId, user: null }, verifying);
  const deleting = admin.json("DELETE", `/api/admin/entries/${world.othersEntryId}`);
  await expectEvent("record_deleted_by_admin", { record: world.othersEntryId, user: admin.user.id }, deleting);
  const deletingUser = admin.json("DELETE", `/api/admin/users/${other.user.id}`);
  await expectEvent("user_deleted_by_admin", { account: other.user.id, user: admin.user.id }, deletingUser);
  await expectEvent("logout", { user: null }, owner.json("POST", "/api/auth/logout", {}));

  expect(await count(app.db, "users", "id = ?", other.user.id)).toBe(0);
  expect(events.length).toBeGreaterThanOrEqual(13);
  const typed = [PASSWORD, NEW_PASSWORD, "not it", "Ola Hansen", "example.com", world.token, world.resetToken];
  for (const word of typed) expect(JSON.stringify(events)).not.toContain(word);
});
