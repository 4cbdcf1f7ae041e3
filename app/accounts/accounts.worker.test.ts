import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { messageOf } from "#tests/worker/html.ts";
import { PASSWORD, type User } from "#tests/worker/people.ts";

const app = await startApp();

let fresh = 0;
function registration(over: Record<string, unknown> = {}) {
  fresh += 1;
  return { email: `somebody-${fresh}@example.com`, password: PASSWORD, ...over };
}

function register(over: Record<string, unknown> = {}) {
  return app.json("POST", "/api/auth/register", registration(over));
}

function logIn(email: string, password = PASSWORD) {
  return app.json("POST", "/api/auth/login", { email, password });
}

async function storedUser(email: string) {
  const [user] = await rows(app.db, "SELECT * FROM users WHERE email = ?", email);
  return user;
}

test("an email address is trimmed and compared without regard to case", async () => {
  const answer = await register({ email: "  Kari.Nordmann@Example.COM \n" });
  expect([answer.status, answer.json<User>().email]).toEqual([201, "kari.nordmann@example.com"]);
  expect(await storedUser("kari.nordmann@example.com")).toBeDefined();
  expect((await logIn(" KARI.nordmann@example.com ")).status).toBe(200);
});

test("an email address has one account: a second registration is answered 409 and changes nothing", async () => {
  const { email } = (await app.register()).user;
  const before = await storedUser(email);
  const answer = await register({ email: email.toUpperCase(), name: "Somebody Else" });
  expect(answer.status).toBe(409);
  expect(answer.json()).toEqual({
    code: "email_taken",
    message: "That email address already has an account. Log in instead.",
  });
  expect(answer.setCookie("session")).toBeUndefined();
  expect(await storedUser(email)).toEqual(before);
});

test("a password is used as typed: spaces and case count", async () => {
  const { email } = (await register({ password: " Caf\u00e9 Olé " })).json<User>();
  expect((await logIn(email, "Caf\u00e9 Olé")).status).toBe(401);
  expect((await logIn(email, " caf\u00e9 olé ")).status).toBe(401);
  // Another keyboard may send the same letters as different code points.
  expect((await logIn(email, " Cafe\u0301 Olé ")).status).toBe(200);
});

test("a password is stored as a salted scrypt hash in PHC form", async () => {
  const users = [(await register()).json<User>(), (await register()).json<User>()];
  const hashes = await Promise.all(users.map(async ({ email }) => String((await storedUser(email))?.password)));
  for (const hash of hashes) expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(new Set(hashes).size).toBe(2);
});

test("a name in any script is stored as it was typed", async () => {
  const name = "👩‍🚀 Zoë Ñandú 李'); DROP TABLE users;--";
  const answer = await register({ name: `  ${name} `, employeeNumber: " 0042 " });
  const { id, email, ...rest } = answer.json<User>();
  expect(rest).toMatchObject({ name, employeeNumber: "0042" });
  expect(await storedUser(email)).toMatchObject({ id, name, employee_number: "0042" });
});

test("the page and the API apply the same registration rules, those of the schema (user.schema.test.ts)", async () => {
  const wrong = registration({ name: "😀", password: "😀".repeat(7) });
  const call = await app.json("POST", "/api/auth/register", wrong);
  expect(call.json<{ errors: unknown }>().errors).toEqual([
    { path: "password", message: "Password must be at least 8 characters" },
    { path: "name", message: "Name must be at least 2 characters" },
  ]);
  const page = await app.post("/auth?tab=register", wrong as Record<string, string>);
  expect([page.status, messageOf(page.text, "password"), messageOf(page.text, "name")]).toEqual([
    400,
    "Password must be at least 8 characters",
    "Name must be at least 2 characters",
  ]);
  expect(await storedUser(wrong.email)).toBeUndefined();
});

test("a registration cannot set the admin flag or any other field that is not the user's to set", async () => {
  const answer = await register({ isAdmin: true, is_admin: 1, id: 4711, resetToken: "x", createdAt: "1999-01-01" });
  const { id, email, isAdmin } = answer.json<User>();
  expect([answer.status, isAdmin]).toEqual([201, false]);
  expect(await storedUser(email)).toMatchObject({ id, is_admin: 0, reset_token: null });
  expect(id).not.toBe(4711);
});

test("an unknown email address and a wrong password get the same answer", async () => {
  const { email } = (await app.register()).user;
  const [wrongPassword, wrongEmail] = [await logIn(email, "not the password"), await logIn("nobody@example.com")];
  expect([wrongPassword.status, wrongPassword.json()]).toEqual([
    401,
    { code: "invalid_credentials", message: "Invalid email or password" },
  ]);
  expect([wrongEmail.status, wrongEmail.text]).toEqual([wrongPassword.status, wrongPassword.text]);
  expect([...wrongEmail.headers.keys()]).toEqual([...wrongPassword.headers.keys()]);
  expect(wrongPassword.setCookie("session")).toBeUndefined();
});

// Catches a response built from the whole row in place of `userColumns`, and a message that repeats the input.
test("no response holds a password, its hash, or a session token outside its cookie", async () => {
  const password = "Tr0ub4dor&3-secret";
  const registered = await register({ password });
  const { email } = registered.json<User>();
  const kari = app.as(new Map());
  const answers = [
    registered,
    await register({ email, password }),
    await register({ email: "wrong", password }),
    await kari.json("POST", "/api/auth/login", { email, password }),
    await logIn(email, `${password}?`),
    await kari.get("/api/user"),
    await kari.get("/profile"),
    await app.post("/auth", { email, password: `${password}?` }),
    await app.post("/auth?tab=register", { email, password }),
  ];
  const [session] = kari.cookies.values();
  for (const { text } of answers) {
    for (const secret of [password, "scrypt", session, atob(decodeURIComponent(session ?? "")).slice(1, -1)]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(app.log.join("")).not.toContain(password);
});
