import { beforeEach, expect, test } from "vitest";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { count, ownerOf, rows } from "#tests/worker/database.ts";
import { tagsOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { FROM, listEventNames, listEvents, type RecordLog } from "#tests/worker/record-log.ts";

// Which events a record's log gets. Catches an event outside the batch of its change (another round trip).

const app = await startMailApp();

beforeEach(() => app.mailChannels.reset());

test("the log has the supervisor as saved when asked, the email, the opening and the verification", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const { id: supervisorId, ...supervisor } = await ada.addSupervisor({ name: "Ola Hansen" });
  const asked = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId }, FROM);
  expect([asked.status, asked.trips]).toEqual([200, 2]);
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  await app.idle();
  expect((await app.get(`/verify/${token}`, FROM)).trips).toBe(1);
  await app.idle();
  const confirmed = await app.json("POST", `/api/verify/${token}`, { supervisorName: " Ola 👷 " }, FROM);
  expect([confirmed.status, confirmed.trips]).toEqual([200, 2]);

  const answer = await ada.get(`/api/entries/${entry.id}/verification`);
  expect(answer.trips).toBe(1);
  const { log, request, requestEvents, intact } = answer.json<RecordLog>();
  const noData = { supervisor: null, name: null, cause: null };
  const client = { address: "192.0.2.7", browser: "Gauge/1.0" };
  const technician = { name: ada.user.name, employeeNumber: ada.user.employeeNumber };
  expect(log).toMatchObject([
    { ...noData, ...client, number: 1, event: "requested", supervisor, technician: null },
    { ...noData, ...client, number: 2, event: "verified", name: "Ola 👷", via: "link", technician },
  ]);
  expect(requestEvents).toEqual([
    { event: "mailed", at: expect.any(String), address: null, browser: null },
    { event: "opened", at: expect.any(String), ...client },
  ]);
  // The `id` counts the events of all users, so it is not shown.
  const documented = [
    ...[
      "accountId",
      "address",
      "asked",
      "at",
      "basis",
      "browser",
      "cause",
      "certification",
      "changes",
      "erased",
      "event",
      "hash",
    ],
    ...[
      "mailbox",
      "name",
      "number",
      "otherAsked",
      "previous",
      "reason",
      "recordHash",
      "revocation",
      "sameBrowser",
      "sameNetwork",
      "supervisor",
      "supervisorHash",
      "technician",
      "technicianHash",
      "via",
    ],
  ];
  for (const line of log) expect(Object.keys(line).sort()).toEqual(documented);
  const { owner, createdAt } = { owner: await ownerOf(app.db, ada.user.id), createdAt: new Date(entry.createdAt) };
  const hash = recordHash(entryKind, { ...entry, method: "MT", owner, createdAt });
  expect(log.map((line) => line.recordHash)).toEqual([hash, hash]);
  const [stored] = await rows(app.db, "SELECT verified_at FROM entries WHERE id = ?", entry.id);
  expect(Date.parse(log[1]?.at ?? "")).toBe(stored?.verified_at);
  expect(request).toEqual({ requestedAt: log[0]?.at, supervisor, mail: "sent", open: false });
  expect(intact).toBe(true);
  const page = await ada.get(`/profile/record/${entry.id}`);
  expect(textsOf(page.text, "h2").at(-1)).toBe("How this was verified");
  expect(textsOf(page.text, "li")).toEqual([
    expect.stringContaining("Logged"),
    expect.stringContaining("Ola Hansen was asked to verify"),
    expect.stringContaining("Email sent"),
    expect.stringContaining("Link opened"),
    expect.stringContaining("Verified; the name typed was Ola 👷"),
  ]);
  expect(page.text).toContain("192.0.2.7");
});

test("the log notes the technician's network and browser only while they are signed in there", async () => {
  const ada = await app.register();
  const phone = app.as(new Map());
  await phone.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD }, FROM);
  const verified = async () => {
    const { id } = await ada.addEntry();
    const token = await ada.requestVerification(id);
    await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" }, FROM);
    return (await listEvents(app, ada, id)).log.at(-1);
  };
  expect(await verified()).toMatchObject({ event: "verified", sameNetwork: true, sameBrowser: true });
  await app.db
    .prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ? AND browser = 'Gauge/1.0'")
    .bind(Date.now(), ada.user.id)
    .run();
  expect(await verified()).toMatchObject({ event: "verified", sameNetwork: null, sameBrowser: null });
});

