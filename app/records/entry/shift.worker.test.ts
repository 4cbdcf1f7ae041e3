import { beforeEach, expect, test } from "vitest";
import { snapshotOf } from "#tests/safe/snapshot.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

/* Shift cards without JavaScript: a card is made of a record or of what is typed, and opened by its query. */

const app = await startApp();
const FORM = "/profile/entries";
const TODAY = "2026-11-29";

beforeEach(() => app.setClock(new Date(`${TODAY}T10:00:00Z`)));

const JOB = { date: TODAY, location: "Quay 5", method: "UT_THK", hours: 7.5, details: { jobNumber: "J-2231" } };

/** The supervisor that the dialog begins with: an id, or `new`. */
function chosenIn(dialog: Answer): string | undefined {
  return tagsOf(dialog.text, "input").find((tag) => tag.name === "supervisor" && "checked" in tag)?.value;
}

function linkOn(page: Answer): URL {
  return new URL(tagsOf(page.text, "input").find(({ id }) => id === "link")?.value ?? "");
}

/** Shares an entry that Mia has logged and asked Ola to verify. */
async function shared(): Promise<{ mia: Technician; page: Answer }> {
  const mia = await app.register({ name: "Mia Chen" });
  const ola = await mia.addSupervisor({ name: "Ola Hansen", email: "ola@example.org" });
  const { id } = await mia.addEntry(JOB);
  await mia.requestVerification(id, ola.id);
  const page = await mia.submit(await mia.get(`/profile/record/${id}`), "/shift", {}, "Share this shift");
  return { mia, page };
}

test("a saved record becomes a link of at most 300 characters whose fragment holds the job and the supervisor", async () => {
  const { page } = await shared();
  const link = linkOn(page);
  expect(link.href.length).toBeLessThanOrEqual(300);
  expect([link.pathname, link.search]).toEqual(["/shift", ""]);
  expect(Object.fromEntries(new URLSearchParams(link.hash.slice(1)))).toMatchObject({
    d: TODAY,
    p: "Quay 5",
    m: "UT_THK",
    j: "J-2231",
    s: "Ola Hansen",
    e: "ola@example.org",
  });
  expect(textOf(page.text)).toContain("Job Location Quay 5 NDT Method UT Thk. Job or report No. J-2231");
});

test("making and opening a card stores nothing", async () => {
  const { mia } = await shared();
  const before = await snapshotOf(app.db);
  await mia.post("/shift", { "entries[0].location": "Quay 5", "entries[0].date": TODAY });
  await mia.get("/shift?p=Quay+5&s=Ola");
  expect(await snapshotOf(app.db)).toEqual(before);
});

test("what is typed beside the form is shared before it is saved", async () => {
  const mia = await app.register();
  const log = await mia.get("/profile");
  expect(log.text).toContain('form="entry"');
  const sent = { "entries[0].date": TODAY, "entries[0].location": "Tank 12", "details.jobNumber": "J-9", share: "" };
  const card = new URLSearchParams(linkOn(await mia.post("/shift", sent)).hash.slice(1));
  expect(Object.fromEntries(card)).toEqual({ d: TODAY, p: "Tank 12", j: "J-9" });
  expect((await mia.get("/api/entries")).json()).toEqual([]);
  const refused = await mia.post("/shift", { ...sent, "entries[0].location": " " });
  expect(refused.status).toBe(400);
  expect(textOf(refused.text)).toContain("A shift has at least a place. Go back, type it");
});

test("the supervisor on the card can be changed and left out", async () => {
  const { mia, page } = await shared();
  await mia.addSupervisor({ name: "Ida Lie", email: "ida@example.org" });
  const other = await mia.submit(page, "/shift", { supervisor: "" }, "Change");
  expect(linkOn(other).hash).not.toContain("ola");
  const ida = await mia.submit(other, "/shift", { supervisor: "ida@example.org" }, "Change");
  expect(linkOn(ida).hash).toContain("ida%40example.org");
});

test("the form that a query fills in is saved, and the request begins with the card's supervisor", async () => {
  const jo = await app.register({ name: "Jo Berg" });
  const page = await jo.get(`/shift?d=${TODAY}&p=Quay+5&m=UT_THK&j=J-2231&s=Ola+Hansen`);
  expect(Object.fromEntries(formIn(page.text, FORM).fields)).toMatchObject({
    "entries[0].date": TODAY,
    "entries[0].location": "Quay 5",
    "entries[0].method": "UT_THK",
    "entries[0].hours": "",
    "details.jobNumber": "J-2231",
  });
  expect(textOf(page.text)).toContain("look at what is filled in, and type your hours. Supervisor: Ola Hansen.");
  expect((await jo.get("/api/entries")).json()).toEqual([]);
  const dialog = await jo.follow(await jo.submit(page, FORM, { "entries[0].hours": "7,5" }, "Save Entries"));
  expect(textOf(dialog.text)).toContain("Entries added");
  expect(chosenIn(dialog)).toBe("new");
  expect(formIn(dialog.text, "/profile/request").fields.get("name")).toBe("Ola Hansen");
  expect(await rows(app.db, "SELECT location, hours FROM entries WHERE user_id = ?", jo.user.id)).toEqual([
    { location: "Quay 5", hours: 7.5 },
  ]);
});

