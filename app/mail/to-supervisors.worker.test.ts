import { beforeEach, expect, test } from "vitest";
import { formIn, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate, aTraining, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { ask, freshEmail } from "#tests/worker/request-emails.ts";
import { storeRequest } from "#tests/worker/requests.ts";

/* The pages and emails that supervisors and the owners of typed addresses meet. */

const app = await startMailApp();
const { mailChannels } = app;
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => mailChannels.reset());

const mailsTo = (email: string) => mailChannels.delivered.filter(({ to }) => to === email);
const anyone = () => app.as(new Map());

async function tick(at = new Date()): Promise<void> {
  await app.idle();
  await app.tick(at);
  await app.idle();
}

/** A request to a new address, with the text of its email. */
async function asked(who?: Technician) {
  const ada = who ?? (await app.register({ name: "Kari Nordmann", email: freshEmail() }));
  const entry = await ada.addEntry();
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const token = await ada.requestVerification(entry.id, supervisor.id);
  const [{ id } = { id: 0 }] = (await ada.get("/api/verification-requests")).json<{ id: number }[]>();
  await app.idle();
  const text = mailsTo(email).at(-1)?.text ?? "";
  const pathIn = (name: string) => text.match(new RegExp(`http://hours.example.com(/${name}/\\S+)`))?.[1] ?? "";
  return { ada, entry, email, supervisor, token, id, mailed: pathIn("verify"), stop: pathIn("unsubscribe") };
}

// Stop all emails

async function stopped() {
  const request = await asked();
  const page = await app.post(request.stop, {});
  expect([page.status, textOf(page.text)]).toEqual([200, expect.stringContaining("gets no more emails")]);
  await app.idle();
  mailChannels.reset();
  return { ...request, page: page.text };
}

test("an address that stopped all emails gets no request, and its technician sees that", async () => {
  const { ada, email, supervisor } = await stopped();
  const answer = await ask(ada, (await ada.addEntry()).id, supervisor.id);
  expect(answer.json()).toMatchObject({ emailed: false, emailedReason: "suppressed" });
  await tick();
  expect(mailsTo(email)).toEqual([]);
});

test("the page on which all emails were stopped lets them go out again", async () => {
  const { ada, supervisor, stop, page } = await stopped();
  const form = formIn(page, stop);
  // Opened later it says so too; a script of a mail scanner that opens it changes nothing.
  expect(textsOf((await app.get(stop)).text, "button")).toEqual(["Let emails go out again"]);
  const again = await app.post(form.action, form.values({}));
  expect([again.status, textOf(again.text)]).toEqual([200, expect.stringContaining("This address gets emails again.")]);
  expect(formIn(again.text, stop).buttons.map(({ label }) => label)).toEqual(["Stop all emails"]);
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
});

