import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { outbox } from "#app/db/schema.ts";
import { isEmail } from "#app/mail/deliver.server.ts";
import { email as digest } from "#app/supervisor-mail/digest.server.ts";
import { count, rows } from "#tests/worker/database.ts";
import { undescribed } from "#tests/worker/described.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";
import { askAbout } from "#tests/worker/requests.ts";
import { stoppingDatabase } from "#tests/worker/stopping-database.ts";

/*
 * The notices to supervisors after a verification, and the answers to them. Catches a notice that names records which
 * are no longer verified, and a disowned record that still counts anywhere.
 */

const app = await startMailApp();
const { mailChannels } = app;

beforeEach(() => mailChannels.reset());

/** A technician with an entry that was verified by the link of a request to a new address. */
async function verified() {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entry = await ada.addEntry();
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const token = await ada.requestVerification(entry.id, supervisor.id);
  await app.idle();
  const [request] = mailChannels.delivered.filter(({ to }) => to === email);
  const answer = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." });
  expect(answer.status).toBe(200);
  await app.idle();
  return { ada, entry, email, token, request };
}

async function tick(): Promise<void> {
  await app.idle();
  await app.tick(new Date());
  await app.idle();
}

const HOUR = 60 * 60 * 1000;

/** The path of a link in an email. */
function pathIn(text: string | undefined, name: string): string {
  return text?.match(new RegExp(`http://hours.example.com(/${name}/\\S+)`))?.[1] ?? "";
}

test("after a verification the address gets an email within a tick, once a day, with a link to disown it", async () => {
  const { ada, email, entry, token: firstToken } = await verified();
  expect(textOf((await app.get(`/success?token=${firstToken}`)).text)).toContain(
    "The address that was asked gets an email about this, tomorrow at the latest, with a way to take it back. You can",
  );
  await tick();
  const notices = () =>
    mailChannels.delivered.filter(({ to, subject }) => to === email && subject.includes("in your name"));
  expect(notices().map(({ subject }) => subject)).toEqual(["1 record was verified in your name"]);
  const [notice] = notices();
  expect(notice?.replyTo).toBeUndefined();
  expect(notice?.text.replaceAll("\n", " ")).toContain("not from this mailbox");
  const path = pathIn(notice?.text, "disown");
  const page = await app.get(path);
  expect([page.status, textOf(page.text)]).toEqual([200, expect.stringContaining("Did you verify these?")]);
  expect(page.trips).toBe(1);
  expect(page.text).not.toContain("<script");

  // A second verification on the same day waits for the next day's notice.
  const second = await ada.addEntry();
  const [{ id: supervisorId } = { id: 0 }] = (await ada.get("/api/supervisors")).json<{ id: number }[]>();
  const token = await ada.requestVerification(second.id, supervisorId);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." });
  await tick();
  await tick();
  expect(notices()).toHaveLength(1);
  await app.nextDay();
  await tick();
  expect(notices()).toHaveLength(2);

  const answer = await app.json("POST", `/api${path}`, { reason: "I was on leave" });
  expect([answer.status, answer.trips, answer.json()]).toEqual([
    200,
    2,
    { message: "The records are no longer verified.", disowned: 1 },
  ]);
  const [stored] = (await ada.get("/api/entries"))
    .json<{ id: number; status: string }[]>()
    .filter(({ id }) => id === entry.id);
  expect(stored).toMatchObject({
    verified: false,
    verifiedBy: null,
    verifiedAt: null,
    verifiedVia: null,
    status: "pending",
  });
  const history = (await ada.get(`/api/entries/${entry.id}/verification`)).json<{
    log: { event: string }[];
    intact: boolean;
  }>();
  expect([history.log.map(({ event }) => event), history.intact]).toEqual([
    ["requested", "verified", "disowned"],
    true,
  ]);
  // The request keeps what was answered, and says what became of it. The other one stays as it is.
  const list = textOf((await ada.get("/requests")).text);
  const lost = "1 record no longer verified: verification withdrawn by the supervisor";
  expect(list).toMatch(new RegExp(`1 record, none verified .* Answered on [\\w ]+, by link\\. ${lost}\\.`));
  expect(list).toContain("1 record, 7.5 h verified");
  const [, { id: requestId } = { id: 0 }] = (await ada.get("/api/verification-requests")).json<{ id: number }[]>();
  const trail = textOf((await ada.get(`/requests/${requestId}`)).text);
  expect(trail).toMatch(new RegExp(`Ola H\\. verified 1 record, by link .*${lost}`));
  await app.sweep(); // the digest with the second verification
  const told = mailChannels.delivered.filter(({ to }) => to === ada.user.email).at(-1);
  expect(told?.subject).toBe("1 of your records was verified, 1 taken back");
  const words = told?.text.replace(/\s+/g, " ");
  expect(words).toContain("Verification withdrawn by the supervisor: I was on leave");
  expect(words).toContain("It can be a mistake. Talk to them, and ask again.");
  expect(words).not.toContain("disown");
  expect((await app.get(`/success?token=${token}`)).status).toBe(200);
  // Again it does nothing, and the page says so.
  expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 0 });
  expect(textOf((await app.get(path)).text)).toContain("1 record is no longer verified");
});