test("a supervisor of the card who is in the list already is chosen", async () => {
  const jo = await app.register({ name: "Jo Berg" });
  const ola = await jo.addSupervisor({ name: "Ola H.", email: "ola@example.org" });
  await jo.addSupervisor({ name: "Ida Lie", email: "ida@example.org" });
  const page = await jo.get("/shift?p=Quay+5&s=Ola+Hansen");
  const typed = { "entries[0].method": "MT", "entries[0].hours": "8", card: "s=Ola+Hansen&e=ola%40example.org" };
  const dialog = await jo.follow(await jo.submit(page, FORM, typed, "Save Entries"));
  expect(chosenIn(dialog)).toBe(String(ola.id));
});

test("a refused form keeps the card's supervisor", async () => {
  const jo = await app.register({ name: "Jo Berg" });
  const page = await jo.get("/shift?p=Quay+5&s=Ola+Hansen");
  const refused = await jo.submit(page, FORM, { "entries[0].hours": "0" }, "Save Entries");
  expect(refused.status).toBe(400);
  const saved = await jo.submit(refused, FORM, { "entries[0].method": "MT", "entries[0].hours": "8" }, "Save Entries");
  expect(formIn((await jo.follow(saved)).text, "/profile/request").fields.get("name")).toBe("Ola Hansen");
});

test("technicians without a name and several rows get the log, where the request is one tap away", async () => {
  const jo = await app.register({ name: null });
  const page = await jo.get("/shift?p=Quay+5&m=MT&s=Ola+Hansen");
  const saved = await jo.submit(page, FORM, { "entries[0].hours": "8" }, "Save Entries");
  expect(saved.headers.get("Location")).toMatch(/^\/profile\?saved=\d+$/);
});

const WRONG = {
  "d=2027-11-29": "date",
  "m=XYZ": "method",
  "x=1": "what is unknown or too long",
  "e=ola": "supervisor",
};

test.each(Object.entries(WRONG))("a card with %s fills in the rest and says what was left out", async (text, left) => {
  const jo = await app.register();
  const page = await jo.get(`/shift?p=%3Cb%3EQuay%3C%2Fb%3E&${text}`);
  expect(page.status).toBe(200);
  expect(textsOf(page.text, "p", "data-own")[0]).toContain(`Left out, as it cannot be used: ${left}.`);
  expect(page.text).not.toContain("<b>Quay");
  expect(formIn(page.text, FORM).fields.get("entries[0].location")).toBe("<b>Quay</b>");
  expect(formIn(page.text, FORM).fields.get("entries[0].method")).toBe("");
});

test("of a card of 10 kB and of one's own address as the supervisor's nothing is used", async () => {
  const jo = await app.register();
  const long = await jo.get(`/shift?p=Quay&j=${"x".repeat(10_000)}`);
  expect(textOf(long.text)).toContain("Left out, as it cannot be used: what is unknown or too long.");
  expect(formIn(long.text, FORM).fields.get("entries[0].location")).toBe("");
  const own = await jo.get(`/shift?p=Quay&s=Jo&e=${encodeURIComponent(jo.user.email)}`);
  expect(textOf(own.text)).toContain("Left out, as it cannot be used: supervisor.");
  expect(textOf(own.text)).not.toContain("Supervisor: Jo");
});

test("a link that has lost its card says so without JavaScript", async () => {
  const jo = await app.register();
  const page = await jo.get("/shift");
  expect(textsOf(page.text, "noscript")[0]).toContain("The link has lost its shift. Scan the code again");
});

test("without JavaScript a card goes through signing in and registering", async () => {
  const query = "/shift?d=2026-11-29&p=Quay+5&m=UT_THK";
  const visitor = app.as(new Map());
  const away = await visitor.get(query);
  const signIn = await visitor.follow(away);
  expect(textOf(signIn.text)).toContain("Log in or register. The form of your shift comes next.");
  const register = tagsOf(signIn.text, "a").find(({ href }) => href?.includes("tab=register"))?.href ?? "";
  const email = `newcomer-${crypto.randomUUID()}@example.com`;
  const back = await visitor.submit(await visitor.get(register), register, { email, password: PASSWORD }, "Register");
  expect(back.headers.get("Location")).toBe(query);
  expect(formIn((await visitor.follow(back)).text, FORM).fields.get("entries[0].location")).toBe("Quay 5");
});

test("what is no field of a card is not carried through signing in", async () => {
  const visitor = app.as(new Map());
  expect((await visitor.get("/requests?x=1")).headers.get("Location")).toBe("/auth?next=/requests");
  expect((await visitor.get("/shift?token=secret")).headers.get("Location")).toBe("/auth?next=/shift");
});
