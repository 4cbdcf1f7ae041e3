import { beforeEach, expect, test } from "vitest";
import { rows } from "#tests/worker/database.ts";
import { freshEmail, move, tokenFor } from "#tests/worker/email-changes.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * No technicians verify their own hours: no spelling of a mailbox of the account can be a supervisor's, neither when
 * one is saved nor when a request is made, and a link that was mailed there all the same verifies nothing.
 */

const app = await startMailApp();

beforeEach(() => app.mailChannels.reset());

/** The account's address, and spellings of its mailbox. */
const ALIASES = [
  ["tess@bigcorp.example", ["tess@bigcorp.example", "TESS@BigCorp.example", "tess+boss@bigcorp.example"]],
  ["tess+hours@big.example", ["tess@big.example", "tess+boss@big.example"]],
  ["t.e.s.s@gmail.com", ["tess@gmail.com", "te.ss+boss@googlemail.com", "TESS@GoogleMail.com"]],
] as const;

const NOT_HERS = [
  "tess2@bigcorp.example",
  "tess@bigcorp.example.org",
  "boss+tess@bigcorp.example",
  "t.ess@big.example",
];

function supervisorWith(email: string) {
  return { name: "Tess Boss", email, phone: "555", certificationLevel: "Level III", company: "Big Corp" };
}

/** Tries every way to add a supervisor with this address, and returns the status and the field of the error. */
async function tryAll(who: Technician, email: string) {
  const supervisor = supervisorWith(email);
  const [saved, { id }] = [await who.addSupervisor(), await who.addEntry()];
  const records = [{ type: "entry", id }];
  const answers = [
    await who.json("POST", "/api/supervisors", supervisor),
    await who.json("PATCH", `/api/supervisors/${saved.id}`, { email }),
    await who.post(`/profile/request/${id}/${crypto.randomUUID()}`, { supervisor: "new", ...supervisor }),
    await who.post(`/requests/new/${crypto.randomUUID()}`, { record: `entry:${id}`, supervisor: "new", ...supervisor }),
  ];
  // Saved before, past the app: then the request is refused.
  await app.db.prepare("UPDATE supervisors SET email = ? WHERE id = ?").bind(email, saved.id).run();
  answers.push(
    await who.json("POST", `/api/verify-request/${id}`, { supervisorId: saved.id }),
    await who.json("POST", "/api/verification-requests", { supervisorId: saved.id, records }),
  );
  return answers.map(({ status }) => status);
}

test("every spelling of the own mailbox is refused as a supervisor's, and in every request", async () => {
  for (const [email, aliases] of ALIASES) {
    const who = await app.register({ email });
    for (const alias of aliases)
      expect([alias, await tryAll(who, alias.toLowerCase())]).toEqual([alias, Array(6).fill(400)]);
    const answer = await who.json("POST", "/api/supervisors", supervisorWith(aliases.at(-1) ?? ""));
    expect(answer.json()).toMatchObject({
      errors: [{ path: "email", message: expect.stringMatching(/Someone else must verify your hours/) }],
    });
    expect(await rows(app.db, "SELECT id FROM verification_requests WHERE user_id = ?", who.user.id)).toEqual([]);
  }
  const other = await app.register({ email: "other@example.com" });
  for (const email of NOT_HERS) {
    expect((await other.json("POST", "/api/supervisors", supervisorWith(email))).status).toBe(201);
  }
});

test("a mailbox of an earlier address, and of one that is being changed to, is refused", async () => {
  const who = await app.register({ email: "tess.early@earlier.example" });
  await move(app, who, "tess.now@present.example");
  await tokenFor(app, who, "tess.next@next.example");
  for (const email of [
    "tess.early+boss@earlier.example",
    "tess.next+boss@next.example",
    "tess.now+x@present.example",
  ]) {
    expect([email, await tryAll(who, email)]).toEqual([email, Array(6).fill(400)]);
  }
});

test("readdressing a request to the own mailbox, and renewing one that has it, is refused, and nothing is mailed", async () => {
  const who = await app.register({ email: "rea@bigcorp.example" });
  const [{ id }, supervisor] = [await who.addEntry(), await who.addSupervisor()];
  const token = await who.requestVerification(id, supervisor.id);
  await app.idle();
  await app.db
    .prepare("UPDATE supervisors SET email = 'rea+boss@bigcorp.example' WHERE id = ?")
    .bind(supervisor.id)
    .run();
  const answer = await who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  expect(answer.status).toBe(400);
  expect(await rows(app.db, "SELECT supervisor_email FROM verification_requests WHERE token = ?", token)).toEqual([
    { supervisor_email: supervisor.email },
  ]);
  // For a request that already has the address no second email is sent.
  await app.db
    .prepare("UPDATE verification_requests SET supervisor_email = 'rea+boss@bigcorp.example', requested_at = 1")
    .run();
  const [request] = (await who.get("/api/verification-requests")).json<{ id: number }[]>();
  expect((await who.json("POST", `/api/verification-requests/${request?.id}/remind`)).status).toBe(400);
  await app.sweep();
  expect(app.mailChannels.delivered.filter(({ to }) => to.startsWith("rea"))).toEqual([]);
});