// Catches notices by the exact address: one of a small decoy kept the large verification of the same mailbox back, for ever.
test("verifications in the name of one mailbox are in one notice, however its address is spelled", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const address = freshEmail();
  const spellings = [address.replace("@", "+1@"), address, address.replace("@", "+2@")];
  for (const [index, email] of spellings.entries()) {
    const entry = await ada.addEntry({
      hours: index === 1 ? 12 : 0.5,
      location: index === 1 ? "The large one" : "Decoy",
    });
    const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
    const token = await ada.requestVerification(entry.id, supervisor.id);
    await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." });
  }
  await tick();
  const notices = mailChannels.delivered.filter(({ subject }) => subject.includes("in your name"));
  expect(notices.map(({ to, subject }) => [to, subject])).toEqual([[address, "3 records were verified in your name"]]);
  expect(notices[0]?.text).toContain("The large one");
  expect(notices[0]?.text.replace(/\s+/g, " ")).toContain("These records came by a link");
});

test("emails list records by their date, the oldest first", async () => {
  const ada = await app.register();
  const email = freshEmail();
  const { id: supervisorId } = await ada.addSupervisor({ email });
  const dates = ["2026-11-03", "2026-11-01", "2026-11-02"];
  for (const answer of ["", "/decline"]) {
    mailChannels.reset();
    const records = (await ada.addEntries(dates.map((date, n) => ({ date, hours: n + 1 })))).map(({ id }) => ({
      type: "entry",
      id,
    }));
    const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
    const { verificationToken } = asked.json<{ verificationToken: string }>();
    const body = { supervisorName: "Ola", ...(answer && { reason: "No" }) };
    expect((await app.json("POST", `/api/verify/${verificationToken}${answer}`, body)).status).toBe(200);
    await app.nextDay();
    await app.sweep();
    await tick();
    const list = mailChannels.delivered
      .map(({ text }) => text.match(/\d Nov 2026(?=, Mongstad)/g) ?? [])
      .find((days) => days.length > 0);
    expect([answer, list]).toEqual([answer, ["1 Nov 2026", "2 Nov 2026", "3 Nov 2026"]]);
  }
});

