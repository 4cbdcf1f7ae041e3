import "./own-data.ts"; // before all others
import type { Statement } from "#demo/statements.ts";
import { startFakeMailChannels } from "#tests/worker/fake-mailchannels.ts";
import { sizesOf, type TechnicianYear } from "./cost.ts";
import { type Observed, startObserved } from "./observed.ts";
import { seed, type Technician, userId } from "./seed.ts";
import { type Row, reported } from "./table.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The assumed year of a technician (docs/scale.md): 12 months of these. */
const WORKING_DAYS = 18;
const VIEWS_A_DAY = 2;
const VIEWS_OF_PROGRESS = 2;
const MONTHS_BETWEEN_COURSES = 6;

/**
 * `npm run measure -- scale`: drives a technician through a year, once from the first day and once with 1,000 entries
 * already logged, and counts what D1 counts, of requests, emails and the timer. Then what that makes for 1,000, 100,000
 * and 1,000,000 technicians.
 */
export async function scale(): Promise<Row[]> {
  const mail = await startFakeMailChannels();
  const start = Date.now();
  // Sessions for the whole year: signing in is counted apart.
  const fill: Statement[] = seed(start + 800 * DAY).filter(({ sql }) => !sql.includes("reset_token = ?"));
  const observed = await startObserved(fill, {
    MAILCHANNELS_API_KEY: "a key",
    MAILCHANNELS_BASE_URL: mail.url,
    MAIL_FROM: "Hours <hours@example.com>",
    PUBLIC_ORIGIN: "http://localhost",
  });
  // Those of the seeded records would be swept within the first year, and make it smaller.
  await observed.query("DELETE FROM events");
  const flows = new Map<string, { calls: number; read: number; written: number }>();
  const first = await yearOf(observed, "none", 0, start, flows);
  const late = await yearOf(observed, "thousand", 1_000, start + 361 * DAY, flows);
  const before = await observed.spent();
  await observed.tick(new Date(start + 730 * DAY));
  const idle = difference(before, await observed.spent());
  const entry = await bytesOfEntry(observed);
  await mail.close();
  return [
    ...[...flows].map(([name, { calls, read, written }]) =>
      reported(
        name,
        `${Math.round(read / calls)} / ${(written / calls).toFixed(1)}`,
        "",
        `rows read / written; ${calls} calls`,
      ),
    ),
    ...[first, late].map((year) =>
      reported(
        `a year from ${year.before} entries on`,
        `${year.read} / ${year.written}`,
        "",
        `${year.requests} requests, ${year.queries} statements, ${Math.round(year.milliseconds)} ms of D1, ${Math.round(year.bytes / 1000)} kB`,
      ),
    ),
    reported("the timer, with nothing to do", `${idle.read} / ${idle.written}`, "", `${idle.queries} statements`),
    reported("storage of an entry that nobody has verified", Math.round(entry), " B"),
    ...sizesOf(first, late),
  ];
}

