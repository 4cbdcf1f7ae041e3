import { pick } from "#demo/random.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { learning } from "./attacker.ts";
import { type Act, readMail, some } from "./mailbox-world.ts";

/** Picks a mailbox of the intruder, or a foreign one. */
const target = (next: () => number, own: string, foreign: string[]) => (next() < 0.6 ? own : pick(next, foreign));

/** Registers by the form, also with an address that is not theirs, and saves supervisors. */
const register: Act = async ({ app, run, next, accounts, own, foreign, known }) => {
  const browser = learning(app.as(new Map()), known);
  const mine = `new-${run}-${accounts.length}@own.example`;
  const email = target(next, mine, foreign);
  const page = await browser.get("/auth?tab=register");
  const fields = { email, password: PASSWORD, name: "Mallory", employeeNumber: "" };
  await browser.submit(page, "/auth?tab=register", fields);
  const user = await browser.get("/api/user");
  if (user.status !== 200) return; // the address has an account
  own.push(mine);
  const supervisors = [];
  for (const address of [pick(next, own), pick(next, foreign)]) {
    const facts = { name: "Ola Hansen", phone: "555", certificationLevel: "Level II", company: "Plant AS" };
    const saved = await browser.json("POST", "/api/supervisors", { ...facts, email: address });
    if (saved.status === 201) supervisors.push(saved.json<{ id: number }>().id);
  }
  const entry = { date: "2026-11-20", location: "Rig", method: "MT", hours: 8 };
  const logged = await browser.json("POST", "/api/entries", entry);
  const entries = logged.json<{ id: number }[]>().map(({ id }) => id);
  accounts.push({ user: user.json<{ id: number }>().id, email, browser, entries, supervisors, requests: [] });
};

/** Changes the account's address: to an own one by the link in that mailbox, or tries a foreign one. */
const changeAddress: Act = async (intruder, { browser }) => {
  const { run, next, own, foreign, known, anonymous } = intruder;
  const mine = `moved-${run}-${own.length}@own.example`;
  own.push(mine);
  await browser.json("POST", "/api/user/email", { email: target(next, mine, foreign), password: PASSWORD });
  await readMail(intruder);
  const path = [...known.paths].findLast((one) => one.startsWith("/account/email/"));
  if (path) return anonymous.json("POST", path.replace("/account/email", "/api/user/email"));
};

/** The intruder does nothing until the timer has come (`tickFor`). */
const wait: Act = async ({ waiting }, { user }) => waiting.push(user);

/** Opens a link of an own mailbox or uses it; also one whose number was changed. */
const follow: Act = async ({ next, known, anonymous, accounts }) => {
  const seen = some(next, [...known.paths]);
  if (!seen) return;
  const change = next() < 0.5 ? 1 : -1;
  const path =
    next() < 0.8
      ? seen
      : seen.replace(/\/(\w+)\./, (_all, id) => `/${(Number.parseInt(id, 36) + change).toString(36)}.`);
  const browser = next() < 0.7 ? anonymous : pick(next, accounts).browser;
  if (next() < 0.5) return browser.get(path);
  if (path.startsWith("/unsubscribe/")) return browser.post(path, { "List-Unsubscribe": "One-Click" });
  return browser.json("POST", `/api${path.replace("account/email", "user/email")}`, {});
};

/** The acts of an intruder with accounts, and with the emails of the timer. */
export const ACCOUNT_ACTS: Record<string, [weight: number, act: Act]> = {
  "register by the form": [1, register],
  "change the account's address": [1, changeAddress],
  "wait for the timer": [2, wait],
  "follow a link": [2, follow],
};