// Catches a notice that sorts by hours alone, in which 20 small entries hide a certificate; and one with the last name alone.
test("a notice of many records lists those without hours and those with the most, and says how many more there are", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email: freshEmail() });
  const records = [];
  for (let n = 0; n < 22; n += 1) {
    const { id } = await ada.addEntry({ hours: n === 21 ? 20 : 0.1, location: n === 21 ? "The large one" : "Decoy" });
    records.push({ type: "entry", id });
  }
  const { id } = (await ada.json("POST", "/api/certificates", aCertificate())).json<{ id: number }>();
  records.push({ type: "certificate", id });
  for (const [supervisorName, some] of [
    ["Ola H.", records],
    ["O. Hansen", [{ type: "entry", id: (await ada.addEntry({ hours: 0.1 })).id }]],
  ] as const) {
    const body = { supervisorId: supervisor.id, records: some };
    const { verificationToken } = (await ada.json("POST", "/api/verification-requests", body)).json<{
      verificationToken: string;
    }>();
    await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName });
  }
  await tick();
  const [notice] = mailChannels.delivered.filter(({ subject }) => subject.includes("in your name"));
  const text = notice?.text.replaceAll("\n", " ");
  expect(text).toContain("The large one");
  expect(text).toContain(aCertificate().title);
  expect(text).toContain("24 records (22.2 hours) were verified in your name as O. Hansen and Ola H. Was");
  expect(text).toContain("And 4 more records not in this list.");
});

// Catches a notice under the name that is stored first; and an erased one, which the API said is always text.
test("a notice is to the newest of the names by which its address was asked before it", async () => {
  const email = freshEmail();
  const verify = async (name: string, address = email) => {
    const ada = await app.register();
    const supervisor = await ada.addSupervisor({ name, email: address });
    const token = await ada.requestVerification((await ada.addEntry()).id, supervisor.id);
    expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." })).status).toBe(200);
  };
  await verify("Hansen, Ola");
  await verify("Ola Hansen");
  await verify("A tag's", email.replace("@", "+tag@"));
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  expect(notice?.text).toContain("Hello Ola Hansen,");
  await verify("Since");
  const told = () =>
    Promise.all(
      ["confirm", "disown"].map(async (use) => {
        const path = `/api${pathIn(notice?.text, use)}`;
        const answer = (await app.get(path)).json<{ supervisor: object }>();
        expect(undescribed("GET", path, 200, answer)).toEqual([]);
        return answer.supervisor;
      }),
    );
  expect(await told()).toEqual(Array(2).fill({ name: "Ola Hansen" }));
  const erase =
    "UPDATE verification_requests SET supervisor_name = NULL, supervisor_email = NULL WHERE supervisor_email";
  await app.db.prepare(`${erase} = ?`).bind(email).run();
  expect(await told()).toEqual(Array(2).fill({ name: "A tag's" }));
  await app.db.prepare(`${erase} LIKE '%+tag@%'`).run();
  expect(await told()).toEqual(Array(2).fill({ name: null }));
});

// Catches a supervisor who notices the mistake after the day's notice, and had to wait for the next one.
test("the link of a notice takes back what was verified in that name since, and nothing of another address", async () => {
  const { ada, email, entry } = await verified();
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const [path, confirmPath] = [pathIn(notice?.text, "disown"), pathIn(notice?.text, "confirm")];
  expect(notice?.text.replaceAll("\n", " ")).toContain("lists what is verified in your name after this email");
  const later: { type: string; id: number }[] = [];
  for (const to of [email, freshEmail(), email.replace("@", "+other@")]) {
    const { id } = await ada.addEntry({ location: `Since, for ${to}` });
    const { id: supervisorId } = await ada.addSupervisor({ email: to });
    const token = await ada.requestVerification(id, supervisorId);
    expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." })).status).toBe(200);
    later.push({ type: "entry", id });
  }
  const [since, ofOther, ofSpelling] = later;
  const page = await app.get(path);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textsOf(page.text, "li")).toEqual([
    expect.stringContaining(`Since, for ${email}`),
    expect.not.stringContaining("Since"),
  ]);
  const listed = (await app.get(`/api${path}`)).json<{ records: { entry: { id: number } }[] }>();
  expect(listed.records.map((one) => one.entry.id)).toEqual([since?.id, entry.id]);
  // Only the records of the notice can be confirmed.
  const toConfirm = (await app.get(`/api${confirmPath}`)).json<{ records: { entry: { id: number } }[] }>();
  expect(toConfirm.records.map((one) => one.entry.id)).toEqual([entry.id]);
  for (const other of [ofOther, ofSpelling]) {
    expect((await app.json("POST", `/api${path}`, { records: [other] })).status).toBe(400);
  }
  const answer = await app.json("POST", `/api${path}`, { records: [since], reason: "By mistake" });
  expect([answer.trips, answer.json()]).toEqual([2, { message: "The records are no longer verified.", disowned: 1 }]);
  const states = (await ada.get("/api/entries")).json<{ id: number; status: string }[]>();
  expect(states.filter(({ status }) => status !== "verified").map(({ id }) => id)).toEqual([since?.id]);
  // A page disowns the records that it shows, and a call without names those of the notice: neither includes later
  // ones.
  const opened = await app.get(path);
  expect(textsOf(opened.text, "li")).toHaveLength(1);
  const third = await ada.addEntry();
  const { id: supervisorId } = await ada.addSupervisor({ email });
  const token = await ada.requestVerification(third.id, supervisorId);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola H." });
  expect((await app.submit(opened, path, {}, "I did not verify this")).status).toBe(303);
  const stateOf = async (id: number) => (await ada.get(`/api/entries/${id}`)).json<{ status: string }>().status;
  expect([await stateOf(entry.id), await stateOf(third.id)]).toEqual(["pending", "verified"]);
  expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 0 });
  expect(await stateOf(third.id)).toBe("verified");
});

