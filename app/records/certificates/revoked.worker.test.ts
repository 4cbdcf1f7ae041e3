import { expect, test } from "vitest";
import { checkLog } from "#app/audit-log/check-log.server.ts";
import { checksOf } from "#tests/worker/checks.ts";
import { count, rows } from "#tests/worker/database.ts";
import { exportHours } from "#tests/worker/exports.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate, type Technician } from "#tests/worker/people.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";

/*
 * A certificate that was revoked after its verification. Catches one that still counts, is renewed or gives a level, and a
 * revocation that changes what was verified.
 */

const app = await startMailApp();
const { db } = app;
const { check, states, pageOf } = checksOf(app);

interface Saved {
  id: number;
  verified: boolean;
  revokedOn: string | null;
  revokedReason: string | null;
}

/** A certificate that a supervisor has verified. */
async function verified(who: Technician, over: object = {}): Promise<Saved> {
  const record = (await who.json("POST", "/api/certificates", aCertificate(over))).json<Saved>();
  const { id: supervisorId } = await who.addSupervisor();
  const records = [{ type: "certificate", id: record.id }];
  const asked = await who.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola Hansen" });
  return record;
}

const REVOCATION = { revokedOn: "2026-11-20", revokedReason: "Employment ended" };

test("a verified certificate is revoked by a call, which changes nothing else of it and can be taken back", async () => {
  const ada = await app.register();
  const { id } = await verified(ada);
  const path = `/api/certificates/${id}`;
  const before = (await ada.get(path)).json<Saved>();
  for (const body of [{}, { title: "Other" }, { ...REVOCATION, title: "Other" }])
    expect([body, (await ada.json("PATCH", path, body)).status]).toEqual([body, 409]);
  const half = await ada.json("PATCH", path, { revokedOn: "2026-11-20" });
  expect([half.status, half.text]).toEqual([400, expect.stringContaining("Reason is required")]);
  const revoked = await ada.json("PATCH", path, REVOCATION);
  expect([revoked.status, revoked.trips, revoked.json()]).toEqual([200, 2, { ...before, ...REVOCATION }]);
  expect((await ada.get(`${path}/verification`)).json()).toMatchObject({ intact: true });
  await ada.json("PATCH", path, { revokedOn: null, revokedReason: null });
  expect((await ada.get(path)).json()).toEqual(before);
});

test("one that was revoked counts for no target, is not renewed, and is no longer listed as expiring", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  const { id } = await verified(ada, { expiresOn: "2027-01-04" });
  const item = { unit: "valid", kind: "certificate", category: "certificate", methods: ["UTSW"], required: 1 };
  await ada.json("POST", "/api/targets", aTarget({ items: [anItem(item)] }));
  const counted = async () =>
    (await ada.get("/api/progress")).json<{ items: { verified: number }[] }[]>()[0]?.items[0]?.verified;
  const expiring = async () => (await ada.get("/api/certificates?expiringWithin=90")).json<Saved[]>().length;
  const due = () => count(db, "renewals", "record_id = ?", id);
  expect([await counted(), await expiring(), await due()]).toEqual([1, 1, 1]);
  await ada.json("PATCH", `/api/certificates/${id}`, { ...REVOCATION, revokedOn: "2026-11-25" });
  expect([await counted(), await expiring(), await due()]).toEqual([1, 0, 0]);
  await app.setClock(new Date("2026-11-25T12:00:00Z"));
  expect(await counted()).toBe(0);
  expect(textOf((await ada.get("/certificates")).text)).toContain("Revoked 25 Nov 2026");
  expect(textOf((await ada.get("/profile")).text)).not.toContain("expires in");
  await app.setClock(new Date());
});

test("an entry is worked as the level of a certificate until the day before it was revoked", async () => {
  const ada = await app.register();
  const { id } = await verified(ada, { method: "UTSW" });
  await ada.json("PATCH", `/api/certificates/${id}`, REVOCATION);
  const level = async (date: string) => {
    const { id } = await ada.addEntry({ date, method: "UTSW" });
    return (await ada.get(`/api/entries/${id}`)).json<{ details: { workedAs: string } }>().details.workedAs;
  };
  expect([await level("2026-11-19"), await level("2026-11-20")]).toEqual(["Level I", "Trainee"]);
});

test("the form of a verified certificate has its revocation alone, and the list says the reason", async () => {
  const ada = await app.register();
  const { id } = await verified(ada);
  const path = `/certificates/record/${id}`;
  expect(textOf((await ada.get(path)).text)).toContain("Revoked…");
  const form = await ada.get(`${path}/edit`);
  const empty = await ada.submit(form, `${path}/edit`, { revokedOn: "2026-11-20" });
  expect([empty.status, textOf(empty.text)]).toEqual([400, expect.stringContaining("Reason is required")]);
  const sent = await ada.submit(form, `${path}/edit`, REVOCATION);
  expect([sent.status, sent.location, sent.trips]).toEqual([303, path, 2]);
  expect(textOf((await ada.follow(sent)).text)).toContain("Employment ended");
  expect(textOf((await ada.get("/certificates")).text)).toContain("Reason: Employment ended");
  const entry = await ada.addVerifiedEntry();
  expect((await ada.get(`/profile/record/${entry.entry.id}/edit`)).status).toBe(409);
});

