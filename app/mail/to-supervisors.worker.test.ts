import { beforeEach, expect, test } from "vitest";
import { formIn, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate, aTraining, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { ask, freshEmail } from "#tests/worker/request-emails.ts";
import { storeRequest } from "#tests/worker/requests.ts";

/*
 * What supervisors and the people whose address is typed should meet, and do not meet yet: the tests that are marked as failing
 * say what is right. A plain test beside them shows that what they use works.
 */

const app = await startMailApp({}, { cheapHashes: true });
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

test("an address that stopped all emails gets no request, and its technician is told", async () => {
  const { ada, email, supervisor } = await stopped();
  const answer = await ask(ada, (await ada.addEntry()).id, supervisor.id);
  expect(answer.json()).toMatchObject({ emailed: false, emailedReason: "suppressed" });
  await tick();
  expect(mailsTo(email)).toEqual([]);
});

test.fails("the page on which all emails were stopped lets them go out again", async () => {
  const { ada, supervisor, stop, page } = await stopped();
  const form = formIn(page, stop);
  expect((await app.post(form.action, form.values({}))).status).toBe(200);
  expect((await ask(ada, (await ada.addEntry()).id, supervisor.id)).json()).toMatchObject({ emailed: true });
});

test.fails("an admin lets emails go out again to an address that stopped them", async () => {
  await stopped();
  const admin = await app.register({ isAdmin: true, email: freshEmail() });
  expect(textOf((await admin.get("/admin?tab=system")).text)).toMatch(/stopped (all|their) emails/i);
});

test.fails("a notice of what was verified in its name still goes once to an address that stopped all emails", async () => {
  const { ada, email, supervisor } = await stopped();
  for (let n = 0; n < 2; n += 1) {
    const token = await ada.requestVerification((await ada.addEntry()).id, supervisor.id);
    await anyone().json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
    await tick();
    await app.nextDay();
  }
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(["1 record was verified in your name"]);
});

/** What a stranger can do so that an email goes to an address. */
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

test.fails.each(STRANGERS)("a stranger who asks for %s causes no email to one that stopped all", async (_what, act) => {
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

test.fails("the inbox says to everyone that an address which stopped all emails gets none", async () => {
  const { email } = await stopped();
  const answer = await app.json("POST", "/api/supervisor-inbox", { email });
  expect(answer.json<{ message: string }>().message).toMatch(/stopped/);
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

test.fails.each(["/requests", "/requests/{id}", "/profile?request={entry}&link=1"])(
  "%s says of a request over a limit that its email waits",
  async (path) => {
    const { ada, id, entry } = await heldBack();
    const page = await ada.get(path.replace("{id}", String(id)).replace("{entry}", String(entry.id)));
    expect(page.status === 200 && textOf(page.text)).toMatch(/email .*waits/i);
  },
);

test.fails("an email that a limit held back goes out by itself as soon as the limit allows", async () => {
  const { email } = await heldBack();
  await app.nextDay();
  await tick();
  expect(mailsTo(email)).toHaveLength(6);
});

// Reminders on working days

/** On which day of the week, in UTC, a request that is made on one is reminded of; Sunday is 0. */
async function remindedOn(weekday: number): Promise<number[]> {
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

test.fails.each([
  ["Monday", 1],
  ["Tuesday", 2],
])("a request that is made on a %s is reminded of on Mondays, not at weekends", async (_name, weekday) => {
  expect(await remindedOn(weekday)).toEqual([1, 1, 1]);
});

// Links and addresses

/** How an answer through a link is noted. */
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

test.fails("after a supervisor's address was corrected the page of an open request offers to send it to the new one", async () => {
  const { ada, supervisor, id } = await asked();
  const email = freshEmail();
  expect((await ada.json("PATCH", `/api/supervisors/${supervisor.id}`, { email })).status).toBe(200);
  const text = textOf((await ada.get(`/requests/${id}`)).text);
  expect(text).toContain(email);
  expect(text).toMatch(/send it to the new/i);
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

// What was typed is not taken for the product's own words

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

/** How often a text has what was typed, and how often in quotation marks. */
const timesIn = (text: string, words = CLAIM) => [text.split(words).length - 1, text.split(`“${words}”`).length - 1];

const FAMILY: [string, string, Parameters<typeof papers>[1]][] = [
  ["a technician's name", "ojt", { name: CLAIM }],
  ["a place", "ojt", { place: CLAIM }],
  ["an issuer", "training-and-certificates", { issuer: CLAIM }],
  ["an instructor", "training-and-certificates", { instructor: CLAIM }],
  ["the supervisor's name in the line of a part of the log", "ojt", { by: CLAIM }],
];

test.each(FAMILY)("%s that was typed stands on the form and on the check page", async (_what, form, claims) => {
  for (const text of await papers(form, claims)) expect(timesIn(text)[0]).toBeGreaterThan(0);
});

test.each(FAMILY)(
  "%s with a domain stands on the form and on the check page in quotation marks",
  async (_what, form, claims) => {
    for (const text of await papers(form, claims)) {
      const [typed, quoted] = timesIn(text);
      expect(quoted).toBe(typed);
    }
  },
);

test("a name without a domain and without the word of a mark stands there as it is", async () => {
  for (const text of await papers("ojt", { name: "Per Olsen" }))
    expect(timesIn(text, "Per Olsen")).toEqual([expect.any(Number), 0]);
});
