import { beforeEach, expect, test } from "vitest";
import { checkLog } from "#app/audit-log/check-log.server.ts";
import { largeAccount } from "#tests/safe/large-world.ts";
import { snapshotOf } from "#tests/safe/snapshot.ts";
import { count, MAY_SCAN, rows } from "#tests/worker/database.ts";
import { exportHours, type MadeExport, type ShownCheck, verifyByMailbox } from "#tests/worker/exports.ts";
import { textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { listEvents } from "#tests/worker/record-log.ts";
import { storeRequest, storeSpellings } from "#tests/worker/requests.ts";
import { eraseSupervisor, oneByOne } from "./erase-supervisor.server.ts";

/*
 * Personal data that is erased, with its account or when a supervisor requests it, is no longer in any table, and the
 * audit log still verifies. Catches facts that stay in the log, and those of openings and decisions, which name no
 * address.
 */

const app = await startMailApp();

beforeEach(() => app.mailChannels.reset());

/** The data of Kari: as she was saved, her device's address and browser. */
const KARI = { name: "Kari Dahl", email: "kari.dahl@example.org", phone: "+47 999 88 777", company: "Dahl NDT AS" };
const DEVICE = { "CF-Connecting-IP": "198.51.100.77", "User-Agent": "Kari's browser/7" };
const TRACES = [...Object.values(KARI), "198.51.100.77", "Kari's browser", "Kari D."];

/** An entry that Kari opened and verified under a name that is not the saved one, another that waits for her, rope hours. */
async function askKari(technician: Technician): Promise<{ verified: number; open: number }> {
  const { id: supervisorId } = await technician.addSupervisor(KARI);
  const [verified, open] = [(await technician.addEntry()).id, (await technician.addEntry()).id];
  const token = await technician.requestVerification(verified, supervisorId);
  await app.idle();
  await app.get(`/verify/${token}`, DEVICE);
  await app.idle();
  const answer = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Kari D." }, DEVICE);
  expect(answer.status).toBe(200);
  const waiting = await technician.requestVerification(open, supervisorId);
  await app.get(`/verify/${waiting}`, DEVICE);
  await app.idle();
  return { verified, open };
}

/** The tables in which a text is. */
async function tablesWith(text: string): Promise<string[]> {
  const found = [...(await snapshotOf(app.db))];
  const isIn = (value: unknown) => String(value).toLowerCase().includes(text.toLowerCase());
  return found.filter(([, list]) => list.some((row) => Object.values(row).some(isIn))).map(([table]) => table);
}

async function check() {
  const faults: string[] = [];
  const report = await checkLog(
    (sql) => rows(app.db, sql),
    (_kind, _id, { text }) => faults.push(text),
  );
  return { ...report, faults };
}

/** Returns the message if only saved supervisors are erased. */
const nothing = (supervisors: number) =>
  `domains in exports (0), lists of domains (0), origins of openings (0), names in answers (0), personal data of events (0), emails (0), reasons of declined records (0), requests (0), saved supervisors (${supervisors})`;

const erased = async (email: string) =>
  (
    await eraseSupervisor(
      oneByOne((sql) => rows(app.db, sql)),
      email,
    )
  ).rows;
const erase = () => erased(KARI.email);

test("a supervisor who asks is erased from every account, except for the name on verified records", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [{ verified, open }] = [await askKari(ada), await askKari(bob)];
  const { verified: ofAnother } = await askOla(ada);
  for (const trace of TRACES) expect([trace, await tablesWith(trace)]).not.toEqual([trace, []]);
  const before = await check();
  expect(await erase()).toBe(
    "domains in exports (0), lists of domains (0), origins of openings (4), names in answers (2), personal data of events (7), emails (6), reasons of declined records (0), requests (4), saved supervisors (2)",
  );

  for (const trace of TRACES) {
    expect([trace, await tablesWith(trace)]).toEqual([trace, trace === "Kari D." ? ["records"] : []]);
  }
  const after = await check();
  expect(after).toEqual({ ...before, erased: 7, faults: [] });
  // The events' facts about the technician stay, in a row of their own.
  const told = (await listEvents(app, ada, verified)).log;
  expect(told.map(({ event, technician }) => [event, technician?.name ?? null])).toEqual([
    ["requested", null],
    ["verified", ada.user.name],
  ]);
  expect(await count(app.db, "event_facts", "about = 'supervisor' AND facts LIKE '%198.51.100.77%'")).toBe(0);
  // The other supervisor's data stays.
  const { log, request } = await listEvents(app, ada, ofAnother);
  expect(request?.supervisor.name).toBe("Ola Hansen");
  expect(log.map(({ event, name }) => [event, name]).at(-1)).toEqual(["verified", "Ola Hansen"]);
  expect(await erase()).toBe(nothing(0));

  const history = await listEvents(app, ada, verified);
  expect(history.intact).toBe(true);
  expect(new Set(history.log.map((event) => event.erased))).toEqual(new Set([true]));
  expect(history.log.at(-1)).toMatchObject({ event: "verified", name: null, address: null, accountId: null });
  const admin = await app.register({ isAdmin: true });
  for (const page of [await ada.get(`/profile/record/${verified}`), await admin.get(`/admin/entry/${verified}`)]) {
    expect(textsOf(page.text, "p", "notice")[0]).toMatch(/^Verified by Kari D. on /);
    expect(textsOf(page.text, "li").at(-1)).toMatch(/Verified \(personal data erased\)/);
    expect(textOf(page.text)).toContain("This history is complete");
  }
  const pending = await ada.get(`/profile/record/${open}`);
  expect(textsOf(pending.text, "li")[1]).toContain("A supervisor was asked to verify (personal data erased)");
});