test("a supervisor who verified by the mailed link can withdraw it at once, by its secret and not by the bare link", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const email = freshEmail();
  const { id: supervisorId } = await ada.addSupervisor({ name: "Ola Hansen", email });
  const records = (await ada.addEntries(2)).map(({ id }) => ({ type: "entry", id }));
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  const { entry: other } = await ada.addVerifiedEntry();
  await app.idle();
  const mailed = pathIn(mailChannels.delivered.find(({ to }) => to === email)?.text, "verify");
  const query = mailed.slice(mailed.indexOf("?"));
  expect(textOf((await app.get(mailed)).text)).not.toContain("by mistake");
  const form = formIn((await app.get(mailed)).text, mailed);
  const sent = Object.fromEntries(form.values({ supervisorName: "Ola H." }));
  const browser = app.as(new Map());
  const answer = await browser.post(mailed, sent);
  const success = `/success?token=${token}`;
  expect([answer.status, answer.location]).toEqual([303, success]);
  const linkIn = (page: { text: string }) =>
    tagsOf(page.text, "a").find(({ href }) => href?.startsWith("/disown/"))?.href;
  const waysIn = (page: { text: string }) =>
    tagsOf(page.text, "form").flatMap(({ action }) => (action?.startsWith("/disown/") ? [action] : []));
  const after = await browser.follow(answer);
  const disownPath = linkIn(after) ?? "";
  expect(disownPath).toMatch(new RegExp(`^/disown/${token}\\?back=[\\w-]{22}$`));
  expect(textOf(after.text)).toContain("I verified some of these by mistake");
  expect(after.text).not.toContain(query.slice(3)); // the secret that verifies
  expect(textOf((await app.get(success)).text)).toContain("Open the link in your email again, and say so there.");
  expect(waysIn(await app.get(mailed))).toEqual([disownPath, disownPath]);
  const damaged = (path: string) => `${path.slice(0, -8)}xxxxxxxx`;
  for (const bare of [`/success?token=${token}`, `/verify/${token}`, damaged(mailed)]) {
    expect([bare, (await app.get(bare)).text.includes("/disown/")]).toEqual([bare, false]);
  }
  const back = disownPath.slice(disownPath.indexOf("?"));
  for (const wrong of [`/disown/${token}`, damaged(disownPath), `/confirm/${token}${back}`]) {
    expect([wrong, (await app.get(wrong)).status]).toEqual([wrong, 404]);
    expect([wrong, (await app.json("POST", `/api${wrong}`, {})).status]).toEqual([wrong, 404]);
  }
  expect((await ada.json("POST", `/api${disownPath}`, {})).status).toBe(403);
  const ofOther = { records: [{ type: "entry", id: other.id }] };
  expect((await app.json("POST", `/api${disownPath}`, ofOther)).status).toBe(400);

  const page = await app.get(disownPath);
  expect([page.status, page.trips, textOf(page.text)]).toEqual([
    200,
    1,
    expect.stringContaining("Did you verify these? 2 records were verified in the name of Ola Hansen"),
  ]);
  const again = await app.get(mailed);
  const chosen = { "records[0].key": `entry:${records[0]?.id}` };
  const taken = await app.submit(again, disownPath, chosen, "Withdraw what is marked");
  expect([taken.status, taken.location]).toEqual([303, disownPath]);
  expect(textOf((await app.get(disownPath)).text)).toContain("1 record is no longer verified");
  const entries = (await ada.get("/api/entries")).json<{ id: number; status: string }[]>();
  expect(entries.filter(({ status }) => status === "pending").map(({ id }) => id)).toEqual([records[0]?.id]);
  const history = (await ada.get(`/api/entries/${records[0]?.id}/verification`)).json<{
    log: { event: string; reason: string | null }[];
    intact: boolean;
  }>();
  expect([history.log.at(-1), history.intact]).toMatchObject([
    { event: "disowned", reason: "I verified it by mistake" },
    true,
  ]);
  expect(textOf((await app.get(success)).text)).toContain(
    "1 record verified here, and later withdrawn by the supervisor",
  );
  // The other person who used the bare link first is named, and can be disowned in the same way.
  expect((await app.json("POST", `/api/disown/${token}${query}`, {})).json()).toMatchObject({ disowned: 1 });
  const withdrawn = await app.get(mailed);
  expect([withdrawn.status, waysIn(withdrawn)]).toEqual([200, []]);
  expect(textsOf(withdrawn.text, "h1")).toEqual([expect.stringMatching(/^You answered on \d+ \w+: 2 withdrawn$/)]);
});