async function yearOf(
  { ask, query, setClock, spent, tick }: Observed,
  who: Technician,
  before: number,
  start: number,
  flows: Map<string, { calls: number; read: number; written: number }>,
): Promise<TechnicianYear> {
  let requests = 0;
  const call = async (name: string, as: Technician | null, method: string, path: string, body?: object) => {
    const answer = await ask(method, path, as, body);
    if (answer.status >= 400)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    requests += 1;
    const key = `${name}, ${before} entries before`;
    const { calls, read, written } = flows.get(key) ?? { calls: 0, read: 0, written: 0 };
    flows.set(key, { calls: calls + 1, read: read + answer.read, written: written + answer.written });
    return answer;
  };
  await setClock(new Date(start));
  const from = await spent();
  const size = await sizeOf(query);
  const saved = await call("POST /api/supervisors", who, "POST", "/api/supervisors", SUPERVISOR);
  const { id: supervisorId } = JSON.parse(saved.text) as { id: number };
  for (let month = 0; month < 12; month += 1) {
    const records: { type: "entry" | "training" | "certificate"; id: number }[] = [];
    for (let day = 0; day < WORKING_DAYS; day += 1) {
      const now = new Date(start + (month * 30 + day) * DAY);
      await setClock(now);
      const date = now.toISOString().slice(0, 10);
      const entries = Array.from({ length: 1 + (day % 2) }, (_, n) => ({
        ...ENTRY,
        date,
        location: `Unit ${day}, line ${n}`,
      }));
      const { text } = await call("POST /api/entries", who, "POST", "/api/entries", entries);
      records.push(...(JSON.parse(text) as { id: number }[]).map(({ id }) => ({ type: "entry" as const, id })));
      for (let view = 0; view < VIEWS_A_DAY; view += 1) await call("GET /profile", who, "GET", "/profile");
    }
    if (month % MONTHS_BETWEEN_COURSES === 0) {
      const date = new Date(start + month * 30 * DAY).toISOString().slice(0, 10);
      const course = { ...COURSE, startDate: date, endDate: date };
      const training = await call("POST /api/training", who, "POST", "/api/training", course);
      const vision = await call("POST /api/certificates", who, "POST", "/api/certificates", {
        ...VISION,
        issuedOn: date,
      });
      const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { id: number }).id;
      records.push({ type: "training", id: idOf(training) }, { type: "certificate", id: idOf(vision) });
    }
    const path = "/api/verification-requests";
    const asked = await call(`POST ${path}`, who, "POST", path, { supervisorId, records });
    const { verificationToken: token } = JSON.parse(asked.text) as { verificationToken: string };
    await setClock(new Date(start + (month * 30 + WORKING_DAYS + 6) * DAY)); // after a reminder
    await tick(new Date(start + (month * 30 + WORKING_DAYS + 6) * DAY));
    await call("GET /verify/{token}", null, "GET", `/verify/${token}`);
    await call("POST /verify/{token}", null, "POST", `/api/verify/${token}`, { supervisorName: "Ingrid Solheim" });
    await tick(new Date(start + (month * 30 + WORKING_DAYS + 7) * DAY));
    await call("GET /requests", who, "GET", "/requests");
    for (let view = 0; view < VIEWS_OF_PROGRESS; view += 1) await call("GET /progress", who, "GET", "/progress");
    if (month % 3 === 2) await call("POST /api/exports", who, "POST", "/api/exports", { form: "ojt" });
  }
  await setClock(new Date(start + 360 * DAY));
  const to = await spent();
  const bytes = (await sizeOf(query)) - size;
  return { before, requests, bytes, ...difference(from, to) };
}

type Spent = Awaited<ReturnType<Observed["spent"]>>;

const difference = (from: Spent, to: Spent): Spent => ({
  queries: to.queries - from.queries,
  read: to.read - from.read,
  written: to.written - from.written,
  milliseconds: to.milliseconds - from.milliseconds,
});

const ENTRY = { method: "UT_THK", hours: 5.5 };
const COURSE = {
  course: "Ultrasonic testing, refresher",
  organization: "Fjord Inspection AS",
  method: "UT_THK",
  hours: 16,
};
const VISION = {
  category: "near_vision",
  title: "Near vision, Jaeger 1",
  standard: "ISO 18490",
  issuer: "Bergen Optikk",
};
export const SUPERVISOR = {
  name: "Ingrid Solheim",
  email: "ingrid@refinery.example",
  phone: "+47 555 01 230",
  certificationLevel: "Level III",
  company: "Fjord Inspection AS",
};

async function sizeOf(query: Observed["query"]): Promise<number> {
  return (await query("SELECT 1")).meta.size_after;
}

/** The storage of an entry with its indexes, in bytes, from 20,000 of them. */
async function bytesOfEntry({ query }: Observed): Promise<number> {
  const before = await sizeOf(query);
  await query(
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 19999)
      INSERT INTO records (user_id, kind, date, location, method, hours, search, submission, created_at)
      SELECT ?, 'entry', date('2026-11-20', '-' || (n / 2) || ' days'), 'Unit ' || n % 18 || ', line ' || n % 2, 'UT_THK', 550,
        'unit 12, line 1' || char(10) || 'ut_thk', hex(randomblob(18)), 1800000000000 FROM numbers`,
    userId("none"),
  );
  return ((await sizeOf(query)) - before) / 20_000;
}