/** Adds an entry with a request first to Kari, then to Ola, who verified it. */
async function askOla(technician: Technician): Promise<{ verified: number }> {
  const { id } = await technician.addEntry();
  const supervisors = (await technician.get("/api/supervisors")).json<{ id: number }[]>();
  await technician.requestVerification(id, supervisors[0]?.id);
  await app.idle();
  const { id: ola } = await technician.addSupervisor({ name: "Ola Hansen", email: "ola@example.org" });
  const token = await technician.requestVerification(id, ola);
  await app.idle();
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  return { verified: id };
}

test("a deleted account leaves nothing of the technician or of their supervisors in any table, and the log verifies", async () => {
  await erase();
  const ada = await app.register({ name: "Ada Lind", email: "ada.lind@example.com", employeeNumber: "NDT-4711" });
  await askKari(ada);
  const hers = await count(app.db, "event_facts", "user_id = ?", ada.user.id);
  const own = "hash IN (technician_hash, supervisor_hash) AND user_id = ?";
  const events = await count(
    app.db,
    "verification_log",
    `EXISTS (SELECT 1 FROM event_facts WHERE ${own})`,
    ada.user.id,
  );
  expect([events > 2, hers > events]).toEqual([true, true]);
  const before = await check();
  expect((await ada.json("DELETE", "/api/user", { password: "correct horse battery" })).status).toBe(200);
  await app.idle();
  for (const trace of [...TRACES.slice(0, -1), "Ada Lind", "ada.lind@example.com", "NDT-4711"]) {
    expect([trace, await tablesWith(trace)]).toEqual([trace, []]);
  }
  expect(await count(app.db, "event_facts", "user_id = ?", ada.user.id)).toBe(0);
  expect(await check()).toMatchObject({ faults: [], lines: before.lines, erased: before.erased + events });
});