test("the owner of a mailbox can say at the mailed link that someone else has verified by the bare one", async () => {
  const { token, request } = await verified();
  const mailed = pathIn(request?.text, "verify");
  const page = await app.get(mailed);
  // Not *You answered*: it is not certain who did.
  expect(textsOf(page.text, "h1")).toEqual([expect.stringMatching(/^Answered on \d+ \w+: verified$/)]);
  const [way] = tagsOf(page.text, "form").flatMap(({ action }) => action ?? []);
  expect(way).toMatch(new RegExp(`^/disown/${token}\\?back=`));
  expect(textsOf(page.text, "summary")).toContain("It was not me who answered");
  const bare = textOf((await app.get(`/verify/${token}`)).text);
  expect(bare).toContain("Verification Failed");
  expect(bare).not.toContain("It was not me");
  // Either way back leads to the page that says what is no longer verified.
  const taken = await app.submit(page, way ?? "", {}, "Withdraw it");
  expect(textOf((await app.get(taken.location ?? "")).text)).toContain("1 record is no longer verified");
});

test("a disowned record can be asked for, and verified, again with a new link", async () => {
  const { ada, entry, email, token } = await verified();
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const path = pathIn(notice?.text, "disown");
  // A supervisor who verified by mistake can say so: that it was someone else would be untrue.
  expect(textOf((await app.get(path)).text)).toContain("I verified this by mistake");
  expect((await app.post(path, { reason: "Another job", mistake: "1", whole: "1" })).status).toBe(303);
  expect((await app.get(`/api/verify/${token}`)).status).toBe(409);
  const next = await ada.requestVerification(entry.id);
  expect(next).not.toBe(token);
  expect((await app.json("POST", `/api/verify/${next}`, { supervisorName: "Kari Dahl" })).status).toBe(200);
  // The old notice does not reach the new verification.
  expect((await app.json("POST", `/api${path}`, {})).json()).toMatchObject({ disowned: 0 });
  const history = (await ada.get(`/api/entries/${entry.id}/verification`)).json<{
    log: { reason: string | null }[];
    intact: boolean;
  }>();
  expect(history.intact).toBe(true);
  expect(history.log.map(({ reason }) => reason)).toContain("I verified it by mistake: Another job");
});