test("a mail client's button never lets emails go out again", async () => {
  const { stop } = await stopped();
  expect((await app.post(stop, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
  expect(textOf((await app.get(stop)).text)).toContain("This address gets no more emails.");
});

test("a request that was made while its supervisor wanted no emails is mailed within a day after they want them again", async () => {
  const { ada, email, supervisor, stop } = await stopped();
  await ask(ada, (await ada.addEntry()).id, supervisor.id);
  await app.nextDay();
  await tick();
  expect(mailsTo(email)).toEqual([]);
  await app.post(stop, { emails: "on" });
  await app.nextDay();
  await tick();
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual([expect.stringContaining("asks you to verify")]);
});

test("an email that waits for the mail service is not sent to an address that stopped all emails meanwhile", async () => {
  const { ada, email, supervisor, stop } = await asked();
  mailChannels.behave({ status: 503 });
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
  await app.idle();
  await app.post(stop, {});
  mailChannels.reset();
  await app.sweep();
  expect(mailsTo(email)).toEqual([]);
});

test("an admin lets emails go out again to an address that stopped them, in any spelling of it", async () => {
  const { ada, email, supervisor } = await stopped();
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  const system = await admin.get("/admin/system");
  expect(textOf(system.text)).toMatch(/\d+ address(es)? stopped all emails/);
  expect(system.text).toContain('href="/admin/system/allow-emails"');
  const before = (await admin.get("/api/admin/system")).json<{ mail: { stopped: number } }>().mail.stopped;
  const allow = (call: Technician, address: string) => call.json("POST", "/api/admin/allow-emails", { email: address });
  expect((await allow(ada, email)).status).toBe(403);
  const spelled = email.replace("@", "+again@").toUpperCase();
  const done = await allow(admin, spelled);
  expect(done.json()).toEqual({ message: `${spelled.toLowerCase()} gets emails again.`, stopped: true });
  expect((await allow(admin, email)).json()).toMatchObject({ stopped: false });
  const after = (await admin.get("/api/admin/system")).json<{ mail: { stopped: number } }>().mail.stopped;
  expect(after).toBe(before - 1);
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
});

test("an admin lets emails go out again by a form", async () => {
  const { ada, email, supervisor } = await stopped();
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  const path = "/admin/system/allow-emails";
  const form = formIn((await admin.get(path)).text, path);
  for (const [address, says] of [
    [freshEmail(), "did not stop all emails, so nothing was changed"],
    [email, `${email} gets emails again.`],
  ] as const) {
    expect((await admin.post(form.action, form.values({ email: address }))).status).toBe(303);
    expect(textOf((await admin.get("/admin/system")).text)).toContain(says);
  }
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
});

test("a notice of what was verified in its name still goes once to an address that stopped all emails", async () => {
  const { ada, email, supervisor } = await stopped();
  for (let n = 0; n < 2; n += 1) {
    const token = await ada.requestVerification((await ada.addEntry()).id, supervisor.id);
    await anyone().json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
    await tick();
    await app.nextDay();
  }
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(["1 record was verified in your name"]);
});

/** The acts of a stranger that send an email to an address. */
const STRANGERS: [string, (email: string) => Promise<unknown>][] = [
  ["an account with it", (email) => app.json("POST", "/api/auth/register", { email, password: PASSWORD })],
  [
    "a reset of such an account",
    async (email) => {
      await app.registerAll({ email, isConfirmed: false });
      await app.json("POST", "/api/auth/reset-password", { email });
    },
  ],
  [
    "the change of an account's address to it",
    async (email) => (await app.register()).json("POST", "/api/user/email", { email, password: PASSWORD }),
  ],
];

test.each(STRANGERS)("a stranger who asks for %s causes one email to an address", async (_what, act) => {
  const email = freshEmail();
  await act(email);
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
});

test.each(STRANGERS)("a stranger who asks for %s causes no email to one that stopped all", async (_what, act) => {
  const { email } = await stopped();
  await act(email);
  await app.idle();
  expect(mailsTo(email)).toEqual([]);
});

test("a reset still goes to the confirmed address of an account that stopped all emails as a supervisor", async () => {
  const { email } = await stopped();
  await app.registerAll({ email });
  await app.json("POST", "/api/auth/reset-password", { email });
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
});

test("the inbox says to everyone that an address which stopped all emails gets none", async () => {
  const { email } = await stopped();
  const answer = await app.json("POST", "/api/supervisor-inbox", { email });
  expect(answer.json<{ message: string }>().message).toMatch(/stopped/);
  expect((await app.json("POST", "/api/supervisor-inbox", { email: freshEmail() })).json()).toEqual(answer.json());
  expect(textOf((await app.get("/inbox?sent")).text)).toContain(answer.json<{ message: string }>().message);
});

// The request that a limit held back

/** The sixth request of a day to one address, from another technician. */
async function heldBack() {
  const email = freshEmail();
  let last: { ada: Technician; entry: { id: number } } | undefined;
  for (let n = 0; n < 6; n += 1) {
    const ada = await app.register({ email: freshEmail() });
    const entry = await ada.addEntry();
    const supervisor = await ada.addSupervisor({ email });
    const answer = await ask(ada, entry.id, supervisor.id);
    expect(answer.json()).toMatchObject(n < 5 ? { emailed: true } : { emailed: false, emailedReason: "limit" });
    last = { ada, entry };
  }
  await app.idle();
  if (!last) throw new Error("no request was made");
  const [{ id } = { id: 0 }] = (await last.ada.get("/api/verification-requests")).json<{ id: number }[]>();
  return { ...last, email, id };
}

test("the sixth request of a day to an address is not emailed, and the call says why", async () => {
  const { email } = await heldBack();
  expect(mailsTo(email)).toHaveLength(5);
});

test.each(["/requests", "/requests/{id}", "/profile?request={entry}&link=1"])(
  "%s says of a request over a limit that its email waits",
  async (path) => {
    const { ada, id, entry } = await heldBack();
    const page = await ada.get(path.replace("{id}", String(id)).replace("{entry}", String(entry.id)));
    expect(page.status === 200 && textOf(page.text)).toMatch(/email .*waits/i);
  },
);

test("an email that a limit held back goes out by itself as soon as the limit allows", async () => {
  const { ada, id, email } = await heldBack();
  const stateOf = async () => {
    const [request] = (await ada.get("/api/verification-requests")).json<
      { emailed: boolean; emailedReason: string }[]
    >();
    return [request?.emailed, request?.emailedReason, textOf((await ada.get(`/requests/${id}`)).text)];
  };
  await app.nextDay(DAY - 60_000);
  await tick();
  expect(mailsTo(email)).toHaveLength(5);
  expect(await stateOf()).toEqual([false, "limit", expect.stringContaining("waits for a limit of a day")]);
  await app.nextDay(60_000);
  await tick();
  expect(mailsTo(email)).toHaveLength(6);
  expect(await stateOf()).toEqual([true, null, expect.stringContaining("has been sent")]);
  await app.nextDay();
  await tick();
  expect(mailsTo(email)).toHaveLength(6);
});

test("a request that waits for a limit can be sent again at any time, and says that it still waits", async () => {
  const { ada, id } = await heldBack();
  const again = await ada.json("POST", `/api/verification-requests/${id}/remind`);
  expect([again.status, again.json()]).toEqual([
    200,
    expect.objectContaining({ emailed: false, emailedReason: "limit" }),
  ]);
});

test("when several technicians wait for one address, none of them uses up its emails of the next day", async () => {
  const { email } = await heldBack();
  const [greedy, other] = [await app.register({ email: freshEmail() }), await app.register({ email: freshEmail() })];
  for (const [who, requests] of [
    [greedy, 8],
    [other, 1],
  ] as const) {
    const { id: supervisorId } = await who.addSupervisor({ email });
    for (let n = 0; n < requests; n += 1) await ask(who, (await who.addEntry()).id, supervisorId);
  }
  mailChannels.reset();
  await app.nextDay();
  await tick();
  const from = (who: Technician) => mailsTo(email).filter(({ text }) => text.includes(who.user.email)).length;
  expect([mailsTo(email).length, from(greedy), from(other)]).toEqual([5, 3, 1]);
  await app.nextDay();
  await tick();
  expect([mailsTo(email).length, from(greedy)]).toEqual([10, 8]);
});

test("a thousand requests that wait for one address are put off by one try", async () => {
  await app.db.prepare("UPDATE verification_requests SET mail_at = NULL").run(); // of other tests
  const { email, ada } = await heldBack();
  await app.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, requested_at, expires_at,
        email_withheld, mail_at)
      SELECT ?1, printf('%036d', ?3 + i), 'Ola', ?2, ?4, ?4, ?4 + 1000000000, 'limit', ?4 FROM n`,
    )
    .bind(ada.user.id, email, 10_000 * ada.user.id, Date.now())
    .run();
  const due = async () => {
    const waiting = "SELECT count(*) AS n FROM verification_requests WHERE mail_at <= ? AND ended_at IS NULL";
    return (await app.db.prepare(waiting).bind(Date.now()).first<{ n: number }>())?.n;
  };
  expect(await due()).toBeGreaterThanOrEqual(1000);
  await tick();
  expect(await due()).toBe(0);
  expect(mailsTo(email)).toHaveLength(5);
});

// Reminders on working days

/** Returns on which day of the week, in UTC, the reminder of a request that is made on one is sent; Sunday is 0. */
async function remindedOn(weekday: number): Promise<number[]> {
  // One run of the timer reminds twenty supervisors: none of them is another test's.
  await app.db.prepare("UPDATE verification_requests SET reminders = 0").run();
  const ada = await app.register({ email: freshEmail() });
  const email = freshEmail();
  const records = [{ type: "entry" as const, id: (await ada.addEntry()).id }];
  const today = new Date(new Date().setUTCHours(9, 0, 0, 0) + DAY).getTime();
  const requestedAt = today + ((weekday - new Date(today).getUTCDay() + 7) % 7) * DAY;
  const { id } = await storeRequest(app.db, { userId: ada.user.id, records, supervisorEmail: email, requestedAt });
  const first = "UPDATE verification_requests SET remind_at = ?, time_zone = 'UTC' WHERE id = ?";
  await app.db
    .prepare(first)
    .bind(requestedAt + 5 * DAY, id)
    .run();
  const days = [];
  for (let day = 1; day <= 22; day += 1) {
    const at = new Date(requestedAt + day * DAY + 60_000);
    mailChannels.reset();
    await tick(at);
    if (mailsTo(email).length > 0) days.push(at.getUTCDay());
  }
  return days;
}

test("a request that is made on a Wednesday is reminded of on three Mondays", async () => {
  expect(await remindedOn(3)).toEqual([1, 1, 1]);
});

test.each([
  ["Monday", 1],
  ["Tuesday", 2],
])("a request that is made on a %s is reminded of on Mondays, not at weekends", async (_name, weekday) => {
  expect(await remindedOn(weekday)).toEqual([1, 1, 1]);
});

// Links and addresses

/** Returns how an answer through a link is noted. */
async function viaOf(path: string, ada: Technician): Promise<string | undefined> {
  expect((await anyone().json("POST", `/api${path}`, { supervisorName: "Ola" })).status).toBe(200);
  return (await ada.get("/api/entries")).json<{ verifiedVia: string }[]>()[0]?.verifiedVia;
}

test("an answer through the mailed link as it is in the email is by mailbox", async () => {
  const { ada, mailed } = await asked();
  expect(await viaOf(mailed, ada)).toBe("mailbox");
});

test.each([".", ",", ")", ">", "%3E"])(
  "a mailed link that gained a %s when it was copied is by mailbox",
  async (mark) => {
    const { ada, mailed } = await asked();
    expect(await viaOf(mailed + mark, ada)).toBe("mailbox");
  },
);

const DAMAGED = /link .*(incomplete|not complete|damaged|changed)/i;

test("the page of the mailed link as it is in the email says nothing about the link", async () => {
  const page = await anyone().get((await asked()).mailed);
  expect([page.status, DAMAGED.test(textOf(page.text))]).toEqual([200, false]);
});

test("the page of a mailed link whose secret is wrong says so", async () => {
  const page = await anyone().get((await asked()).mailed.slice(0, -4));
  expect(page.status === 200 && textOf(page.text)).toMatch(DAMAGED);
});

test("the page of a request names the address that it went to", async () => {
  const { ada, email, id } = await asked();
  expect(textOf((await ada.get(`/requests/${id}`)).text)).toContain(email);
});

test("after a supervisor's address was corrected the page of an open request offers to send it to the new one", async () => {
  const { ada, supervisor, id } = await asked();
  const email = freshEmail();
  expect((await ada.json("PATCH", `/api/supervisors/${supervisor.id}`, { email })).status).toBe(200);
  const text = textOf((await ada.get(`/requests/${id}`)).text);
  expect(text).toContain(email);
  expect(text).toMatch(/send it to the new/i);
});

/** The page of a request whose supervisor got another address, and the form that sends it there. */
async function corrected(ada: Technician, id: number, supervisorId: number) {
  const email = freshEmail();
  await ada.json("PATCH", `/api/supervisors/${supervisorId}`, { email });
  const form = () => ada.get(`/requests/${id}`).then(({ text }) => formIn(text, `/requests/${id}/remind`));
  return { email, form };
}

test("one button sends an open request to the corrected address: the link stays, and the old email proves nothing", async () => {
  const { ada, supervisor, id, token, mailed } = await asked();
  const { email, form } = await corrected(ada, id, supervisor.id);
  const { action, values, buttons } = await form();
  expect(buttons).toMatchObject([{ label: "Send it to the new address" }]);
  const sent = await ada.post(action, values({}));
  expect([sent.status, sent.trips]).toEqual([303, 2]);
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
  expect(mailsTo(email)[0]?.text).toContain(`/verify/${token}?m=`);
  const page = textOf((await ada.get(`/requests/${id}`)).text);
  expect([page.includes(email), /send it to the new/i.test(page)]).toEqual([true, false]);
  await ada.post(action, values({})); // in another tab
  const says = "This request went to that address already.";
  expect(textOf((await ada.get(`/requests/${id}`)).text)).toContain(says);
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
  expect(await viaOf(mailed, ada)).toBe("link");
});

test("a request of several records goes to the corrected address too, and each record's log says who was asked", async () => {
  const ada = await app.register({ email: freshEmail() });
  const supervisor = await ada.addSupervisor({ email: freshEmail() });
  const entries = await ada.addEntries(2);
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const made = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const { id } = made.json<{ id: number }>();
  const { email, form } = await corrected(ada, id, supervisor.id);
  const { action, values } = await form();
  expect((await ada.post(action, values({}))).status).toBe(303);
  await app.idle();
  expect(mailsTo(email)).toHaveLength(1);
  for (const { id: entry } of entries) {
    const { log } = (await ada.get(`/api/entries/${entry}/verification`)).json<{
      log: { event: string; supervisor: { email: string } }[];
    }>();
    expect(log.map(({ event, supervisor: { email: asked } }) => [event, asked])).toEqual([
      ["requested", supervisor.email],
      ["requested", email],
    ]);
  }
});

test("an address that was corrected to a mailbox of the technician gets no request", async () => {
  const { ada, supervisor, id } = await asked();
  await app.db.prepare("UPDATE supervisors SET email = ? WHERE id = ?").bind(ada.user.email, supervisor.id).run();
  await ada.post(`/requests/${id}/remind`, { to: "new" });
  expect(textOf((await ada.get(`/requests/${id}`)).text)).toContain("Someone else must verify your hours.");
  await app.idle();
  expect(mailsTo(ada.user.email)).toEqual([]);
  const other = await app.register({ email: freshEmail() });
  expect((await other.post(`/requests/${id}/remind`, { to: "new" })).status).toBe(404);
});

const saved = async (email: string) =>
  (await (await app.register()).json("POST", "/api/supervisors", supervisorAt(email))).status;
const supervisorAt = (email: string) => ({
  ...{ name: "Ola Hansen", email, phone: "1", certificationLevel: "Level III", company: "Fjord" },
});

test("an address of letters is saved, and text without a domain is not", async () => {
  expect([await saved("ola@firm.example"), await saved("ola at firm")]).toEqual([201, 400]);
});

test.each(["ola@blåbær.example", "ivan@xn--80a1acny.xn--p1ai"])("%s is a supervisor's address", async (email) => {
  expect(await saved(email)).toBe(201);
});

test.each(["anna&ole@firm.example", "Ola Hansen <ola@firm.example>"])("%s is a supervisor's address", async (email) => {
  expect(await saved(email)).toBe(201);
});

test("a page for the signed-in sets Cross-Origin-Opener-Policy", async () => {
  const page = await (await app.register()).get("/profile");
  expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
});

/** Pages that a person opens from an email or a paper, with a token that exists or not. */
const PUBLIC = [
  ...["/verify/{token}", "/unsubscribe/x", "/inbox", "/inbox/x", "/disown/x", "/confirm/x"],
  ...["/account/email/x", "/reset-password/x", "/check"],
];
const opened = async (path: string) => anyone().get(path.replace("{token}", (await asked()).token));

test.each(PUBLIC)("%s is a page", async (path) => {
  expect((await opened(path)).text).toContain("</h1>");
});

test.each(PUBLIC)("%s opens in a sandboxed frame of a webmail: it sets no Cross-Origin-Opener-Policy", async (path) => {
  expect((await opened(path)).headers.get("cross-origin-opener-policy")).toBeNull();
});

test("the page of an expired mailed link has a button that asks for a new one", async () => {
  const { mailed, token } = await asked();
  await app.db
    .prepare("UPDATE verification_requests SET requested_at = 1, expires_at = 2 WHERE token = ?")
    .bind(token)
    .run();
  const page = await anyone().get(mailed);
  expect(textOf(page.text)).toContain("expired");
  expect(textsOf(page.text, "button").join()).toMatch(/new (link|one)/i);
});

test("that button emails the mailbox that was asked, if it was asked again, and no one else", async () => {
  const { ada, mailed, token, email, supervisor } = await asked();
  await app.db
    .prepare("UPDATE verification_requests SET requested_at = 1, expires_at = 2 WHERE token = ?")
    .bind(token)
    .run();
  const page = await anyone().get(mailed);
  const press = async () => {
    mailChannels.reset();
    const form = formIn(page.text, "/inbox");
    expect((await app.post(form.action, form.values({}))).status).toBe(303);
    await app.idle();
    return mailChannels.delivered.map(({ to }) => to);
  };
  expect(await press()).toEqual([]);
  await ada.requestVerification((await ada.addEntry()).id, supervisor.id);
  await app.idle();
  expect(await press()).toEqual([email]);
  // Two links a day, as at `/inbox`.
  expect([await press(), await press()]).toEqual([[email], []]);
  const plain = await anyone().get(`/verify/${token}`);
  expect([plain.text.includes(email), textsOf(plain.text, "button").join()]).toEqual([false, ""]);
});

// Readers do not take typed text for the product's own words

const CLAIM = "Per Olsen, Mailbox, equinor.com";

/** The pages that show what people typed: the print of an export and its check. */
async function papers(
  form: string,
  claims: { name?: string; place?: string; issuer?: string; instructor?: string; by?: string },
) {
  const ada = await app.register({ email: freshEmail(), name: claims.name ?? "Kari Nordmann" });
  const { id: supervisorId } = await ada.addSupervisor({ email: freshEmail() });
  const entry = await ada.addEntry(claims.place ? { location: claims.place } : {});
  const records: { type: string; id: number }[] = [{ type: "entry", id: entry.id }];
  const add = async (type: string, call: string, body: object) => {
    records.push({ type, id: (await ada.json("POST", call, body)).json<{ id: number }>().id });
  };
  await add("training", "/api/training", aTraining({ instructor: claims.instructor ?? "Ola Hansen" }));
  await add("certificate", "/api/certificates", aCertificate({ issuer: claims.issuer ?? "Northgate Inspection" }));
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  const answer = await anyone().json("POST", `/api/verify/${verificationToken}`, {
    supervisorName: claims.by ?? "Ola Hansen",
  });
  expect(answer.status).toBe(200);
  const made = await ada.json("POST", "/api/exports", { form, ...(claims.by && { supervisorId }) });
  expect(made.status).toBe(201);
  const { id, code } = made.json<{ id: number; code: string }>();
  return [
    textOf((await ada.get(`${form === "ojt" ? "/profile" : "/training"}/print/${id}`)).text),
    textOf((await anyone().get(`/c/${code}`)).text),
  ];
}

/** Returns how often a text has the typed text, and how often in quotation marks. */
const timesIn = (text: string, words = CLAIM) => [text.split(words).length - 1, text.split(`“${words}”`).length - 1];

const FAMILY: [string, string, Parameters<typeof papers>[1]][] = [
  ["a technician's name", "ojt", { name: CLAIM }],
  ["a place", "ojt", { place: CLAIM }],
  ["an issuer", "training-and-certificates", { issuer: CLAIM }],
  ["an instructor", "training-and-certificates", { instructor: CLAIM }],
  ["the supervisor's name in the line of a part of the log", "ojt", { by: CLAIM }],
];

test.each(FAMILY)("%s that was typed is on the form and on the check page", async (_what, form, claims) => {
  for (const text of await papers(form, claims)) expect(timesIn(text)[0]).toBeGreaterThan(0);
});

test.each(FAMILY)(
  "%s with a domain is in quotation marks on the form and on the check page",
  async (_what, form, claims) => {
    for (const text of await papers(form, claims)) {
      const [typed, quoted] = timesIn(text);
      expect(quoted).toBe(typed);
    }
  },
);

test("a name without a domain and without the word of a mark has no quotation marks", async () => {
  for (const text of await papers("ojt", { name: "Per Olsen" }))
    expect(timesIn(text, "Per Olsen")).toEqual([expect.any(Number), 0]);
});