// Catches openings that are found by the request's present address alone.
test("where a former supervisor of a request opened its link is erased, and what another opened before and elsewhere stays", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [kari, ola] = [await ada.addSupervisor(KARI), await ada.addSupervisor()];
  const before = { "CF-Connecting-IP": "203.0.113.5", "User-Agent": "Ola's browser/1" };
  const token = await ada.requestVerification(id, ola.id);
  await app.get(`/verify/${token}`, before);
  await app.idle();
  expect(await ada.requestVerification(id, kari.id)).toBe(token);
  await app.get(`/verify/${token}`, DEVICE);
  await app.idle();
  // Another request for the record, to another address, opened by its own supervisor.
  const body = { supervisorId: ola.id, records: [{ type: "entry", id }] };
  const made = (await ada.json("POST", "/api/verification-requests", body)).json<{ verificationToken: string }>();
  await app.get(`/verify/${made.verificationToken}`, before);
  await app.idle();
  expect(await ada.requestVerification(id, ola.id)).toBe(token);
  await app.idle();
  await erase();
  for (const trace of ["198.51.100.77", "Kari's browser"])
    expect([trace, await tablesWith(trace)]).toEqual([trace, []]);
  expect(await rows(app.db, "SELECT id FROM request_events WHERE address = '203.0.113.5'")).toHaveLength(2);
  // The log still has the last supervisor of the requests that stay.
  expect((await check()).faults).toEqual([]);
});

// Catches an opening that is taken for that of all earlier supervisors of the request, or of the present one.
test("erasing one of a request's two supervisors erases only their openings, and later ones from their network address", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [kari, ola] = [await ada.addSupervisor(KARI), await ada.addSupervisor()];
  const opened = async (token: string, from: string) => {
    await app.get(`/verify/${token}`, { "CF-Connecting-IP": from, "User-Agent": `browser of ${from}` });
    await app.idle();
  };
  const left = () =>
    rows<{ address: string | null }>(
      app.db,
      "SELECT address FROM request_events WHERE event = 'opened' AND request_id = (SELECT max(request_id) FROM request_events) ORDER BY id",
    );
  const token = await ada.requestVerification(id, kari.id);
  await opened(token, "198.51.100.1");
  await ada.requestVerification(id, ola.id);
  await opened(token, "203.0.113.1");
  await opened(token, "198.51.100.1");
  await ada.requestVerification(id, kari.id);
  await opened(token, "198.51.101.1");
  await erase();
  expect((await left()).map(({ address }) => address)).toEqual([null, "203.0.113.1", null, null]);

  const second = await ada.addEntry();
  const again = await ada.addSupervisor(KARI);
  const other = await ada.requestVerification(second.id, again.id);
  await opened(other, "198.51.100.2");
  await ada.requestVerification(second.id, ola.id);
  await opened(other, "203.0.113.2");
  await ada.requestVerification(second.id, (await ada.addSupervisor({ email: "third@example.org" })).id);
  await opened(other, "192.0.2.3");
  await erase();
  expect((await left()).map(({ address }) => address)).toEqual([null, "203.0.113.2", "192.0.2.3"]);
});

// Seen to fail: the name stayed in the answer, because the request was to another by then.
test("the name in an answer goes with the facts of its events, also if the request had gone to another supervisor", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [kari, ola] = [await ada.addSupervisor(KARI), await ada.addSupervisor()];
  const token = await ada.requestVerification(id, kari.id);
  expect(await ada.requestVerification(id, ola.id)).toBe(token);
  await app.idle();
  await app.as(new Map()).json("POST", `/api/verify/${token}`, { supervisorName: KARI.name });
  expect(await tablesWith(KARI.name)).toContain("verification_answers");
  await erase();
  expect(await tablesWith(KARI.name)).toEqual(["records"]);
  expect((await check()).faults).toEqual([]);
});

