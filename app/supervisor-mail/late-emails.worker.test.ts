import { beforeEach, expect, test } from "vitest";
import { startMailApp } from "#tests/worker/mail.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * The daily limits of what a supervisor gets hold when emails arrive, not only when they are queued: after an outage of the
 * mail service those of yesterday and of today would arrive together.
 */

const app = await startMailApp();
const { mailChannels } = app;
const HOUR = 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

const fail = () => mailChannels.behave(() => ({ status: 503 }));
const work = () => mailChannels.behave(() => "send");

/** A technician with a supervisor, who gets no more than what is sent here. */
async function people() {
  const ada = await app.register({ email: freshEmail(), name: "Kari Nordmann" });
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const ask = async () => {
    const { id } = await ada.addEntry();
    const asked = await ada.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
    await app.idle();
    return asked.json<{ emailed: boolean; verificationToken: string }>();
  };
  const verify = async () => {
    const { verificationToken } = await ask();
    const answer = await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola H." });
    expect(answer.status).toBe(200);
    await app.idle();
  };
  const arrived = (subject: string) =>
    mailChannels.delivered.filter((mail) => mail.to === email && mail.subject.includes(subject));
  return { ada, email, ask, verify, notices: () => arrived("in your name"), requests: () => arrived("verify") };
}

async function tick(): Promise<void> {
  await app.idle();
  await app.tick(new Date());
  await app.idle();
}

test("a notice that arrives late is followed by the next one a day after it arrived", async () => {
  const { verify, notices } = await people();
  await verify();
  fail();
  await tick();
  await app.nextDay(23 * HOUR);
  await verify();
  await tick();
  work();
  await app.sweep();
  expect(notices().map(({ subject }) => subject)).toEqual(["1 record was verified in your name"]);
  await app.nextDay(2 * HOUR);
  await tick();
  expect(notices()).toHaveLength(1);
  await app.nextDay(22 * HOUR);
  await tick();
  expect(notices()).toHaveLength(2);
});

test("a notice that the mail service does not take for three days still arrives, before the next, and works for 90 days from then", async () => {
  const { verify, notices, ada } = await people();
  await verify();
  fail();
  await tick();
  for (let day = 0; day < 3; day += 1) {
    await app.nextDay();
    await app.sweep();
  }
  await verify();
  await tick();
  expect(notices()).toEqual([]);
  work();
  await app.sweep();
  await tick();
  expect(notices()).toHaveLength(1);
  await app.nextDay();
  await tick();
  expect(notices()).toHaveLength(2);
  await app.nextDay(88 * 24 * HOUR);
  for (const { text } of notices()) {
    const path = text.match(/\/disown\/\S+/)?.[0];
    expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 1 });
  }
  expect((await ada.get("/api/entries")).json()).toMatchObject([{ verified: false }, { verified: false }]);
});

test("five emails that arrive late count for the day after they arrived", async () => {
  const { ask, requests } = await people();
  fail();
  for (let n = 0; n < 5; n += 1) expect((await ask()).emailed).toBe(true);
  await app.nextDay(23 * HOUR);
  work();
  await app.sweep();
  expect(requests()).toHaveLength(5);
  await app.nextDay(2 * HOUR);
  expect((await ask()).emailed).toBe(false);
  await app.nextDay(22 * HOUR);
  expect((await ask()).emailed).toBe(true);
  expect(requests()).toHaveLength(6);
});

test("a request's email that waited for a day is no longer sent, because it no longer counts, and the technician sees that", async () => {
  const { ada, ask, requests } = await people();
  fail();
  await ask();
  await app.nextDay();
  work();
  await app.sweep();
  expect(requests()).toEqual([]);
  expect(await app.settled(ada)).toMatchObject([{ state: "failed", reason: "gave_up" }]);
});
