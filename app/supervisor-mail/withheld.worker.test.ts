import { beforeEach, expect, test } from "vitest";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * A request whose email was withheld causes no email in another way. A technician can open every link of their own and answer it
 * with any name, so a notice or a reminder to an address that had no email from them counts as one to a new address.
 */

const app = await startMailApp();
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;
const TYPED = "Call 0800 of Lottery Winners";

beforeEach(() => mailChannels.reset());

async function tick(at = new Date()): Promise<void> {
  await app.idle();
  await app.tick(at);
  await app.idle();
}

/** Asks a supervisor at a new address about a new entry. */
async function ask(who: Technician, email = freshEmail()) {
  const { id } = await who.addEntry();
  const supervisor = await who.addSupervisor({ email });
  const answer = await who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  return { email, ...answer.json<{ emailedReason: string | null; verificationToken: string }>() };
}

async function askMany(who: Technician, n: number) {
  const asked = [];
  for (let i = 0; i < n; i += 1) asked.push(await ask(who));
  await app.idle();
  return asked;
}

const verify = (token: string) => app.json("POST", `/api/verify/${token}`, { supervisorName: TYPED });

/** Returns which of these addresses an email with these words in its subject reached. */
function reached(asked: { email: string }[], words: string): string[] {
  const found = mailChannels.delivered.filter(({ subject }) => subject.includes(words)).map(({ to }) => to);
  return asked.flatMap(({ email }) => (found.includes(email) ? [email] : []));
}

test("an unconfirmed account that answers its own links causes no notice where its requests were withheld, until it confirms its address", async () => {
  const who = await app.register({ isConfirmed: false, email: freshEmail(), name: TYPED });
  const asked = await askMany(who, 30);
  expect(asked.map(({ emailedReason }) => emailedReason)).toEqual([
    ...Array(3).fill(null),
    ...Array(27).fill("unconfirmed"),
  ]);
  for (const { verificationToken } of asked) expect((await verify(verificationToken)).status).toBe(200);
  const pageOf = async (n: number) => textOf((await app.get(`/success?token=${asked[n]?.verificationToken}`)).text);
  for (let day = 0; day < 2; day += 1) {
    await tick();
    await tick();
    expect(reached(asked, "in your name")).toEqual(asked.slice(0, 3).map(({ email }) => email));
    await app.nextDay();
  }
  const promise = "The address that was asked gets an email about this";
  expect([(await pageOf(0)).includes(promise), (await pageOf(3)).includes(promise)]).toEqual([true, false]);

  // Now they are new addresses of a confirmed account: twenty a day.
  await app.db.prepare("UPDATE users SET email_confirmed_at = 1 WHERE id = ?").bind(who.user.id).run();
  const notices = [];
  for (let day = 0; day < 2; day += 1) {
    for (let run = 0; run < 3; run += 1) await tick();
    notices.push(reached(asked, "in your name").length);
    await app.nextDay();
  }
  expect(notices).toEqual([23, 30]);
});

test("a technician who answers their own links causes no notice to more than twenty new addresses a day, counted with the requests", async () => {
  const who = await app.register({ email: freshEmail(), name: TYPED });
  const asked = await askMany(who, 25);
  expect(asked.filter(({ emailedReason }) => emailedReason === "limit")).toHaveLength(5);
  for (const { verificationToken } of asked) expect((await verify(verificationToken)).status).toBe(200);
  for (let run = 0; run < 3; run += 1) await tick();
  expect(reached(asked, "in your name")).toEqual(asked.slice(0, 20).map(({ email }) => email));
  await app.nextDay();
  for (let run = 0; run < 2; run += 1) await tick();
  // Supervisors get the notice of verifications in their name also where the request's own email was over a limit.
  expect(reached(asked, "in your name")).toHaveLength(25);
  expect((await ask(who)).emailedReason).toBeNull();
});

test("emails of requests over the limit of new addresses go out by themselves, to twenty new addresses a day", async () => {
  const who = await app.register({ email: freshEmail(), name: TYPED });
  const asked = await askMany(who, 45);
  const withheld = asked.slice(20);
  expect(withheld.every(({ emailedReason }) => emailedReason === "limit")).toBe(true);
  // From a Wednesday on, because no reminder goes out on a weekend.
  const sixth = new Date().setUTCHours(11, 0, 0, 0) + 6 * DAY;
  const noon = (days: number) => new Date(sixth + (((3 - new Date(sixth).getUTCDay() + 7) % 7) + days) * DAY);
  const first = [];
  for (const days of [0, 1, 2]) {
    for (let run = 0; run < 4; run += 1) await tick(noon(days));
    first.push(reached(withheld, "").length); // of those that wait until then, the first email is the reminder
    expect(reached(asked.slice(0, 20), "Reminder")).toHaveLength(20);
  }
  expect(first).toEqual([20, 25, 25]);
});

test("a notice counts to no limit of the request that follows it", async () => {
  const who = await app.register({ email: freshEmail() });
  const { id } = await who.addEntry();
  const { id: supervisorId } = await who.addSupervisor({ email: freshEmail() });
  await app.json("POST", `/api/verify/${await who.requestVerification(id, supervisorId)}`, { supervisorName: "Ola" });
  await app.nextDay();
  await tick();
  const path = mailChannels.delivered.at(-1)?.text.match(/\/disown\/\S+/)?.[0];
  expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 1 });
  const again = await who.json("POST", `/api/verify-request/${id}`, { supervisorId });
  expect(again.json()).toMatchObject({ emailed: true });
});
