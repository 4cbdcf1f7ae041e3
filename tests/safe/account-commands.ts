import { expect } from "vitest";
import { openReset } from "#tests/worker/open-links.ts";
import { forget } from "./model.ts";
import { command, personOf, readClient } from "./model-command.ts";

export const register = (number: number, password: string) =>
  command(`person ${number} registers`, async (model, real) => {
    const person = personOf(model, number);
    const client = readClient(real, number);
    const answer = await client.json("POST", "/api/auth/register", { email: person.email, password });
    expect(answer.status).toBe(person.account ? 409 : 201);
    if (person.account) return;
    person.account = { id: answer.json<{ id: number }>().id, password };
    person.isSignedIn = true;
  });

export const logIn = (number: number, isRight: boolean) =>
  command(`person ${number} logs in${isRight ? "" : " with a wrong password"}`, async (model, real) => {
    const person = personOf(model, number);
    const password = isRight ? (person.account?.password ?? "no such account") : "wrong password";
    const answer = await readClient(real, number).post("/auth", { email: person.email, password });
    const isIn = isRight && person.account !== null;
    expect(answer.status).toBe(isIn ? 303 : 401);
    if (isIn) person.isSignedIn = true;
  });

export const logOut = (number: number) =>
  command(`person ${number} logs out`, async (model, real) => {
    await readClient(real, number).post("/logout", {});
    personOf(model, number).isSignedIn = false;
  });

export const reset = (number: number, password: string, isLost: boolean) =>
  command(`person ${number} resets the password${isLost ? ", and the answer is lost" : ""}`, async (model, real) => {
    const { account } = personOf(model, number);
    if (!account) return;
    const token = crypto.randomUUID();
    await openReset(real.app.db, account.id, token);
    const use = (headers = {}) =>
      real.anonymous.json("POST", `/api/auth/reset-password/${token}`, { password }, headers);
    if (isLost) expect((await use({ "x-fail-d1-round-trip": "2 after" })).status).toBe(500);
    expect((await use()).status).toBe(isLost ? 400 : 200);
    account.password = password;
    personOf(model, number).isSignedIn = false;
  });

export const adminDeletesUser = (number: number) =>
  command(`the admin deletes person ${number}`, async (model, real) => {
    const { account } = personOf(model, number);
    const answer = await real.admin.json("DELETE", `/api/admin/users/${account?.id ?? 999_999}`);
    expect(answer.status).toBe(account ? 200 : 404);
    forget(model, number);
  });