// Catches records that are read one by one: a request has up to 100.
test("the email about disowned hours is composed in one round trip, however many they are", async () => {
  const { ada, answer } = await askAbout(app, 20);
  expect((await answer({})).status).toBe(200);
  await tick();
  const notice = mailChannels.delivered.find(
    ({ to, subject }) => to === "ingrid@refinery.example" && subject.includes("in your name"),
  );
  await app.json("POST", `/api${pathIn(notice?.text, "disown")}`, {});
  await app.idle();
  const about = sql`kind = 'hours_verified' AND user_id = ${ada.user.id}`;
  const [message] = await connect(stoppingDatabase(app.db, Number.POSITIVE_INFINITY, false).database)
    .select()
    .from(outbox)
    .where(about)
    .orderBy(sql`id DESC`);
  if (!message) throw new Error("nothing was queued");
  const db = connect(stoppingDatabase(app.db, 2, false).database);
  const context = { db, origin: "http://hours.example.com", secret: "not used here", now: new Date(Date.now() + HOUR) };
  const email = await digest.compose(context, message);
  if (!isEmail(email)) throw new Error("nothing is to be sent");
  expect(email.subject).toBe("Ingrid Solheim took back the verification of 21 records");
});

test("50 concurrent disownings of one notice disown each record once", async () => {
  const { entry, email } = await verified();
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const path = `/api${pathIn(notice?.text, "disown")}`;
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.json("POST", path, {})));
  const sum = answers.reduce((all, answer) => all + (answer.json<{ disowned?: number }>().disowned ?? 0), 0);
  expect(sum).toBe(1);
  expect(await count(app.db, "verification_log", "record_id = ? AND event = 'disowned'", entry.id)).toBe(1);
});

test("a link to disown that is wrong, of another notice, or expired is 404 and changes nothing", async () => {
  const { entry, email } = await verified();
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const path = pathIn(notice?.text, "disown");
  const other = path.replace(/\/(\d+)\./, (_all, id) => `/${Number(id) - 1}.`);
  for (const wrong of [path.slice(0, -1), other, "/disown/1", "/disown/x.y"]) {
    expect([wrong, (await app.get(wrong)).status]).toEqual([wrong, 404]);
    expect([wrong, (await app.json("POST", `/api${wrong}`, {})).status]).toEqual([wrong, 404]);
  }
  await app.db.prepare("UPDATE supervisor_notices SET created_at = 1, expires_at = 2").run();
  expect((await app.get(path)).status).toBe(404);
  expect((await app.json("POST", `/api${path}`, {})).status).toBe(404);
  expect(await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id)).toEqual([{ verified: 1 }]);
});

test("every email to a supervisor has a link that stops them all, for mail clients too; then the address is not written to", async () => {
  const { ada, email, request } = await verified();
  expect(request?.text).toContain("Stop all emails from Hours Tracker to this address:");
  const path = pathIn(request?.text, "unsubscribe");
  expect((await app.get(path)).trips).toBe(1);
  expect(await count(app.db, "suppressed_addresses")).toBe(0); // a mail scanner opens every link
  const oneClick = await app.post(path, { "List-Unsubscribe": "One-Click" });
  expect([oneClick.status, textOf(oneClick.text)]).toEqual([
    200,
    expect.stringContaining("This address gets no more emails"),
  ]);
  expect((await app.post(path, {})).status).toBe(200);
  expect((await app.get(path.slice(0, -1))).status).toBe(404);
  expect(JSON.stringify(await rows(app.db, "SELECT * FROM suppressed_addresses"))).not.toContain(email.split("@")[0]);
  mailChannels.reset();
  await tick();
  const [{ id: supervisorId } = { id: 0 }] = (await ada.get("/api/supervisors")).json<{ id: number }[]>();
  const asked = await ada.json("POST", `/api/verify-request/${(await ada.addEntry()).id}`, { supervisorId });
  expect(asked.json()).toMatchObject({ emailed: false, verificationUrl: expect.any(String) });
  const attempts = await count(app.db, "attempts");
  await app.json("POST", "/api/supervisor-inbox", { email });
  expect(await count(app.db, "attempts")).toBe(attempts + 1); // of the network; seen: one of the emails to the address, too
  await tick();
  // Verifications in its name from before are mailed once.
  const subjects = mailChannels.delivered.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(subjects).toEqual(["1 record was verified in your name"]);
});