// Seen to fail: her name stayed in the facts of the event, because another supervisor got a later request about the
// same record.
test("the facts of an answer to one of two requests for a record go with the supervisor whom that request had asked", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [kari, ola] = [await ada.addSupervisor(KARI), await ada.addSupervisor()];
  const token = await ada.requestVerification(id, kari.id);
  await ada.json("POST", "/api/verification-requests", { supervisorId: ola.id, records: [{ type: "entry", id }] });
  await app.as(new Map()).json("POST", `/api/verify/${token}`, { supervisorName: "K. D. Erased" });
  expect(await tablesWith("K. D. Erased")).toContain("event_facts");
  await erase();
  expect(await tablesWith("K. D. Erased")).toEqual(["records"]);
  expect(await tablesWith(KARI.name)).not.toContain("event_facts");
  expect((await check()).faults).toEqual([]);
});

// Seen to fail: the opening was taken for one by the supervisor to whom the record's own request had gone just before.
test("where the link of one of two requests for a record was opened goes with the supervisor of that one", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [kari, ola] = [await ada.addSupervisor(KARI), await ada.addSupervisor()];
  const token = await ada.requestVerification(id, kari.id);
  const several = { supervisorId: kari.id, records: [{ type: "entry", id }] };
  const other = await ada.json("POST", "/api/verification-requests", several);
  expect(await ada.requestVerification(id, ola.id)).toBe(token);
  await app.get(`/verify/${other.json<{ verificationToken: string }>().verificationToken}`, {
    "CF-Connecting-IP": "192.0.2.44",
    "User-Agent": "The other browser",
  });
  await app.idle();
  expect(await tablesWith("192.0.2.44")).toEqual(["request_events"]);
  await erase();
  for (const trace of ["192.0.2.44", "The other browser"])
    expect([trace, await tablesWith(trace)]).toEqual([trace, []]);
});

test("an address with a quote is erased as any other", async () => {
  const ada = await app.register();
  await ada.addSupervisor({ email: "o'hara@example.org" });
  expect(await erased("o'hara@example.org")).toBe(nothing(1));
});

// Seen to fail: only the given spelling was erased.
test("every spelling of the mailbox is erased, from requests, events, exports and saved supervisors, and no other mailbox", async () => {
  const ada = await app.register();
  const spellings = ["p.e.r+ndt@gmail.com", "per@googlemail.com", "per+old@gmail.com"];
  const other = "per.2@gmail.com";
  const entries = await ada.addEntries(spellings.length + 1);
  for (const [index, { id }] of entries.entries())
    await verifyByMailbox(app, ada, id, { email: spellings[index] ?? other });
  await exportHours(ada);
  const { addresses, rows: counts } = await eraseSupervisor(
    oneByOne((sql) => rows(app.db, sql)),
    "Per@gmail.com".toLowerCase(),
  );
  expect(addresses.sort()).toEqual(["per@gmail.com", ...spellings].sort());
  expect(counts).toContain("domains in exports (3), lists of domains (1)");
  for (const spelling of spellings) expect([spelling, await tablesWith(spelling)]).toEqual([spelling, []]);
  expect(await tablesWith(other)).toEqual(["event_facts", "supervisors", "verification_requests"]);
  expect(
    await rows(
      app.db,
      "SELECT domains ->> domain AS domain FROM export_records JOIN exports ON exports.id = export_id WHERE user_id = ? ORDER BY record_id",
      ada.user.id,
    ),
  ).toEqual([...spellings.map(() => ({ domain: null })), { domain: "gmail.com" }]);
  expect((await check()).faults).toEqual([]);
});

// Seen to fail: the list stood in each statement up to six times, and D1 takes 100,000 bytes of one.
test("a supervisor who was asked in 300 spellings of the mailbox, each as long as an address can be, is erased", async () => {
  const ada = await app.register();
  await storeSpellings(app.db, ada.user.id, 300);
  expect(await erased("boss@corp.example")).toContain("requests (300)");
  expect(await tablesWith("@corp.example")).toEqual([]);
});