test("a link that was mailed to the technician's own mailbox is 403 on the page and in the call, and the request ends", async () => {
  for (const [n, way] of ["call", "page", "decline", "several"].entries()) {
    const who = await app.register({ email: freshEmail() });
    const entries = await who.addEntries(way === "several" ? 2 : 1);
    const supervisor = await who.addSupervisor({ email: `boss-${n}@bigcorp.example` });
    const records = entries.map(({ id }) => ({ type: "entry", id }));
    const made = await who.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
    const { verificationToken: token } = made.json<{ verificationToken: string }>();
    await app.idle();
    const mail = app.mailChannels.delivered.findLast(({ to }) => to === supervisor.email);
    const m = mail?.text.match(/\?m=(\S+)/)?.[1];
    expect(m).toBeTruthy();
    const visitor = app.as(new Map());
    expect((await visitor.get(`/verify/${token}?m=${m}`)).status).toBe(200);
    // The account gets an alias of that address between the two steps, past the app, which would refuse it.
    await app.db
      .prepare("UPDATE users SET email = ? WHERE id = ?")
      .bind(`boss-${n}+me@bigcorp.example`, who.user.id)
      .run();
    const body = { supervisorName: "Tess Boss" };
    const answer =
      way === "page"
        ? await visitor.post(`/verify/${token}?m=${m}`, { supervisorName: "Tess Boss" })
        : way === "decline"
          ? await visitor.json("POST", `/api/verify/${token}/decline?m=${m}`, { ...body, reason: "Mine" })
          : await visitor.json("POST", `/api/verify/${token}?m=${m}`, body);
    expect([way, answer.status]).toEqual([way, 403]);
    expect(answer.text).toContain("cannot verify their own hours");
    for (const { id } of entries) {
      const [record] = await rows(app.db, "SELECT verified, requested_at FROM entries WHERE id = ?", id);
      expect(record).toEqual({ verified: 0, requested_at: null });
      const log = await rows(app.db, "SELECT event, cause FROM verification_log WHERE record_id = ? ORDER BY id", id);
      expect(log.at(-1)).toEqual({ event: "withdrawn", cause: "own_mailbox" });
    }
    expect((await visitor.json("POST", `/api/verify/${token}?m=${m}`, body)).status).toBe(404);
    const request = (await who.get("/api/verification-requests")).json<{ id: number; endedAt: string | null }[]>()[0];
    expect(request?.endedAt).not.toBeNull();
    expect((await who.get(`/requests/${request?.id}`)).text).toContain("Your own mailbox");
  }
});

// Seen to fail: only the ids of the accounts were compared.
test("another account with the technician's mailbox, or an earlier one of theirs, cannot verify their hours either", async () => {
  const mailbox = `tess-${crypto.randomUUID()}`;
  const who = await app.register({ email: `${mailbox}@bigcorp.example` });
  const second = await app.register({ email: `${mailbox}+second@bigcorp.example` });
  const stranger = await app.register({ email: freshEmail() });
  const entries = await who.addEntries(2);
  const supervisor = await who.addSupervisor();
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const made = await who.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records });
  const several = made.json<{ verificationToken: string }>().verificationToken;
  for (const token of [await who.requestVerification(entries[0]?.id ?? 0, supervisor.id), several]) {
    const page = await second.get(`/verify/${token}`);
    expect([page.status, page.text.includes("These are your own hours")]).toEqual([200, true]);
    const body = { supervisorName: "Tess Boss" };
    const answers = [
      await second.post(`/verify/${token}`, body),
      await second.json("POST", `/api/verify/${token}`, body),
      await second.json("POST", `/api/verify/${token}/decline`, { ...body, reason: "Mine" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  }
  await move(app, second, freshEmail());
  await move(app, who, freshEmail());
  const [third] = await app.registerAll({ email: `${mailbox}@bigcorp.example` });
  const token = await who.requestVerification(entries[0]?.id ?? 0, supervisor.id);
  expect((await third?.json("POST", `/api/verify/${token}`, { supervisorName: "Tess" }))?.status).toBe(403);
  expect((await stranger.json("POST", `/api/verify/${token}`, { supervisorName: "Boss" })).status).toBe(200);
});