test("opening a link reads as many rows whether its technician has few sessions or many", async () => {
  const ada = await app.register();
  const token = await ada.requestVerification((await ada.addEntry()).id);
  const read = async () => {
    const { status, rows: cost } = await app.get(`/verify/${token}`, FROM);
    await app.idle(); // the opening is logged after the response
    expect(status).toBe(200);
    return cost.read;
  };
  await read();
  const before = await read();
  const numbers = JSON.stringify(Array.from({ length: 50 }, (_, number) => number));
  await app.db
    .prepare(
      `INSERT INTO sessions (id, user_id, created_at, expires_at)
        SELECT lower(hex(randomblob(32))), ?, ?, ? FROM json_each(?)`,
    )
    .bind(ada.user.id, Date.now(), Date.now() + 3_600_000, numbers)
    .run();
  expect([before > 0, await read()]).toEqual([true, before]);
});

test("a confirmation has the id of the signed-in account, or none", async () => {
  const [ada, ola, admin] = [
    await app.register(),
    await app.register({ name: "Ola Tveit", email: "ola.tveit@example.com" }),
    await app.register({ isAdmin: true }),
  ];
  const [entry, other] = [await ada.addEntry(), await ada.addEntry()];
  const { id: ropeId } = await ada.addRopeHours();
  const { id: supervisorId } = await ada.addSupervisor();
  const asked = await ada.json("POST", `/api/verify-request-rope/${ropeId}`, { supervisorId });
  const { verificationToken: ropeToken } = asked.json<{ verificationToken: string }>();
  const token = await ada.requestVerification(entry.id, supervisorId);
  const form = await ola.get(`/verify/${token}`);
  await app.idle(); // the opening is logged after the response
  expect((await ola.submit(form, `/verify/${token}`, { supervisorName: "Ola Hansen" })).status).toBe(303);
  await ola.json("POST", `/api/verify/${ropeToken}`, { supervisorName: "Ola Hansen" });
  await app.json("POST", `/api/verify/${await ada.requestVerification(other.id)}`, { supervisorName: "Ola Hansen" });

  await app.idle();
  const accountOf = async (id: number, kind?: string) => {
    const { log, intact } = await listEvents(app, ada, id, kind);
    expect(intact).toBe(true);
    return log.map(({ event, accountId }) => [event, accountId]);
  };
  const { id } = ola.user;
  expect(await accountOf(entry.id)).toEqual([
    ["requested", null],
    ["verified", id],
  ]);
  expect(await accountOf(ropeId, "rope-hours")).toEqual([
    ["requested", null],
    ["verified", id],
  ]);
  expect(await accountOf(other.id)).toEqual([
    ["requested", null],
    ["verified", null],
  ]);

  const page = await ada.get(`/profile/record/${entry.id}`);
  expect(textsOf(page.text, "li").join()).toContain(`the name typed was Ola Hansen Signed in as account ${id}`);
  expect(page.text).not.toMatch(/Ola Tveit|ola\.tveit/);
  expect((await ada.get(`/profile/record/${other.id}`)).text).not.toContain("Signed in as");
  expect((await app.get(`/success?token=${token}`)).text).not.toContain("account");
  const asAdmin = await admin.get(`/admin/entry/${entry.id}`);
  const href = tagsOf(asAdmin.text, "a").find(({ href }) => href?.includes(`user=${id}`))?.href;
  expect(textsOf((await admin.get(href ?? "")).text, "p")).toContainEqual(
    expect.stringMatching(/^Only of Ola Tveit \( ?ola\.tveit@example\.com/),
  );
});

test("rope hours have the same log", async () => {
  const ada = await app.register();
  const { id } = await ada.addRopeHours();
  const { id: supervisorId } = await ada.addSupervisor();
  const asked = await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  await app.idle();
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  expect(await listEventNames(app, ada, id, "rope-hours")).toEqual(["requested", "mailed", "verified"]);
  expect((await listEvents(app, ada, id, "rope-hours")).intact).toBe(true);
});

test("the same form sent again adds no event; asking another supervisor adds one", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const [first, second] = [await ada.addSupervisor(), await ada.addSupervisor({ name: "Kari Dahl" })];
  for (const supervisor of [first, first, second]) {
    await ada.post(`/profile/request/${id}/key`, { supervisor: String(supervisor.id) });
    await app.idle();
  }
  expect(await listEventNames(app, ada, id)).toEqual(["requested", "mailed", "requested", "mailed"]);
});

