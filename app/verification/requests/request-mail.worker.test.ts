import { expect, test } from "vitest";
import { formatDay, toCalendarDate } from "#app/calendar-date.ts";
import { startApp } from "#tests/worker/app.ts";
import { formIn, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/* The dialog's notice about the email, without JavaScript. Failures of the mail service: mail-faults.test.ts. */

const app = await startMailApp();
const CONFIRMED =
  "An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.";

function dialogIn(html: string): string {
  return html.slice(html.indexOf("<dialog"));
}

test("after a request the dialog is the spec's confirmation, once, with the recipient and the link", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email: "ola@example.org" });
  const open = await ada.get(`/profile?request=${id}`);
  const asked = await ada.submit(open, `/profile/request/${id}`, { supervisor: String(supervisor.id) }, "Send Request");
  await app.settled(ada);
  const page = await ada.follow(asked);
  expect(textsOf(page.text, "div", 'role="status"')).toEqual([]);
  const [dialog = ""] = textsOf(page.text, "dialog");
  expect(dialog).toMatch(/^Verification Email Sent/);
  expect(dialog).toContain(CONFIRMED);
  expect(dialog.match(/has been sent|is on its way/g)).toHaveLength(1);
  expect(dialog).toContain("It went to Ola Hansen (ola@example.org).");
  const done = await ada.get(`/profile?${formIn(dialogIn(page.text), "/profile").values({}, "Done")}`);
  expect([done.trips, textsOf(done.text, "dialog")]).toEqual([1, []]);
});

test("the dialog of a request that was verified since redirects without an error", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const answer = await ada.get(`/profile?request=${entry.id}&link=1`);
  expect([answer.status, answer.location, answer.setCookie("flash")]).toEqual([303, "/profile", undefined]);
});

test("a technician cannot see the email of another technician's entry", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  await ada.requestVerification(id);
  expect((await bob.get(`/profile?request=${id}&link=1`)).location).toBe("/profile");
});

test("over a limit the dialog shows the limit, when it ends, what to do, and the link", async () => {
  const ada = await app.register();
  const entries = await ada.addEntries(6);
  const [id = 0, other = 0] = [entries[0]?.id, entries[5]?.id];
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email: "busy@example.org" });
  const ask = async (entry: number, supervisorId: number) => {
    const page = await ada.follow(await ada.post(`/profile/request/${entry}`, { supervisor: String(supervisorId) }));
    expect(page.text).toMatch(/value="http:\/\/hours\.example\.com\/verify\/[0-9a-f-]{36}"/);
    return { page, toasts: textsOf(page.text, "div", 'role="status"'), text: textsOf(page.text, "dialog")[0] ?? "" };
  };
  for (const entry of entries.slice(0, 5)) await ask(entry.id, supervisor.id);
  const again = await ask(id, supervisor.id);
  expect(again.toasts).toEqual([]);
  expect(again.text).toMatch(
    /The next email to Ola Hansen \(busy@example\.org\) waits: they get one email about a record in 24 hours, unless you change the record\. It goes out by itself, from \d+ \w{3} \d{4}, \d\d:\d\d\. You can also send them this link yourself\./,
  );
  expect(formIn(dialogIn(again.page.text), "/profile").values({}, "Done").toString()).toMatch(/^at=\d+$/);
  const sixth = await ask(other, supervisor.id);
  expect([sixth.toasts, sixth.text]).toEqual([
    [],
    expect.stringMatching(
      /The email to Ola Hansen \(busy@example\.org\) waits: they have had as many emails as we send to one address in 24 hours\. It goes out by itself, from \d+ \w{3} \d{4}, \d\d:\d\d\. You can also send them this link yourself\./,
    ),
  ]);
  for (let n = 1; n < 20; n += 1) {
    const { id: next } = await ada.addSupervisor({ email: `new-${n}@example.org` });
    expect((await ask(other, next)).text).toMatch(/^Verification Email Sent/);
    await app.idle(); // an email that is still waiting would be cancelled by the next supervisor
  }
  const last = await ada.addSupervisor({ name: "Kari Dahl", email: "new-20@example.org" });
  expect((await ask(other, last.id)).text).toMatch(
    /The email to Kari Dahl \(new-20@example\.org\) waits: you have written to as many new addresses as we allow in 24 hours\. It goes out by itself, from/,
  );
});

test("a new link without an email is in the record's log, and its page mentions no email", async () => {
  const ada = await app.register();
  const [{ id }, supervisor] = [await ada.addEntry(), await ada.addSupervisor()];
  await ada.requestVerification(id, supervisor.id);
  await app.idle();
  await ada.json("DELETE", `/api/verify-request/${id}`);
  await ada.requestVerification(id, supervisor.id);
  const history = (await ada.get(`/api/entries/${id}/verification`)).json<{
    request: { mail: string | null; open: boolean };
    log: { event: string }[];
    requestEvents: { event: string }[];
    intact: boolean;
  }>();
  expect(history.log.map(({ event }) => event)).toEqual(["requested", "withdrawn", "requested"]);
  expect(history.requestEvents.map(({ event }) => event)).toEqual(["mailed"]);
  expect([history.request.mail, history.request.open, history.intact]).toEqual([null, true, true]);
  expect((await ada.get(`/profile/record/${id}`)).text).not.toContain("has been sent");
});

