import { beforeEach, expect, test } from "vitest";
import { count } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/*
 * From a verification request to the supervisor's mailbox, without faults; those are in
 * tests/worker/mail-faults.test.ts.
 */

const app = await startMailApp();
const { mailChannels } = app;

beforeEach(async () => {
  await app.db.prepare("DELETE FROM outbox").run();
  mailChannels.reset();
});

test("a verification request is emailed once to the supervisor, with its link and the technician's address in the text", async () => {
  const ada = await app.register({ name: "Ada & <b>Łódź</b>" });
  const { id } = await ada.addEntry({ location: "Dock <4>" });
  const supervisor = await ada.addSupervisor({ email: "ola@example.org" });
  const token = await ada.requestVerification(id, supervisor.id);
  expect(await app.settled(ada)).toMatchObject([{ kind: "verification_requested", state: "sent", attempts: 1 }]);
  expect(mailChannels.delivered).toHaveLength(1);
  const [mail] = mailChannels.delivered;
  // A quoted reply would carry the link's second secret to the technician.
  expect(mail).toMatchObject({ to: "ola@example.org", replyTo: undefined, from: "hours@example.com" });
  for (const body of [mail?.text, mail?.html]) {
    expect(body).toMatch(new RegExp(`http://hours\\.example\\.com/verify/${token}\\?m=[\\w-]{22}[\\s"<]`));
    expect(body).toContain(ada.user.email);
    expect(body).toMatch(/20 Nov 2026/);
  }
  expect(mail?.html).toContain("Ada &amp; &lt;b&gt;Łódź&lt;/b&gt;");
  expect(mail?.html).not.toContain("<b>");
  await app.sweep();
  expect(mailChannels.received).toHaveLength(1);
});

test("text that looks like a link appears in no subject, greeting or address line, and is not clickable in the body", async () => {
  const spam = "Your parcel is waiting http://evil.example/a";
  const ada = await app.register({ name: spam, employeeNumber: "www.evil.example" });
  const [entry, rope] = [
    await ada.addEntry({ location: `${spam} evil。example` }),
    await ada.addRopeHours({ skills: `Rescue\n${spam}` }),
  ];
  const { id: supervisorId } = await ada.addSupervisor({ name: "Win at ｗｗｗ．evil．example" });
  const { verificationToken: token } = (
    await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId })
  ).json<{ verificationToken: string }>();
  await ada.json("POST", `/api/verify-request-rope/${rope.id}`, { supervisorId });
  await app.idle();
  await app.json("POST", `/api/verify/${token}`, { supervisorName: spam });
  await app.json("POST", "/api/auth/reset-password", { email: ada.user.email });
  await app.sweep();
  expect(mailChannels.delivered.map(({ subject }) => subject).sort()).toEqual([
    "1 record was verified in your name",
    "A technician asks you to verify 38.5 rope hours",
    "A technician asks you to verify 7.5 OJT hours",
    "Reset your Hours Tracker password",
    "Your OJT hours of 20 Nov 2026 were verified",
  ]);
  for (const { text, html, names } of mailChannels.delivered) {
    for (const body of [text, html]) expect(body).not.toMatch(/evil[.．。]|:\/\/evil|[wｗ]{3}[.．]/);
    expect(text).toMatch(/^Hello,\n/);
    expect(names).toEqual([]);
  }
  expect(mailChannels.delivered[0]?.text).toContain("http[:]//evil[.]example/a evil[.]example");
});

test("queueing the email of a verification request takes no third round trip", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const answer = await ada.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  expect([answer.status, answer.trips]).toEqual([200, 2]);
});

test("the technician is emailed once about verified hours, however often the link is used", async () => {
  const ada = await app.register();
  const { token } = await ada.addVerifiedEntry();
  await Promise.all([1, 2, 3].map(() => app.json("POST", `/api/verify/${token}`, { supervisorName: "Eve" })));
  const stored = await app.settled(ada);
  expect(stored.map(({ kind, state }) => [kind, state])).toEqual([
    ["verification_requested", expect.stringMatching(/sent|cancelled/)],
    ["hours_verified", "sent"],
  ]);
  const told = mailChannels.delivered.filter(({ to }) => to === ada.user.email);
  expect(told).toHaveLength(1);
  expect(told[0]?.subject).toBe("Your OJT hours of 20 Nov 2026 were verified");
  expect(told[0]?.text).toContain("Ola Hansen");
});