test("a list of certificates says since when there was verified work in the method, in one round trip", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  await ada.json("POST", "/api/certificates", aCertificate({ method: "UT", issuedOn: "2026-02-01" }));
  await ada.json("POST", "/api/certificates", aCertificate({ method: "MT", title: "MT Level I" }));
  await ada.addVerifiedEntry({ date: "2026-01-30", method: "UTSW" });
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW" });
  await ada.addVerifiedEntry({ date: "2026-11-20", method: "UT" });
  await ada.addEntry({ date: "2026-11-23", method: "UT" });
  const page = await ada.get("/certificates");
  expect(page.trips).toBe(1);
  expect(textOf(page.text)).toContain(
    "Verified UT work in 2 months since it was issued, last on 20 Nov 2026, longest gap 263 days",
  );
  expect(textOf(page.text)).toContain("No verified MT work since it was issued");
  await app.setClock(new Date());
});

test("a term longer than the scheme's is saved and asked about", async () => {
  const ada = await app.register();
  const form = await ada.get("/certificates/new");
  const [, action = ""] = form.text.match(/action="(\/certificates\/new[^"]*)"/) ?? [];
  const typed = { ...aCertificate({ expiresOn: "2036-01-31" }), basis: "employer", scope: "Plates and welds" };
  const saved = await ada.follow(await ada.submit(form, action, typed as Record<string, string>));
  expect(textOf(saved.text)).toContain("a certificate of this scheme is valid for 5 years at most. Is the date right?");
  expect((await ada.get("/api/certificates")).json()).toMatchObject([{ basis: "employer", scope: "Plates and welds" }]);
});

/** The faults of the log of all records. */
async function logFaults(): Promise<string[]> {
  const faults: string[] = [];
  await checkLog(
    (sql) => rows(db, sql),
    (_kind, _id, { text }) => faults.push(text),
  );
  return faults;
}

const AS_SHOWN = { on: "2026-11-20", reason: "Employment ended" };

test("a form that was made before a certificate was revoked says so when it is checked, and so does each later one", async () => {
  const ada = await app.register();
  const { id } = await verified(ada);
  const before = await exportHours(ada, "training-and-certificates");
  expect((await check(before.code)).records[0]).not.toHaveProperty("revocation");
  await ada.json("PATCH", `/api/certificates/${id}`, REVOCATION);
  expect((await check(before.code)).records).toMatchObject([
    { state: "changed", revocation: AS_SHOWN, revokedOn: null, certification: null },
  ]);
  expect(await pageOf(before.code)).toContain("Revoked from 20 Nov 2026: Employment ended");

  const after = await exportHours(ada, "training-and-certificates");
  expect((await check(after.code)).records).toMatchObject([
    { state: "unchanged", revocation: AS_SHOWN, ...REVOCATION },
  ]);
  const said = ["Revoked 20 Nov 2026", "Reason: Employment ended"];
  for (const text of said) expect(after.form.rows[0]?.texts.join()).toContain(text);
  for (const path of [`/training/print/${after.id}`, "/training/print"])
    for (const text of said) expect(textOf((await ada.get(path)).text)).toContain(text);

  await ada.json("PATCH", `/api/certificates/${id}`, { revokedOn: null, revokedReason: null });
  expect([await states(before.code), await states(after.code)]).toEqual([["unchanged"], ["changed"]]);
  expect(await pageOf(before.code)).not.toContain("Revoked");
});

test("a certificate's history shows its revocation, the changed reason, and the withdrawal of the revocation", async () => {
  const ada = await app.register();
  const { id } = await verified(ada);
  const path = `/api/certificates/${id}`;
  await ada.json("PATCH", path, REVOCATION);
  await ada.json("PATCH", path, { revokedReason: "Wrong test" });
  await ada.json("PATCH", path, { revokedOn: null, revokedReason: null });
  const history = (await ada.get(`${path}/verification`)).json<{ log: object[]; intact: boolean }>();
  expect(history).toMatchObject({
    intact: true,
    log: [
      { event: "requested", revocation: null },
      { event: "verified", revocation: null },
      { event: "revoked", revocation: AS_SHOWN },
      { event: "revoked", revocation: { ...AS_SHOWN, reason: "Wrong test" } },
      { event: "revoked", revocation: null },
    ],
  });
  const page = textOf((await ada.get(`/certificates/record/${id}`)).text);
  for (const text of ["Revoked from Fri 20 Nov 2026. Reason: Wrong test", "Revocation withdrawn"])
    expect(page).toContain(text);
});

test("a certificate that was revoked before it was verified agrees with its log", async () => {
  const ada = await app.register();
  const { id } = await verified(ada, REVOCATION);
  expect((await ada.get(`/api/certificates/${id}/verification`)).json()).toMatchObject({
    intact: true,
    log: [{}, { event: "verified", revocation: AS_SHOWN }],
  });
  expect(await logFaults()).toEqual([]);
});

test("a revocation that is written or removed past the app is refused, and without the trigger it is found", async () => {
  const ada = await app.register();
  const [{ id: valid }, { id: revoked }] = [await verified(ada), await verified(ada, { method: "MT" })];
  await ada.json("PATCH", `/api/certificates/${revoked}`, REVOCATION);
  const { code } = await exportHours(ada, "training-and-certificates");
  expect([await states(code), await logFaults()]).toEqual([["unchanged", "unchanged"], []]);
  const write = `UPDATE records SET revoked_on = '2026-11-20', revoked_reason = 'Forged' WHERE id = ${valid}`;
  await expect(db.prepare(write).run()).rejects.toThrow("a verified record never changes");
  await db.prepare("DROP TRIGGER verified_stays").run();
  await db.prepare(write).run();
  await db.prepare(`UPDATE records SET revoked_on = NULL, revoked_reason = NULL WHERE id = ${revoked}`).run();
  const fault = "the certificate has another revocation than its log, or none";
  expect([await states(code), await logFaults()]).toEqual([
    ["changed", "changed"],
    [fault, fault],
  ]);
});
