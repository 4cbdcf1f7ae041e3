import { expect, test } from "vitest";
import { daysBetween } from "#app/calendar-date.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { rows } from "#tests/worker/database.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { insertVerified } from "#tests/worker/stored-export.ts";

/*
 * The cost of accounts with the longest texts: four bytes a character, and characters that JSON and HTML escape. Seen
 * to fail: `GET /api/entries` had 17 MB, `GET /api/admin/entries` 34 MB, the print of an export 43 MB, `GET
 * /api/check/{code}` 17 MB.
 */

const app = await startApp();
const { db } = app;

const wide = (count: number) => "😀".repeat(count);
const quotes = (count: number) => '"'.repeat(count);

/** 8,000 bytes. */
const LARGEST = {
  location: wide(200),
  details: { employer: wide(200), jobNumber: wide(200), sector: wide(200), testObject: wide(200), note: wide(1_000) },
};
const PART = 2_000_000;

/** `npm run safe` searches as many records as an account may have. */
const LARGE = process.env.SAFE ? 20_000 : 4_000;

interface Stored {
  kind: "entry" | "rope_hour";
  count: number;
  location: string;
  fields: object;
  search?: string;
}

/** Stores records, one on each day from 2000 on. */
async function store(userId: number, { kind, count, location, fields, search = "" }: Stored): Promise<number[]> {
  const stored = await rows<{ id: number }>(
    db,
    `WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < ?6 - 1)
      INSERT INTO records (user_id, kind, date, end_date, location, method, hours, fields, search, created_at)
      SELECT ?1, ?2, date('2000-01-01', n || ' days'), iif(?2 = 'entry', NULL, date('2000-01-02', n || ' days')), ?3,
        iif(?2 = 'entry', 'MT', NULL), 100, ?4, ?5, 1 FROM days RETURNING id`,
    ...[userId, kind, location, JSON.stringify(fields), search, count],
  );
  return stored.map(({ id }) => id);
}

const nextOf = (link: string | null) => link?.match(/^<http:\/\/localhost(\/[^>]+)>; rel="next"$/)?.[1];

/** The ids of a list, page by page as `Link` leads, and the bytes of each page. */
async function pagesOf(who: Client, path: string) {
  const ids: number[] = [];
  const bytes: number[] = [];
  for (let next: string | undefined = path; next; ) {
    const answer: Awaited<ReturnType<Client["get"]>> = await who.get(next);
    expect([next, answer.status, answer.trips]).toEqual([next, 200, 1]);
    bytes.push(Buffer.byteLength(answer.text));
    ids.push(...answer.json<{ id: number }[]>().map(({ id }) => id));
    next = nextOf(answer.headers.get("Link"));
  }
  return { ids, bytes };
}

test("a list ends at 2 MB, and Link leads through all records once, large and small, on each border", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { location, ...fields } = LARGEST;
  const stored = [
    ...(await store(kari.user.id, { kind: "entry", count: 300, location, fields })),
    ...(await store(kari.user.id, { kind: "entry", count: 300, location: "x", fields: {} })),
    // Each of these is more than a half of what fits.
    ...(await store(kari.user.id, {
      kind: "entry",
      count: 3,
      location: "x",
      fields: { details: { note: "x".repeat(1_300_000) } },
    })),
  ];
  const rope = await store(kari.user.id, {
    kind: "rope_hour",
    count: 900,
    location,
    fields: { skills: quotes(2_000) },
  });
  const order = "SELECT id FROM records WHERE user_id = ? AND kind = ? ORDER BY";
  const idsIn = async (kind: string, by: string) =>
    (await rows<{ id: number }>(db, `${order} ${by}`, kari.user.id, kind)).map(({ id }) => id);
  for (const [who, path, ids] of [
    [kari, "/api/entries", await idsIn("entry", "date DESC, id DESC")],
    [kari, "/api/entries?limit=70&status=pending", await idsIn("entry", "date DESC, id DESC")],
    [kari, "/api/rope-hours", await idsIn("rope_hour", "date DESC, id DESC")],
    [admin, "/api/admin/entries", await idsIn("entry", "id DESC")],
    [admin, `/api/admin/rope-hours?user=${kari.user.id}`, await idsIn("rope_hour", "date DESC, id DESC")],
  ] as const) {
    const pages = await pagesOf(who, path);
    expect(pages.ids).toEqual(ids);
    expect(Math.max(...pages.bytes)).toBeLessThanOrEqual(PART);
    expect(pages.bytes.length).toBeGreaterThan(1);
  }
  expect([stored.length, rope.length]).toEqual([603, 900]);

  const [csv, json] = [await kari.get("/api/export.csv"), await kari.get("/api/export.json")];
  expect(csv.text.split("\r\n")).toHaveLength(605);
  const all = json.json<{ entries: { id: number }[]; ropeHours: { id: number }[] }>();
  expect(all.entries.map(({ id }) => id)).toEqual(await idsIn("entry", "date, id"));
  const list = await admin.get("/api/admin/export.csv?tab=entries");
  expect(list.text.split("\r\n").length).toBeGreaterThan(600);
});