test("the emails about rope hours use their own wording", async () => {
  const ada = await app.register({ name: "Ada" });
  const rope = { startDate: "2026-11-01", endDate: "2026-11-05", skills: "Rescue", hours: 12.5 };
  const [{ id }, { id: supervisorId }] = [await ada.addRopeHours(rope), await ada.addSupervisor()];
  const asked = await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  await app.settled(ada);
  expect(mailChannels.delivered[0]?.subject).toBe("Ada asks you to verify 12.5 rope hours");
  expect(mailChannels.delivered[0]?.text).toMatch(/rope-access work[\s\S]*1 Nov 2026 to 5 Nov 2026[\s\S]*Rescue/);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  await app.settled(ada);
  expect(mailChannels.delivered[1]?.subject).toBe("Your rope hours of 1 Nov 2026 were verified");
});

test("asking again the next day sends a reminder with the same link; the same form again, or a pending email, sends none", async () => {
  const ada = await app.register({ name: "Ada" });
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const form = `/profile/request/${id}/one-key`;
  const ask = (path: string) => ada.post(path, { supervisor: String(supervisor.id) });
  expect((await ask(form)).status).toBe(303);
  await app.settled(ada);
  await Promise.all([ask(form), ask(form)]);
  await app.settled(ada);
  expect(mailChannels.delivered).toHaveLength(1);
  await app.nextDay();
  expect((await ask(`/profile/request/${id}/another-key`)).status).toBe(303);
  await app.settled(ada);
  const links = mailChannels.delivered.map(({ text }) => text.match(/http\S+/)?.[0]);
  expect([links.length, new Set(links).size]).toEqual([2, 1]);
  expect(mailChannels.delivered[1]?.subject).toBe("Reminder: Ada asks you to verify 7.5 OJT hours");

  await app.nextDay();
  mailChannels.behave({ status: 500 });
  await ask(`/profile/request/${id}/a-third`);
  await app.settled(ada);
  await ask(`/profile/request/${id}/a-fourth`);
  expect(await count(app.db, "outbox", "user_id = ?", ada.user.id)).toBe(3);
});

test("asking a new supervisor sends one email, however often the form is sent", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const form = {
    supervisor: "new",
    name: "New One",
    email: "new@example.org",
    phone: "1",
    certificationLevel: "Level I",
    company: "C",
  };
  await Promise.all([1, 2, 3].map(() => ada.post(`/profile/request/${id}/k`, form)));
  await app.settled(ada); // the next supervisor would cancel an email that still waits
  await ada.post(`/profile/request/${id}`, { ...form, email: "keyless@example.org" });
  await app.settled(ada);
  expect(mailChannels.delivered.map(({ to }) => to).sort()).toEqual(["keyless@example.org", "new@example.org"]);
});

test("a rejected request sends no email, and neither does one whose transaction fails", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const open = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  await app.settled(ada);
  const before = await count(app.db, "outbox");
  const body = { supervisorId: supervisor.id };
  expect((await ada.json("POST", `/api/verify-request/${entry.id}`, body)).status).toBe(409);
  const failed = await ada.json("POST", `/api/verify-request/${open.id}`, body, { "x-fail-d1-round-trip": "2" });
  expect(failed.status).toBe(500);
  expect(await count(app.db, "outbox")).toBe(before);
});

// Catches a time that is compared in one direction only: the message would wait until the clock says so again.
test("a message that was to be retried by a clock that was ahead is sent once the clock is right", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor({ email: "ahead@example.org" });
  mailChannels.behave({ status: 500 });
  await ada.requestVerification(id, supervisor.id);
  await app.idle();
  const ahead = 30 * 24 * 60 * 60 * 1000;
  await app.db.prepare("UPDATE outbox SET created_at = created_at + ?, due_at = due_at + ?").bind(ahead, ahead).run();
  mailChannels.reset();
  await app.tick(new Date());
  await app.idle();
  const emails = mailChannels.delivered.map(({ to }) => to).filter((to) => !to.startsWith("ola-"));
  expect(emails).toEqual(["ahead@example.org"]); // the others are notices of other tests' verifications
});
