import { beforeEach, expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { ask, freshEmail } from "#tests/worker/request-emails.ts";
import { itemStates, storeRequest } from "#tests/worker/requests.ts";

/*
 * *I do not know this technician*. Catches an address that the same account can write to again: through another request,
 * after the supervisor's row was deleted, or in another spelling.
 */

const app = await startMailApp();
const { mailChannels } = app;

beforeEach(() => mailChannels.reset());

/** A technician who has asked a stranger about two records. */
async function asked() {
  const ada = await app.register({ name: "Kari Nordmann" });
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const records = (await ada.addEntries(2)).map(({ id }) => ({ type: "entry", id }));
  const made = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const { id, verificationToken: token } = made.json<{ id: number; verificationToken: string }>();
  await app.idle();
  const mailed = mailChannels.delivered.find(({ to }) => to === email)?.text ?? "";
  const mailedPath = mailed.match(/hours\.example\.com(\/verify\/\S+)/)?.[1] ?? "";
  const mailedCall = `/api${mailedPath.replace("?", "/unknown?")}`;
  const mailbox = email.slice(0, email.indexOf("@"));
  const emails = () => mailChannels.delivered.map(({ to }) => to).filter((to) => to.split(/[+@]/)[0] === mailbox);
  return { ada, email, supervisor, records, id, token, path: `/verify/${token}`, mailedPath, mailedCall, emails };
}

type Asked = Awaited<ReturnType<typeof asked>>;

const SAID =
  "The request has ended: nothing was verified, and no email from this technician reaches your address again. We have told the technician.";

test("the request ends, its page and the technician's email say why, and the second time is refused clearly", async () => {
  const { ada, records, id, path, mailedPath, token } = await asked();
  expect(textsOf((await app.get(mailedPath)).text, "a")).toContain(ada.user.email);
  const told = async () => textOf((await ada.get(`/requests/${id}`)).text);
  expect(await told()).toContain("We email you the first answer at once, and later answers within an hour.");
  await app.db.prepare("UPDATE users SET email_confirmed_at = NULL WHERE id = ?").bind(ada.user.id).run();
  expect(await told()).toContain("in your log. Confirm your email to be told by email too.");
  expect(textOf((await app.get(mailedPath)).text)).toContain(`${ada.user.email} (not confirmed)`);
  await app.db.prepare("UPDATE users SET email_confirmed_at = 1 WHERE id = ?").bind(ada.user.id).run();
  await app.idle();
  const answer = await app.post(mailedPath, { answer: "unknown" });
  expect([answer.status, answer.location, answer.trips]).toEqual([303, `/success?token=${token}`, 2]);
  expect(await itemStates(app.db, id)).toEqual(Array(2).fill("ended: unknown_technician"));
  const ended = "2 records ended: the supervisor does not know the technician, and we have told the technician";
  expect(textOf((await app.get(`/success?token=${token}`)).text)).toContain(`Answer Received ${ended}`);
  const twice = await app.post(path, { answer: "unknown" });
  expect([twice.status, textOf(twice.text)]).toEqual([409, expect.stringContaining(ended)]);
  const call = await app.json("POST", `/api${path}/unknown`);
  expect([call.status, call.json().message]).toEqual([
    ...[409, "You have already said that you do not know this technician. The request has ended."],
  ]);
  expect((await app.get(`/api${path}`)).status).toBe(409);

  // In the app …
  const { items } = (await ada.get(`/api/verification-requests/${id}`)).json<{ items: { state: string }[] }>();
  expect(items.map(({ state }) => state)).toEqual(["ended", "ended"]);
  const request = textOf((await ada.get(`/requests/${id}`)).text);
  expect(request).toContain("The supervisor does not know you");
  expect(request).toContain("2 records ended: the supervisor said that they do not know you");
  const list = textOf((await ada.get("/requests")).text);
  expect(list).toMatch(/ 2 records, none verified .* Finished on [\w ]+\. 2 records ended: the supervisor said that/);
  const record = textOf((await ada.get(`/profile/record/${records[0]?.id}`)).text);
  expect(record).toContain("Request ended; the supervisor said that they do not know the technician");
  const { log, intact } = (await ada.get(`/api/entries/${records[0]?.id}/verification`)).json<{
    log: { event: string; cause: string | null; supervisorHash: string | null; technicianHash: string | null }[];
    intact: boolean;
  }>();
  // From where it came is a fact about the supervisor.
  expect([log.at(-1), intact]).toMatchObject([
    { event: "withdrawn", cause: "unknown_technician", supervisorHash: expect.any(String), technicianHash: null },
    true,
  ]);
  expect((await ada.get("/api/entries")).json<{ status: string }[]>().map(({ status }) => status)).toEqual([
    ...["pending", "pending"],
  ]);
  // … and by email, because the account's address is confirmed.
  await app.sweep();
  await app.idle();
  const email = mailChannels.delivered.filter(({ to }) => to === ada.user.email).at(-1);
  expect(email?.subject).toBe("Ola Hansen says that they do not know you");
  expect(email?.text.replaceAll("\n", " ")).toContain(
    "the requests for 2 records (15.0 hours) ended unanswered. That address gets no more emails from your account.",
  );
});

test("no email from that account goes to the mailbox again: not by another request, a new row, or another spelling", async () => {
  const { ada, email, supervisor, mailedCall, emails } = await asked();
  const other = await ada.addEntry();
  expect((await ask(ada, other.id, supervisor.id)).json()).toMatchObject({ emailed: true });
  await app.idle();
  expect((await app.json("POST", mailedCall)).json()).toEqual({ message: SAID });
  mailChannels.reset();
  expect((await ada.json("DELETE", `/api/supervisors/${supervisor.id}`)).status).toBe(200);
  for (const spelling of [email, email.toUpperCase(), email.replace("@", "+crew@")]) {
    const again = await ada.addSupervisor({ name: "Ola Hansen", email: spelling });
    const entry = await ada.addEntry();
    expect((await ask(ada, entry.id, again.id)).json()).toMatchObject({
      emailed: false,
      emailedReason: "unknown_technician",
      verificationUrl: expect.any(String),
    });
    const dialog = textOf((await ada.get(`/profile?request=${entry.id}&link=1`)).text);
    expect(dialog).toContain("said that they do not know you, so they get no emails from your account");
    expect(textOf((await ada.get(`/profile?request=${(await ada.addEntry()).id}`)).text)).toContain(
      "Said that they do not know you: no email goes to them, only the link",
    );
    const [made] = (await ada.get("/api/verification-requests")).json<{ id: number; reminders: boolean }[]>();
    expect(made).toMatchObject({ emailed: false, emailedReason: "unknown_technician", reminders: false });
  }
  // The page that makes a request says it too, and no toast says that it was sent.
  const saved = (await ada.get("/api/supervisors")).json<{ id: number; email: string }[]>();
  const closed = saved.find((one) => one.email === email.replace("@", "+crew@"));
  const newest = await ada.addEntry();
  const sent = await ada.follow(
    await ada.post(`/requests/new/${crypto.randomUUID()}`, {
      supervisor: String(closed?.id),
      "records[0].key": `entry:${newest.id}`,
    }),
  );
  expect(textsOf(sent.text, "div", 'role="status"')).toEqual([]);
  expect(textOf(sent.text)).toContain("said that they do not know you, so they get no emails from your account");
  // The request that was mailed before says that nothing follows.
  const list = textOf((await ada.get("/requests")).text);
  expect(list.match(/No email goes to them: they said that they do not know you\./g)).toHaveLength(5);
  expect(list).not.toContain("Next reminder");
  const [{ id: open } = { id: 0 }] = (await ada.get("/api/verification-requests"))
    .json<{ id: number; emailed: boolean; endedAt: string | null }[]>()
    .filter((one) => one.emailed && one.endedAt === null);
  const page = textOf((await ada.get(`/requests/${open}`)).text);
  expect(page).toContain("No email goes out: Ola Hansen");
  expect(page).toContain("No email and no reminder goes to this supervisor. Pass the link on yourself.");
  expect(page).not.toMatch(/Reminders are on|can be sent again/);
  // Reminders of the other request, and the inbox of the address.
  await app.db.prepare("UPDATE verification_requests SET remind_at = 1, time_zone = 'UTC'").run();
  await app.tick(new Date("2026-12-01T12:00:00Z"));
  await app.json("POST", "/api/supervisor-inbox", { email });
  await app.sweep();
  await app.idle();
  expect(emails()).toEqual([]);
  const stored = JSON.stringify(await rows(app.db, "SELECT * FROM unknown_technicians WHERE user_id = ?", ada.user.id));
  expect(stored).not.toContain(email.split("@")[0]);

  // Another technician can still ask.
  const per = await app.register({ name: "Per Berg" });
  const known = await per.addSupervisor({ email });
  expect((await ask(per, (await per.addEntry()).id, known.id)).json()).toMatchObject({ emailed: true });
});

// Catches a list of the oldest 100 requests from which those of strangers are removed afterwards.
test("100 older requests of a stranger hide no request of others, in the inbox and in reminders", async () => {
  const { ada, email, records, mailedCall } = await asked();
  const requestedAt = Date.now() - 6 * 24 * 60 * 60 * 1000;
  const about = [{ type: "entry" as const, id: records[0]?.id ?? 0 }];
  const older = { userId: ada.user.id, records: about, supervisorEmail: email, requestedAt };
  await Promise.all(Array.from({ length: 100 }, () => storeRequest(app.db, older)));
  expect((await app.json("POST", mailedCall)).status).toBe(200);
  const per = await app.register({ name: "Per Berg" });
  const entry = await per.addEntry();
  await ask(per, entry.id, (await per.addSupervisor({ name: "Ola Hansen", email })).id);
  await app.idle();
  mailChannels.reset();
  await app.json("POST", "/api/supervisor-inbox", { email });
  await app.idle();
  const inbox = mailChannels.delivered.at(-1)?.text.match(/hours\.example\.com(\/inbox\/\S+)/)?.[1] ?? "";
  const page = await app.get(inbox);
  expect([page.status, page.trips, textOf(page.text)]).toEqual([200, 2, expect.stringContaining("Per Berg")]);
  expect(textOf(page.text)).not.toContain("Kari Nordmann");
  // A sweep of reminders looks at 20 requests, the longest due first.
  await app.db.prepare("UPDATE verification_requests SET remind_at = iif(user_id = ?, 1, 2)").bind(ada.user.id).run();
  // A time zone in which it is noon; the sign of these is reversed.
  const east = 12 - new Date().getUTCHours();
  const zone = `Etc/GMT${east === 0 ? "" : east > 0 ? -east : `+${-east}`}`;
  await app.db.prepare("UPDATE verification_requests SET supervisor_time_zone = ?").bind(zone).run();
  mailChannels.reset();
  for (let sweep = 0; sweep < 2; sweep += 1) await app.tickOnWorkday();
  await app.idle();
  expect(mailChannels.delivered.map(({ to, subject }) => [to, subject])).toContainEqual([
    email,
    "Reminder: 1 record waits for your answer",
  ]);
  const left =
    "SELECT count(*) AS n FROM verification_requests WHERE user_id = ? AND remind_at IS NOT NULL AND ended_at IS NULL";
  expect(await rows(app.db, left, ada.user.id)).toEqual([{ n: 0 }]);
});

// Catches anyone with the link, also an earlier supervisor of the request, who blocked the mailbox of the present one
// for good.
test("said without the secret of the email it ends the request, and the mailbox can still be written to", async () => {
  const { ada, supervisor, id, path, emails } = await asked();
  const call = await app.json("POST", `/api${path}/unknown?m=wrong`);
  expect([call.status, call.json().message]).toEqual([
    200,
    "The request has ended: nothing was verified. We have told the technician. To stop their emails, use the link in any of them.",
  ]);
  expect(await itemStates(app.db, id)).toEqual(Array(2).fill("ended: unknown_technician"));
  await app.sweep();
  const told = mailChannels.delivered.find(({ to }) => to === ada.user.email)?.text.replace(/\s+/g, " ");
  expect(told).toContain("ended unanswered.");
  expect(told).not.toContain("That address gets no more emails");
  mailChannels.reset();
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
  await app.idle();
  expect(emails()).toHaveLength(1);
});

// Catches a technician who ends the request first, so that the mailed link could no longer stop their emails.
test("the mailed link stops the emails also after the request has ended, in whatever way", async () => {
  const ways = {
    "said by the bare link": ({ path }: Asked) => app.json("POST", `/api${path}/unknown`),
    withdrawn: ({ ada, id }: Asked) => ada.json("DELETE", `/api/verification-requests/${id}`),
    "declined by the bare link": ({ path }: Asked) =>
      app.json("POST", `/api${path}/decline`, { supervisorName: "Nobody", reason: "No" }),
  };
  const ENDED = "No email from this technician reaches your address again. The request itself had ended before.";
  for (const [way, end] of Object.entries(ways)) {
    const one = await asked();
    expect([way, (await end(one)).status]).toEqual([way, 200]);
    const { ada, supervisor, path, mailedPath, mailedCall } = one;
    expect(textOf((await app.get(path)).text)).not.toContain("I do not know this technician");
    expect([403, 404, 409]).toContain((await app.json("POST", `/api${path}/unknown`)).status);
    expect([way, (await ask(ada, (await ada.addEntry()).id, supervisor.id)).json().emailed]).toEqual([way, true]);
    await app.idle();
    expect(formIn((await app.get(mailedPath)).text, mailedPath).method).toBe("post");
    const answer = way === "withdrawn" ? await app.post(mailedPath, { answer: "unknown" }) : null;
    if (answer) expect([answer.status, answer.location]).toEqual([303, mailedPath]);
    else expect((await app.json("POST", mailedCall)).json()).toEqual({ message: ENDED });
    const again = await app.json("POST", mailedCall);
    expect([way, again.status, again.json().message]).toEqual([
      ...[way, 409, "You have already said that you do not know this technician. The request has ended."],
    ]);
    expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({
      emailed: false,
      emailedReason: "unknown_technician",
    });
    // The technician does not have the secret; another account with it is not the technician.
    expect((await ada.json("POST", mailedCall)).status).not.toBe(200);
  }
});

test("no form proposes who said it, and each says so, until they answer another request", async () => {
  const { ada, supervisor, path } = await asked();
  const { id } = await ada.addEntry();
  const proposed = async () => {
    const pages = await Promise.all([`/profile?request=${id}`, "/requests/new"].map((page) => ada.get(page)));
    return pages.map(({ text }) => [
      tagsOf(text, "input").find(({ name, checked }) => name === "supervisor" && checked !== undefined)?.value,
      textOf(text).includes("Said that they do not know you"),
    ]);
  };
  const known = [String(supervisor.id), false];
  expect(await proposed()).toEqual([known, known]);
  expect((await app.post(path, { answer: "unknown" })).status).toBe(303);
  expect(await proposed()).toEqual([
    ["new", true],
    ["new", true],
  ]);
  // The same person, deleted from the list and added again: their answer counts for what they said before.
  await ada.json("DELETE", `/api/supervisors/${supervisor.id}`);
  const { id: added } = await ada.addSupervisor({ email: supervisor.email });
  const again = (await ask(ada, (await ada.addEntry()).id, added)).json<{ verificationToken: string }>();
  expect(await proposed()).toEqual([
    ["new", true],
    ["new", true],
  ]);
  const answer = await app.json("POST", `/api/verify/${again.verificationToken}`, { supervisorName: "Ola Hansen" });
  const knownAgain = [String(added), false];
  expect([answer.status, await proposed()]).toEqual([200, [knownAgain, knownAgain]]);
});

test("an email that was queued before is not sent after", async () => {
  const { ada, supervisor, mailedCall, emails } = await asked();
  mailChannels.reset();
  mailChannels.behave({ status: 503 });
  await ask(ada, (await ada.addEntry()).id, supervisor.id);
  await app.idle();
  mailChannels.reset();
  expect((await app.json("POST", mailedCall)).status).toBe(200);
  await app.sweep();
  await app.idle();
  expect(emails()).toEqual([]);
});

test("the technician cannot say it, another site cannot, and Enter in a field does not", async () => {
  const { ada, id, path } = await asked();
  expect((await ada.json("POST", `/api${path}/unknown`)).status).toBe(403);
  expect((await ada.post(path, { answer: "unknown" })).status).toBe(403);
  expect((await app.post(path, { answer: "unknown" }, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await app.json("GET", `/api${path}/unknown`)).status).toBe(405);
  expect(formIn((await app.get(path)).text, path).buttons.map(({ label }) => label)).not.toContain(
    "I do not know this technician",
  );
  expect(new Set(await itemStates(app.db, id))).toEqual(new Set(["waiting"]));
  expect((await ada.get("/api/verify/abc/unknown")).status).toBe(405);
  expect((await app.json("POST", "/api/verify/abc/unknown")).status).toBe(404);
});