test("lists of supervisors, requests and users end at 2 MB", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const long = wide(200);
  await rows(
    db,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, role, created_at)
      SELECT ?1, ?2, 'ola@example.org', n || '@example.org', ?2, 'Level II', ?2, ?2, 1 FROM numbers`,
    ...[kari.user.id, long],
  );
  const records = await store(kari.user.id, { kind: "entry", count: 100, location: "x", fields: {} });
  for (let count = 0; count < 30; count++) {
    await storeRequest(db, { userId: kari.user.id, records: records.map((id) => ({ type: "entry", id })) });
  }
  await rows(db, "UPDATE verification_items SET state = 'declined', reason = ?, decided_at = 1", wide(500));
  await rows(
    db,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1500)
      INSERT INTO users (email, password, name, employee_number, search, created_at)
      SELECT 'u' || n || '@example.org', '$scrypt$', ?, ?, '', 1 FROM numbers`,
    ...[long, long],
  );
  for (const [who, path, count] of [
    [kari, "/api/supervisors", 1_000],
    [kari, "/api/verification-requests", 30],
    [admin, "/api/admin/users", (await rows(db, "SELECT id FROM users")).length],
  ] as const) {
    const { ids, bytes } = await pagesOf(who, path);
    expect([path, ids.length, new Set(ids).size]).toEqual([path, count, count]);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(PART);
    expect(bytes.length).toBeGreaterThan(1);
  }
});

test("a page of 100 records with the longest texts has at most 2 MB", async () => {
  const kari = await app.register();
  const fields = {
    skills: quotes(2_000),
    details: {
      ...{ employer: quotes(200), jobNumber: quotes(200), industry: quotes(200), structure: quotes(200) },
      ...{ tasks: quotes(200), note: quotes(1_000) },
    },
  };
  const ids = await store(kari.user.id, { kind: "rope_hour", count: 100, location: quotes(200), fields });
  const { id, path, token } = await storeRequest(db, {
    userId: kari.user.id,
    records: ids.map((id) => ({ type: "rope_hour", id })),
  });
  for (const [who, page] of [
    ...[[kari, "/rope-hours"] as const, [kari, "/requests/new"] as const, [kari, `/requests/${id}`] as const],
    ...[[app, path] as const, [app, `/api${path}`] as const],
  ]) {
    const answer = await who.get(page);
    expect([page, answer.status]).toEqual([page, 200]);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(PART);
  }
  const answer = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  expect([answer.status, answer.json<{ verified: number }>().verified]).toEqual([200, 100]);
  const success = await app.get(`/success?token=${token}`);
  expect([success.status, Buffer.byteLength(success.text) < PART]).toEqual([200, true]);
});

