import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { insertVerified } from "#tests/worker/stored-export.ts";

const app = await startApp();
const { db } = app;

const wide = (n: number) => "😀".repeat(n);
const quotes = (n: number) => '"'.repeat(n);

const ENTRY = { details: { employer: wide(200), jobNumber: wide(200), sector: wide(200), testObject: wide(200), note: wide(1_000) } };
const ROPE = {
  skills: quotes(2_000),
  details: { employer: quotes(200), jobNumber: quotes(200), industry: quotes(200), structure: quotes(200), tasks: quotes(200), note: quotes(1_000) },
};

async function insertMany(userId: number, kind: string, n: number, fields: object, location: string) {
  await db
    .prepare(
      `INSERT INTO records (user_id, kind, date, end_date, location, method, hours, fields, search, created_at)
       SELECT ?1, ?2, date('2000-01-01', '+' || value || ' days'), iif(?2 = 'entry', NULL, date('2000-01-02', '+' || value || ' days')), ?3,
         iif(?2 = 'entry', 'MT', NULL), 100, ?4, 'x', 1 FROM json_each(?5)`,
    )
    .bind(userId, kind, location, JSON.stringify(fields), JSON.stringify(Array.from({ length: n }, (_, i) => i)))
    .run();
}

test("measure", { timeout: 600_000 }, async () => {
  const admin = await app.register({ isAdmin: true });
  const kari = await app.register({ name: "Kari" });
  await insertMany(kari.user.id, "entry", 2_000, ENTRY, wide(200));
  await insertMany(kari.user.id, "rope_hour", 100, ROPE, quotes(200));
  const ropes = (await db.prepare("SELECT id FROM records WHERE user_id = ? AND kind = 'rope_hour'").bind(kari.user.id).all<{ id: number }>()).results;
  const { token } = await storeRequest(db, { userId: kari.user.id, records: ropes.map(({ id }) => ({ type: "rope_hour", id })) });
  const entries = (await db.prepare("SELECT id FROM records WHERE user_id = ? AND kind = 'entry' LIMIT 100").bind(kari.user.id).all<{ id: number }>()).results;
  const other = await storeRequest(db, { userId: kari.user.id, records: entries.map(({ id }) => ({ type: "entry", id })) });
  const ola = await app.register({ name: "Ola" });
  for (let i = 0; i < 2_000; i += 100) await insertVerified(db, ola.user.id, Array.from({ length: 100 }, (_, days) => ({ days: i + days, location: wide(200), fields: ENTRY })));
  await insertVerified(db, ola.user.id, Array.from({ length: 100 }, (_, days) => ({ days: 3000 + days, location: quotes(200), fields: {details: {employer: quotes(200), jobNumber: quotes(200), sector: quotes(200), testObject: quotes(200), technique: quotes(200), procedure: quotes(200), equipment: quotes(200), note: quotes(1_000) } } })));
  const out: unknown[] = [];
  const bytes = async (who: typeof app | typeof kari, path: string) => {
    const s = performance.now();
    const a = await who.get(path);
    out.push([path, a.status, Buffer.byteLength(a.text), Math.round(performance.now() - s), a.trips, a.headers.get("Link")]);
    return a;
  };
  for (const path of ["/api/entries", "/api/rope-hours", "/api/verification-requests", "/profile", "/rope-hours", "/requests/new", "/requests", `/requests/1`, "/requests/2", "/api/export.csv", "/api/export.json", "/account", "/profile?q=x"]) await bytes(kari, path);
  for (const path of ["/api/admin/entries", "/api/admin/users", "/admin?tab=entries", "/admin?tab=rope-hours", "/api/admin/export.csv?tab=entries"]) await bytes(admin, path);
  for (const path of [`/verify/${token}`, `/api/verify/${token}`, `/verify/${other.token}`, `/api/verify/${other.token}`]) await bytes(app, path);
  for (const form of ["ojt", "detailed-log"]) {
    const s = performance.now();
    const made = await ola.json("POST", "/api/exports", { form });
    out.push(["POST /api/exports", form, made.status, Buffer.byteLength(made.text), Math.round(performance.now() - s), made.trips, made.text.slice(0, 100)]);
    const { id, code } = made.json<{ id: number; code: string }>();
    await bytes(ola, `/profile/print/${id}`);
    await bytes(app, `/c/${code}`);
    await bytes(app, `/api/check/${code}`);
  }
  await bytes(ola, "/profile/print?form=detailed-log");
  await bytes(ola, "/profile/print");
  const all = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  out.push(["verify", all.status, Buffer.byteLength(all.text)]);
  await bytes(app, `/success?token=${token}`);
  console.log(out.map((one) => JSON.stringify(one)).join("\n"));
  expect(1).toBe(1);
});