test("the event has a new supervisor as they are saved", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const form = { supervisor: "new", phone: "555", certificationLevel: "Level I", company: "Fjord" };
  const asked = await ada.post(`/profile/request/${id}`, { ...form, name: " Ola  Hansen ", email: "OLA@example.org" });
  expect([asked.status, asked.trips]).toEqual([303, 2]);
  const [saved] = (await ada.get("/api/supervisors")).json<Record<string, unknown>[]>();
  const { log } = await listEvents(app, ada, id);
  expect({ id: saved?.id, ...log[0]?.supervisor }).toEqual(saved);
});

test("a refused request adds no event", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const token = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  const before = await count(app.db, "verification_log");
  await ada.json("POST", `/api/verify/${token}`, { supervisorName: "Kari" });
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "" });
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown: "0".repeat(64) });
  await ada.json("POST", `/api/verify-request/${id}`, { supervisorId: 999_999 });
  await bob.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  await bob.json("DELETE", `/api/verify-request/${id}`);
  for (const trip of ["1", "2"]) {
    await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" }, { "x-fail-d1-round-trip": trip });
  }
  expect(await count(app.db, "verification_log")).toBe(before);
});

test("an email whose outcome is unknown or refused is not logged as sent; one that succeeds when retried is, once", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  app.mailChannels.behave({ status: 500 });
  await ada.requestVerification(id);
  expect(await listEventNames(app, ada, id)).toEqual(["requested"]);
  app.mailChannels.behave("send");
  await app.sweep();
  await app.sweep();
  expect(await listEventNames(app, ada, id)).toEqual(["requested", "mailed"]);
  const other = await ada.addEntry();
  app.mailChannels.behave({ status: 400 });
  await ada.requestVerification(other.id);
  expect(await listEventNames(app, ada, other.id)).toEqual(["requested"]);
});

test("one of 50 confirmations among openings and requests succeeds, with one event, and the chain is intact", async () => {
  const ada = await app.register();
  const entry = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const token = await ada.requestVerification(entry.id, supervisor.id);
  const all = Array.from({ length: 50 }, (_, n) => n).flatMap((n) => [
    app.json("POST", `/api/verify/${token}`, { supervisorName: `Supervisor ${n}` }),
    ...(n % 5
      ? []
      : [
          app.get(`/verify/${token}`),
          ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId: supervisor.id }),
        ]),
  ]);
  const answers = (await Promise.all(all)).map(({ status }) => status);
  expect(answers.filter((status) => status >= 500)).toEqual([]);
  const { log, intact } = await listEvents(app, ada, entry.id);
  expect(log.filter(({ event }) => event === "verified")).toHaveLength(1);
  expect(intact).toBe(true);
});

test("the log outlives the owner's account and contains no other data of them", async () => {
  const ada = await app.register({ name: "Kari Nordmann", email: "kari.gone@example.com", employeeNumber: "NDT-777" });
  const { entry, token } = await ada.addVerifiedEntry({ location: "Mongstad jetty" });
  await app.idle();
  const admin = await app.register({ isAdmin: true });
  const about = "record_id = ?";
  const before = await rows(app.db, `SELECT * FROM verification_log WHERE ${about} ORDER BY number`, entry.id);
  expect(before.map(({ event }) => event)).toEqual(expect.arrayContaining(["requested", "verified"]));
  expect((await admin.json("DELETE", `/api/admin/users/${ada.user.id}`)).status).toBe(200);
  const after = await rows(app.db, `SELECT * FROM verification_log WHERE ${about} ORDER BY number`, entry.id);
  expect(after).toEqual(before);
  const text = JSON.stringify(after);
  for (const word of ["Kari Nordmann", "kari.gone@example.com", "NDT-777", "Mongstad jetty", token]) {
    expect(text).not.toContain(word);
  }
});
