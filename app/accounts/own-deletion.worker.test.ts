import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

const app = await startApp();
const WRONG = "That is not your current password";

const remove = (who: Technician, password = PASSWORD) => who.json("DELETE", "/api/user", { password });

/** Counts the rows that belong to a user, by table, over all tables that refer to users. */
async function rowsOf({ user }: Technician): Promise<Record<string, number>> {
  const tables = await rows<{ name: string }>(
    app.db,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES users%'",
  );
  const found = await Promise.all(
    tables.map(async ({ name }): Promise<[string, number]> => {
      const [row] = await rows<{ n: number }>(app.db, `SELECT count(*) AS n FROM ${name} WHERE user_id = ?`, user.id);
      return [name, row?.n ?? -1];
    }),
  );
  return Object.fromEntries(found);
}

async function somebodyWithAll(): Promise<Technician> {
  const ada = await app.register();
  await ada.addVerifiedEntry();
  await ada.addEntries(2);
  await ada.addRopeHours();
  return ada;
}

test("deleting an account deletes all its data and no other account's", async () => {
  const [ada, bob] = [await somebodyWithAll(), await somebodyWithAll()];
  const before = await rowsOf(bob);
  expect(await rowsOf(ada)).toMatchObject({ records: 4, supervisors: 1, sessions: 1 });
  const answer = await remove(ada);
  expect([answer.status, answer.json(), answer.trips]).toEqual([200, { message: "Account deleted" }, 2]);
  expect(answer.setCookie("session")).toMatch(/^session=; Max-Age=0;/);
  expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect(Object.values(await rowsOf(ada)).every((n) => n === 0)).toBe(true);
  expect(await rowsOf(bob)).toEqual(before);
  const signIn = await app.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  expect(signIn.status).toBe(401);
  expect((await app.json("POST", "/api/auth/register", { email: ada.user.email, password: PASSWORD })).status).toBe(
    201,
  );
});

test("the audit log of a verification outlives the account, without its owner's personal data", async () => {
  const ada = await somebodyWithAll();
  const logged = () => rows(app.db, "SELECT * FROM verification_log");
  const before = await logged();
  expect(before.length).toBeGreaterThan(0);
  expect((await remove(ada)).status).toBe(200);
  expect(await logged()).toEqual(before);
  expect(JSON.stringify(before)).not.toContain(ada.user.email);
});

test("a wrong password deletes nothing and is reported on its field", async () => {
  const ada = await app.register();
  const answer = await remove(ada, "wrong");
  expect([answer.status, answer.json()]).toEqual([
    400,
    { code: "wrong_password", message: WRONG, errors: [{ path: "password", message: WRONG }] },
  ]);
  expect((await ada.get("/api/user")).status).toBe(200);
});

test("an admin cannot delete their own account, by page or API, and reads who can", async () => {
  const admin = await app.register({ isAdmin: true });
  const answer = await remove(admin);
  const message = "An admin can't delete their own account. Another admin can delete it.";
  expect([answer.status, answer.json()]).toEqual([409, { code: "last_admin", message }]);
  const page = await admin.get("/account/delete");
  expect(textOf(page.text)).toContain(message);
  expect(() => formIn(page.text, "/account/delete")).toThrow();
  const sent = await admin.post("/account/delete", { password: PASSWORD });
  expect([sent.status, sent.location]).toEqual([303, "/account/delete"]);
  expect((await admin.get("/api/user")).status).toBe(200);
});

test("the second of a concurrent deletion and password change is refused because the password no longer matches", async () => {
  for (let round = 1; round <= 5; round += 1) {
    const ada = await app.register();
    const [deleted, changed] = await Promise.all([
      remove(ada),
      ada.json("POST", "/api/user/password", { currentPassword: PASSWORD, newPassword: "a brand new password" }),
    ]);
    const isLeft = (await ada.get("/api/user")).status === 200;
    expect([isLeft, deleted.status, changed.status]).toEqual(isLeft ? [true, 400, 200] : [false, 200, 401]);
  }
});

test("the page says how much is deleted, what is kept, and how to export the hours first", async () => {
  const ada = await somebodyWithAll();
  await app.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  const page = await ada.get("/account/delete");
  expect([page.status, page.trips]).toEqual([200, 1]);
  const text = textOf(page.text);
  expect(text).toContain(
    "OJT entries 3 Verified entries 1 Rope hours records 1 Training records 0 Certificates and tests 0 Supervisors 1 Sessions 2",
  );
  expect(text).toContain("We keep the log of each verification");
  expect(page.text).toContain('<a href="/profile">export them as PDF</a>');
});

test("the form asks for the password, deletes the account, and confirms it on /auth", async () => {
  const ada = await somebodyWithAll();
  const page = await ada.get("/account/delete");
  const send = (password: string) => ada.submit(page, "/account/delete", { password }, "Delete Account");
  for (const [password, message] of [
    ["", "Password is required"],
    ["wrong", WRONG],
  ] as const) {
    const refused = await send(password);
    expect([refused.status, messageOf(refused.text, "password")]).toEqual([400, message]);
    expect(refused.trips).toBeLessThanOrEqual(2);
  }
  const done = await send(PASSWORD);
  expect([done.status, done.location, done.trips]).toEqual([303, "/auth", 2]);
  expect(done.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect(ada.cookies.has("session")).toBe(false);
  const end = await ada.follow(done);
  expect(textsOf(end.text, "div", 'role="status"')).toEqual(["Account deleted Your data has been deleted."]);
  // A double tap: the second request is signed out.
  expect((await send(PASSWORD)).location).toBe("/auth");
});
