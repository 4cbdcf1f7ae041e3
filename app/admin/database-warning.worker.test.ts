import { expect, test } from "vitest";
import { DAY_MS } from "#app/calendar-date.ts";
import { textOf } from "#tests/worker/html.ts";
import { sendCsv } from "#tests/worker/imports.ts";
import { type MailApp, startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * The limit of the database: from 80 % on the admins get an email, from 90 % on new accounts and imports are refused and all else
 * goes on. Catches a size that is known only some time after a start: the first request of an app is refused here.
 */

const sizeOf = async ({ db }: Pick<MailApp, "db">) => (await db.prepare("SELECT 1").run()).meta.size_after;

const size = await sizeOf(await startMailApp());

/** An app whose new database fills this percentage of its limit. */
const filledTo = (percent: number) => startMailApp({ DATABASE_LIMIT: String(Math.floor((size * 100) / percent)) });

const CSV = "Date,Location,Method,Hours\n2026-11-20,Rig,MT,7.5";
const REFUSED = "are refused until there is room. Please tell the person who runs it, and try again later.";

const registration = (name: string) => ({ email: `${name}@example.com`, password: PASSWORD, name: "Kari Nordmann" });

test("below 80 % of the limit no email is sent, and System has the limit", async () => {
  const app = await filledTo(70);
  const admin = await app.register({ isAdmin: true });
  await app.tick(new Date());
  await app.idle();
  expect(await app.messages(admin)).toEqual([]);
  const { database } = (await admin.get("/api/admin/system")).json<{ database: { bytes: number; limit: number } }>();
  expect(database).toEqual({ bytes: await sizeOf(app), limit: Math.floor((size * 100) / 70) });
});

test("from 80 % on the log and one email a day warn the admins, and nothing is refused", async () => {
  const app = await filledTo(82);
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  // The timer takes no time that is past.
  const now = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 3);
  for (const minutes of [0, 1, 600]) {
    await app.tick(new Date(now.getTime() + minutes * 60_000));
    await app.idle();
  }
  const sent = () => app.mailChannels.delivered.filter(({ subject }) => subject.startsWith("The database of"));
  expect(sent()).toMatchObject([
    { to: admin.user.email, subject: expect.stringMatching(/^The database of Hours Tracker is 8\d % full$/) },
  ]);
  expect(sent()[0]?.text).toMatch(/From 90 % on new accounts and imports\s+are refused, and all else goes on\./);
  await app.tick(new Date(now.getTime() + DAY_MS));
  await app.idle();
  expect(sent()).toHaveLength(2);
  const lines = await app.logged(({ event }) => event === "database filling");
  expect(lines.find(({ event }) => event === "database filling")).toMatchObject({ level: "warn" });
  const page = textOf((await admin.get("/admin/system")).text);
  expect(page).toMatch(/Database 8\d % of its limit/);
  expect((await app.json("POST", "/api/auth/register", registration("eighty"))).status).toBe(201);
  expect((await sendCsv(kari, CSV)).status).toBe(201);
});

test("from 90 % on new accounts and imports are 503 with the reason, and all else goes on", async () => {
  const app = await filledTo(95);
  const refused = await app.json("POST", "/api/auth/register", registration("ninety"));
  expect([refused.status, refused.headers.get("Retry-After"), refused.json()]).toEqual([
    503,
    "3600",
    { code: "database_full", message: expect.stringContaining(`so new accounts ${REFUSED}`) },
  ]);
  const register = "/auth?tab=register";
  const form = await app.submit(await app.get(register), register, registration("ninety"));
  expect([form.status, form.headers.get("Retry-After")]).toEqual([503, "3600"]);
  expect(textOf(form.text)).toContain(`so new accounts ${REFUSED}`);
  const kari = await app.register();
  const { id } = await kari.addEntry();
  expect((await kari.json("PATCH", `/api/entries/${id}`, { hours: 8 })).status).toBe(200);
  const upload = await sendCsv(kari, CSV);
  expect([upload.status, upload.trips, upload.json()]).toEqual([
    503,
    1,
    { code: "database_full", message: expect.stringContaining(`so imports ${REFUSED}`) },
  ]);
  expect((await app.json("POST", "/api/auth/login", { email: kari.user.email, password: PASSWORD })).status).toBe(200);
});