test("without a mail service the dialog shows the reason and the link, no toast, and Done closes it", async () => {
  const silent = await startApp();
  const ada = await silent.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const asked = await ada.post(`/profile/request/${id}`, { supervisor: String(supervisor.id) });
  const page = await ada.follow(asked);
  expect(textsOf(page.text, "div", 'role="status"')).toEqual([]);
  const [dialog] = textsOf(page.text, "dialog");
  expect(dialog).toContain("No email was sent: this installation has no mail service. Send them this link yourself.");
  expect(page.text).toMatch(/value="http:\/\/localhost\/verify\/[0-9a-f-]{36}"/);
  expect(formIn(dialogIn(page.text), "/profile").values({}, "Done").toString()).toMatch(/^at=\d+$/);
});

test("without PUBLIC_ORIGIN no email is sent: its link would come from the request's Host", async () => {
  const unset = await startMailApp({ PUBLIC_ORIGIN: "" });
  const ada = await unset.register();
  const { id } = await ada.addEntry();
  await ada.requestVerification(id);
  expect(await unset.messages(ada)).toMatchObject([{ state: "failed", reason: "not_set_up" }]);
  await unset.sweep();
  expect(unset.mailChannels.received).toEqual([]);
});

// Catches dates by the first day alone: the period of the last rope record ended ten days later.
test("the email and the page for several records name the last day of the last period", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry({ date: "2026-11-02" });
  const rope = await ada.addRopeHours({ startDate: "2026-11-05", endDate: "2026-11-15" });
  const { id: supervisorId } = await ada.addSupervisor({ email: "period@example.org" });
  const records = [
    { type: "entry", id: entry.id },
    { type: "rope_hour", id: rope.id },
  ];
  await ada.json("POST", "/api/verification-requests", { supervisorId, records });
  await app.settled(ada);
  const text = app.mailChannels.delivered.find(({ to }) => to === "period@example.org")?.text ?? "";
  expect(text).toMatch(/^Dates: +2 Nov 2026 to 15 Nov 2026$/m);
  const path = text.match(/hours\.example\.com(\/verify\/\S+)/)?.[1] ?? "";
  expect(textOf((await app.get(path)).text)).toContain("Mon 2 to Sun 15 Nov 2026");
});

test("the email for several records has the sums by method in columns, and the day by which to answer", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entries = [...(await ada.addEntries(11)), await ada.addEntry({ method: "UT_THK", hours: 0.25 })];
  const { id: supervisorId } = await ada.addSupervisor({ email: "columns@example.org" });
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
  await app.settled(ada);
  const mail = app.mailChannels.delivered.find(({ to }) => to === "columns@example.org");
  expect(mail?.text).toContain(
    [
      "NDT Method    Records  Hours",
      "MT                 11   82.5",
      "UT Thk.             1   0.25",
      "Total Hours:       12  82.75",
    ].join("\n"),
  );
  // In Miniflare these technicians are in Oslo, where the day begins before that of UTC.
  const end = new Date(asked.json<{ expiresAt: string }>().expiresAt);
  const day = formatDay(toCalendarDate("Europe/Oslo", end));
  expect(mail?.text).toMatch(new RegExp(`^Answer by: +${day}$`, "m"));
  expect(mail?.html).toContain(day);
  // Numbers are in cells of their own, aligned right, and never break.
  expect(mail?.html.match(/<td[^>]* align="right"[^>]*white-space:nowrap/g)).toHaveLength(8);
});

test("after a request for several records the toast says how many were sent to whom", async () => {
  const ada = await app.register();
  await ada.addEntries(3);
  await ada.addSupervisor({ name: "Ola Hansen", email: "three@example.org" });
  const { text } = await ada.get("/requests/new?all=1");
  const form = formIn(text, /action="(\/requests\/new\/[^"?]+)/.exec(text)?.[1] ?? "");
  const sent = await ada.follow(await ada.post(form.action, form.values({}, "Send Request")));
  expect(textsOf(sent.text, "div", 'role="status"')).toEqual([
    "Verification request sent 3 records to Ola Hansen (three@example.org)",
  ]);
  // The page says it once; later it says what became of the email.
  expect(textsOf(sent.text, "p", 'class="notice')).toEqual([]);
  await app.settled(ada);
  const [{ id } = { id: 0 }] = (await ada.get("/api/verification-requests")).json<{ id: number }[]>();
  expect(textsOf((await ada.get(`/requests/${id}`)).text, "p", 'class="notice')).toEqual([
    "The email to Ola Hansen (three@example.org) has been sent.",
  ]);
});