test("an account whose record was verified by the supervisor's own account counts, and its acts are decided again", async () => {
  const [ada, ola] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  const { token } = await storeRequest(app.db, { userId: ada.user.id, records: [{ type: "entry", id }] });
  expect((await ola.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(200);
  const revision = async () =>
    (await rows(app.db, "SELECT revision FROM users WHERE id = ?", ada.user.id))[0]?.revision;
  const before = Number(await revision());
  const execute = (sql: string) => rows(app.db, sql);
  expect(await eraseSupervisor(oneByOne(execute), ola.user.email)).toMatchObject({ accounts: 1 });
  expect(Number(await revision())).toBeGreaterThan(before);
});

test("the command erases also what an act stores between its first and its last statement", async () => {
  const ada = await app.register();
  await askKari(ada);
  let isStored = false;
  const answerBetween = async (sql: string) => {
    const answer = await rows(app.db, sql);
    if (!isStored && sql.includes("DELETE FROM event_facts")) {
      isStored = true;
      const facts = JSON.stringify({ mailbox: KARI.email });
      const columns = "hash, about, user_id, first_event, last_event, salt, facts";
      const values = "randomblob(32), 'supervisor', ?, 1, 1, randomblob(16), ?";
      await rows(app.db, `INSERT INTO event_facts (${columns}) VALUES (${values})`, ada.user.id, facts);
    }
    return answer;
  };
  const { rows: counts } = await eraseSupervisor(oneByOne(answerBetween), KARI.email);
  expect([isStored, await tablesWith(KARI.email)]).toEqual([true, []]);
  expect(counts).toContain("personal data of events (4)");
});

test("the domain in an export is erased also if the record is gone with its item", async () => {
  const [ada, admin] = [await app.register(), await app.register({ isAdmin: true })];
  const { id } = await ada.addEntry();
  const { email } = await verifyByMailbox(app, ada, id);
  await exportHours(ada);
  expect((await admin.json("DELETE", `/api/admin/entries/${id}`)).status).toBe(200);
  expect(await count(app.db, "export_records", "record_id = ? AND domain IS NOT NULL", id)).toBe(1);
  expect(await erased(email)).toContain("domains in exports (1)");
  expect(await count(app.db, "export_records", "record_id = ? AND domain IS NOT NULL", id)).toBe(0);
  expect(await rows(app.db, "SELECT domains FROM exports WHERE user_id = ?", ada.user.id)).toEqual([
    { domains: "[null]" },
  ]);
});

test("a domain stays in an export while another supervisor of it is not erased, and the form keeps the others' domains", async () => {
  const ada = await app.register();
  const entries = await ada.addEntries(3);
  const emails = ["first@example.net", "second@example.net", "third@other.example"];
  for (const [index, { id }] of entries.entries()) await verifyByMailbox(app, ada, id, { email: emails[index] ?? "" });
  const { id: made } = await exportHours(ada);
  const printed =
    "SELECT domains ->> domain AS domain FROM export_records JOIN exports ON exports.id = export_id WHERE export_id = ? ORDER BY record_id";
  const domains = async () => (await rows<{ domain: string }>(app.db, printed, made)).map(({ domain }) => domain);
  const afterErasing = async (email = "") => {
    await erased(email);
    const [row] = await rows<{ domains: string }>(app.db, "SELECT domains FROM exports WHERE user_id = ?", ada.user.id);
    return [await domains(), JSON.parse(row?.domains ?? "")];
  };
  expect(await domains()).toEqual(["example.net", "example.net", "other.example"]);
  expect(await afterErasing(emails[0])).toEqual([
    [null, "example.net", "other.example"],
    ["example.net", "other.example"],
  ]);
  expect(await afterErasing(emails[1])).toEqual([
    [null, null, "other.example"],
    [null, "other.example"],
  ]);
});

// Seen to fail: the colleague's domain went, and the printed record was changed from then on.
test("a supervisor is erased who was only asked: the domain of the colleague who verified stays in the export, and goes with them", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const ola = await ada.addSupervisor({ email: "ola@fjord.example" });
  await ada.json("POST", "/api/verification-requests", { supervisorId: ola.id, records: [{ type: "entry", id }] });
  const { email } = await verifyByMailbox(app, ada, id, { email: "per@fjord.example" });
  const { code } = await exportHours(ada);
  const checked = async () => (await app.get(`/api/check/${code}`)).json<ShownCheck>().records;
  await erased(ola.email);
  expect(await checked()).toMatchObject([{ domain: "fjord.example", state: "unchanged" }]);
  expect(await erased(email)).toContain("domains in exports (1), lists of domains (1)");
  expect(await checked()).toMatchObject([{ domain: null, state: "unchanged" }]);
});

test("the domain of a verification that was disowned goes from the export that prints it, and no later one's", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const { email, disownPath } = await verifyByMailbox(app, ada, id, { email: "ola@fjord.example" });
  const before = await exportHours(ada);
  await app.json("POST", `/api${await disownPath()}`, {});
  await verifyByMailbox(app, ada, id, { email: "per@fjord.example" });
  const after = await exportHours(ada);
  await erased(email);
  const domainIn = async ({ code }: MadeExport) =>
    (await app.get(`/api/check/${code}`)).json<ShownCheck>().records.map(({ domain }) => domain);
  expect([await domainIn(before), await domainIn(after)]).toEqual([[null], ["fjord.example"]]);
});

