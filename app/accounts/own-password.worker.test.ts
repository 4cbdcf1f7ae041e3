import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer, Client } from "#tests/worker/client.ts";
import { count } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * The rate limit on password attempts with a stolen session. Seen to fail: attempts counted for a body without a
 * password; a count by client address.
 */

const app = await startApp();
const NEW = "a brand new password";

const change = (who: Client, currentPassword: string) =>
  who.json("POST", "/api/user/password", { currentPassword, newPassword: NEW });
const remove = (who: Client, password: string) => who.json("DELETE", "/api/user", { password });

async function tenWrong(who: Client): Promise<void> {
  for (let n = 1; n <= 5; n += 1) {
    who.address = `198.51.100.${n}`;
    expect([(await change(who, "wrong")).status, (await remove(who, "wrong")).status]).toEqual([400, 400]);
  }
}

function refused(answer: Answer): void {
  const { message } = answer.json<{ message: string }>();
  expect([answer.status, message]).toEqual([429, expect.stringMatching(/^There were too many wrong passwords\./)]);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(14 * 60);
}

test("ten wrong passwords in fifteen minutes are checked, and the eleventh is refused from any address", async () => {
  const ada = await app.register();
  await tenWrong(ada);
  refused(await change(ada, PASSWORD));
  refused(await remove(ada, PASSWORD));
  const page = await ada.post("/account/password", {
    currentPassword: PASSWORD,
    newPassword: NEW,
    confirmPassword: NEW,
  });
  expect([page.status, page.headers.has("Retry-After")]).toEqual([429, true]);
  expect(textsOf(page.text, "p", 'role="alert"')[0]).toMatch(/^There were too many wrong passwords\./);
  const deletion = await ada.post("/account/delete", { password: PASSWORD });
  expect([deletion.status, deletion.trips, textsOf(deletion.text, "p", 'role="alert"').length]).toEqual([429, 2, 1]);
  await app.db
    .prepare("UPDATE attempts SET at = at - ?")
    .bind(15 * 60_000)
    .run();
  expect((await change(ada, PASSWORD)).status).toBe(200);
});

test("the limit locks neither the owner's other sessions nor their login", async () => {
  const ada = await app.register();
  await tenWrong(ada);
  const phone = app.as(new Map());
  const signIn = await phone.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  expect(signIn.status).toBe(200);
  expect((await change(phone, PASSWORD)).status).toBe(200);
});

test("a right password, a body without one and a signed-out request do not count as attempts", async () => {
  const ada = await app.register();
  const before = await count(app.db, "attempts", "1");
  await change(ada, PASSWORD);
  await change(ada, "");
  await remove(ada, "");
  await ada.post("/account/password", { currentPassword: NEW, newPassword: "short", confirmPassword: "short" });
  await remove(app.as(new Map([["session", "bWFkZSB1cA%3D%3D"]])), PASSWORD);
  expect(await count(app.db, "attempts", "1")).toBe(before);
  await remove(ada, "wrong");
  expect(await count(app.db, "attempts", "1")).toBe(before + 1);
  expect((await remove(ada, NEW)).status).toBe(200);
});

// Catches a limit that is checked before the attempt is counted: a hundred concurrent ones would all be checked.
test("ten of any number of concurrent wrong passwords are checked, and one that was turned away does not count", async () => {
  const ada = await app.register();
  const before = await count(app.db, "attempts", "1");
  let checked = 0;
  for (let round = 0; round < 30 && checked < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => remove(ada, "wrong")));
    checked += answers.filter(({ status }) => status === 400).length;
    expect(answers.filter(({ status }) => ![400, 429].includes(status))).toEqual([]);
    expect(await count(app.db, "attempts", "1")).toBe(before + checked);
  }
  expect(checked).toBe(10);
  expect((await remove(ada, PASSWORD)).json().code).toBe("rate_limited");
});