test("a form has at most 2 MB of texts, and the message says in which parts to export the rest", async () => {
  const kari = await app.register({ name: "Kari" });
  const { location, ...fields } = LARGEST;
  for (let start = 0; start < 300; start += 100) {
    const list = Array.from({ length: 100 }, (_, index) => ({ days: start + index, location, fields }));
    await insertVerified(db, kari.user.id, list);
  }
  const make = (choice: object) => kari.json("POST", "/api/exports", { form: "detailed-log", ...choice });
  const refused = await make({});
  const text = refused.json<{ message: string }>().message;
  const dates =
    /^One form has at most 2,000 records and 2 MB of text\. Yours are more: export those to (.+) first, then those from (.+)\.$/;
  const [to, from] = (dates.exec(text)?.slice(1) ?? []).map((day) => new Date(`${day} UTC`).toISOString().slice(0, 10));
  expect([refused.status, refused.trips, refused.json()]).toEqual([
    ...[409, 1, { code: "export_too_large", message: text }],
  ]);
  expect(daysBetween(to ?? "", from ?? "")).toBe(1);
  const printed = await kari.get("/profile/print?form=detailed-log");
  expect([printed.status, (await kari.follow(printed)).text.includes(text)]).toEqual([303, true]);
  const parts = [await make({ to }), await make({ from })];
  const made = parts.map((answer) => answer.json<{ code: string; id: number; form: { rows: unknown[] } }>());
  expect(made.reduce((sum, { form }) => sum + form.rows.length, 0)).toBe(300);
  for (const [index, { code, id }] of made.entries()) {
    expect(Buffer.byteLength(parts[index]?.text ?? "")).toBeLessThan(1.1 * PART);
    const { records } = (await app.get(`/api/check/${code}`)).json<{ records: unknown[] }>();
    expect(records.length).toBeGreaterThan(50);
    const print = await kari.get(`/profile/print/${id}`);
    expect([print.status, Buffer.byteLength(print.text) < 3 * PART]).toEqual([200, true]);
  }
  // Without their details the records are small.
  expect((await make({ form: "ojt" })).json<{ form: { rows: unknown[] } }>().form.rows).toHaveLength(300);
});

test("a search of the largest account takes steps, finds and adds up all, and others need not wait", async () => {
  const kari = await app.register();
  const { location, ...fields } = LARGEST;
  const search = `${"x".repeat(7_990)} needle`;
  await store(kari.user.id, { kind: "entry", count: LARGE, location, fields, search: "x".repeat(8_000) });
  const [first] = await store(kari.user.id, { kind: "entry", count: 120, location: "Sture", fields: {}, search });
  const page = await kari.get("/profile?q=needle");
  expect(page.text).toContain("120 records");
  expect(page.trips).toBeGreaterThan(1);
  expect((await kari.get("/profile?q=nothing")).text).toContain("0 records");
  // A method is found in its column.
  expect((await kari.get("/api/entries?q=mt&limit=5")).json()).toHaveLength(5);
  const found = await kari.get("/api/entries?q=needle");
  expect(found.json<{ id: number }[]>().map(({ id }) => id)).toContain(first);
  const admin = await app.register({ isAdmin: true });
  const list = await admin.get("/admin?tab=entries&search=needle");
  expect([list.text.match(/Sture/g)?.length, list.trips]).toEqual([50, 1]);
  expect((await admin.get("/admin?tab=entries&search=nothing")).trips).toBeGreaterThan(1);
  const csv = await admin.get("/api/admin/export.csv?tab=entries&search=needle");
  expect(csv.text.match(/Sture/g)).toHaveLength(120);

  const bob = await app.register();
  await bob.addEntry({ location: "Sture" });
  expect((await bob.get("/profile?q=sture")).trips).toBe(1);
  let isOver = false;
  let others = 0;
  const searched = kari.get("/profile?q=nothing").finally(() => (isOver = true));
  while (!isOver) {
    await app.get("/healthz");
    others += 1;
  }
  await searched;
  // In one statement it is one or two: the thread has time for no other request.
  expect(others).toBeGreaterThan(5);
});