/** Fills the tables that an erasure reads, but the outbox, with rows about other supervisors. They stay, so this is for the last test. */
async function fillWithOthers(size: number): Promise<void> {
  const bob = await app.register();
  const { id } = bob.user;
  for (const sql of largeAccount(id, { records: size, verified: size / 2 })) await app.db.prepare(sql).run();
  await app.db.batch(
    [
      `INSERT INTO event_facts (hash, about, user_id, first_event, last_event, salt, facts)
        SELECT randomblob(32), 'supervisor', ${id}, id, id, randomblob(16), json_object('accountId', 1000000 + id,
          iif(id % 2, 'supervisor', 'mailbox'), iif(id % 2, json_object('email', 'other' || id || '@fjord.example'), 'other' || id || '@example.org'))
        FROM verification_log WHERE at > 0`,
      `INSERT INTO request_events (request_id, event, at, address, browser)
        SELECT id, 'opened', 0, '203.0.113.8', 'Firefox' FROM verification_requests WHERE user_id = ${id}`,
      `INSERT INTO verification_answers (request_id, name, via, at)
        SELECT id, 'Ola Hansen', 'link', 0 FROM verification_requests WHERE user_id = ${id}`,
      `UPDATE exports SET domains = '["example.org"]' WHERE user_id = ${id}`,
      `INSERT INTO users (email, password, search, created_at)
        SELECT 'user' || id || '@example.com', '$scrypt$', '', 0 FROM verification_requests WHERE user_id = ${id}`,
    ].map((sql) => app.db.prepare(sql)),
  );
}

// Seen to fail: it read all facts of all accounts three times, 650,000 rows with three large accounts.
test("an erasure reads what is about the supervisor, and no table of others'", async () => {
  await fillWithOthers(2_000);
  await askKari(await app.register());
  const scans: string[] = [];
  let read = 0;
  const { count: erasedRows } = await eraseSupervisor(
    oneByOne(async (sql) => {
      for (const { detail } of await rows<{ detail: string }>(app.db, `EXPLAIN QUERY PLAN ${sql}`))
        if (detail.startsWith("SCAN") && !MAY_SCAN.test(detail)) scans.push(`${detail}: ${sql}`);
      const { results, meta } = await app.db.prepare(sql).all();
      read += meta.rows_read ?? Number.POSITIVE_INFINITY;
      return results;
    }),
    KARI.email,
  );
  expect(scans).toEqual([]);
  expect(erasedRows).toBeGreaterThan(5);
  expect(read).toBeLessThan(600);
});