test("the record says that an address which stopped all emails gets the notice of one verification and not of later ones", async () => {
  const SAID = "asked for no more emails, so it gets none about this verification in its name";
  const { ada, request } = await verified();
  const [{ id: supervisorId } = { id: 0 }] = (await ada.get("/api/supervisors")).json<{ id: number }[]>();
  const historyOf = async (id: number) => {
    const page = textOf((await ada.get(`/profile/record/${id}`)).text).includes(SAID);
    const { notTold } = (await ada.get(`/api/entries/${id}/verification`)).json<{ notTold: boolean }>();
    return [page, notTold];
  };
  const verify = async (id: number) =>
    app.json("POST", `/api/verify/${await ada.requestVerification(id, supervisorId)}`, {
      supervisorName: "Ola Hansen",
    });
  // This one waits for the next notice when the address asks for no more.
  await tick();
  const waiting = await ada.addEntry();
  await verify(waiting.id);
  await tick();
  expect(await historyOf(waiting.id)).toEqual([false, false]);
  await app.post(pathIn(request?.text, "unsubscribe"), {});
  await tick();
  expect(await historyOf(waiting.id)).toEqual([false, false]);
  // Its day comes, and with it the one notice that still goes out.
  await app.nextDay();
  await tick();
  expect(await historyOf(waiting.id)).toEqual([false, false]);
  // That one is verified later.
  const later = await ada.addEntry();
  expect(await historyOf(later.id)).toEqual([false, false]);
  await verify(later.id);
  expect(await historyOf(later.id)).toEqual([true, true]);
  // A notice of an earlier verification still counts as sent.
  const told = (await ada.get("/api/entries")).json<{ id: number; verified: boolean }[]>().at(-1);
  expect(await historyOf(told?.id ?? 0)).toEqual([false, false]);
});

// Catches an own request that has ended: its dead link was shown, and withdrawing it was tried until it was given up.
test("a record that was verified through another link and then disowned has no own request", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const { id } = await ada.addEntry();
  const own = await ada.requestVerification(id);
  const email = freshEmail();
  const { id: supervisorId } = await ada.addSupervisor({ email });
  const request = { supervisorId, records: [{ type: "entry", id }] };
  const made = await ada.json("POST", "/api/verification-requests", request);
  const { verificationToken } = made.json<{ verificationToken: string }>();
  expect((await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola" })).status).toBe(200);
  const [before] = await rows(app.db, "SELECT verification_token FROM entries WHERE id = ?", id);
  expect(before).toEqual({ verification_token: own });
  await tick();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const disowned = await app.json("POST", `/api${pathIn(notice?.text, "disown")}`, {});
  expect(disowned.json()).toMatchObject({ disowned: 1 });

  expect((await ada.json("POST", "/api/verification-requests", request)).status).toBe(201);
  expect((await ada.get(`/profile?request=${id}&link=1`)).text).not.toContain(own);
  const withdrawn = await ada.json("DELETE", `/api/verify-request/${id}`);
  expect([withdrawn.status, withdrawn.json()]).toEqual([
    409,
    { code: "request_ended", message: "No verification request is open, so there is nothing to withdraw." },
  ]);
  expect(await ada.requestVerification(id)).not.toBe(own);
});
