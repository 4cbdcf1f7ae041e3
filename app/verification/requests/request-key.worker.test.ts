import { expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { freshEmail, mailedTo } from "#tests/worker/request-emails.ts";

/*
 * The Idempotency-Key, or the form key, of the request for one record (docs/api.md): sent again it changes nothing. Seen to
 * fail: a late retry that took the request back from another supervisor, or made one after a decline.
 */

const app = await startMailApp();
const DAY = 24 * 60 * 60 * 1000;

async function ada() {
  const who = await app.register();
  const [first, other] = [
    await who.addSupervisor({ email: freshEmail() }),
    await who.addSupervisor({ email: freshEmail() }),
  ];
  return { who, first, other };
}

async function send(who: Technician, path: string, supervisorId: number, key: string) {
  const answer = await who.json("POST", path, { supervisorId }, { "Idempotency-Key": key });
  await app.idle();
  const { verificationToken, status } = answer.json<{ verificationToken: string; status: string }>();
  return { status: answer.status, trips: answer.trips, token: verificationToken, recordStatus: status };
}

/** Everything that is stored about the requests for a record. */
async function storedOf(id: number) {
  const which = "(SELECT request_id FROM verification_items WHERE record_id = ?)";
  return [
    await rows(app.db, `SELECT * FROM verification_requests WHERE id IN ${which}`, id),
    await rows(app.db, "SELECT * FROM verification_items WHERE record_id = ?", id),
    await rows(app.db, `SELECT * FROM outbox WHERE request_id IN ${which}`, id),
    await count(app.db, "verification_log", "record_id = ?", id),
  ];
}

for (const [what, call, add] of [
  ["an entry", "verify-request", (who: Technician) => who.addEntry()],
  ["rope hours", "verify-request-rope", (who: Technician) => who.addRopeHours()],
] as const) {
  test(`a late retry of a request for ${what} leaves it with the supervisor who was asked since`, async () => {
    const { who, first, other } = await ada();
    const { id } = await add(who);
    const path = `/api/${call}/${id}`;
    const made = await send(who, path, first.id, "k1");
    await send(who, path, other.id, "k2");
    const before = await storedOf(id);
    const late = [await send(who, path, first.id, "k1"), await send(who, path, other.id, "k2")];
    expect(await storedOf(id)).toEqual(before);
    const answer = { status: 200, trips: 1, token: made.token, recordStatus: "requested" };
    expect(late).toEqual([answer, answer]);
    expect([await mailedTo(app, first.email), await mailedTo(app, other.email)]).toEqual([1, 1]);
    // The same key to another supervisor is refused.
    expect((await send(who, path, first.id, "k2")).status).toBe(409);
    expect(await storedOf(id)).toEqual(before);
  });
}

test("a repeated request is not renewed", async () => {
  const { who, first } = await ada();
  const { id } = await who.addEntry();
  const path = `/api/verify-request/${id}`;
  await send(who, path, first.id, "k");
  const earlier = "SET requested_at = requested_at - ?1, expires_at = expires_at - ?1 WHERE own_record_id = ?2";
  await app.db.prepare(`UPDATE verification_requests ${earlier}`).bind(DAY, id).run();
  const before = await storedOf(id);
  await send(who, path, first.id, "k");
  expect(await storedOf(id)).toEqual(before);
});

test("after the request has ended its key makes no new one, and another key does", async () => {
  for (const [ending, status, end] of [
    [
      "declined",
      "declined",
      (_who: Technician, _id: number, token: string) =>
        app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola", reason: "Not mine" }),
    ],
    ["withdrawn", "pending", (who: Technician, id: number) => who.json("DELETE", `/api/verify-request/${id}`)],
    [
      "verified",
      "verified",
      (_who: Technician, _id: number, token: string) =>
        app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" }),
    ],
  ] as const) {
    const { who, first } = await ada();
    const { id } = await who.addEntry();
    const path = `/api/verify-request/${id}`;
    const { token } = await send(who, path, first.id, "k1");
    await end(who, id, token);
    await app.idle();
    const before = await storedOf(id);
    const late = await send(who, path, first.id, "k1");
    expect([ending, await storedOf(id)]).toEqual([ending, before]);
    expect([ending, late]).toEqual([ending, { status: 200, trips: 1, token, recordStatus: status }]);
    const next = await send(who, path, first.id, "k2");
    expect([ending, next.status, next.token === token]).toEqual([ending, ending === "verified" ? 409 : 200, false]);
  }
});

test("a request whose email waits for a confirmed address keeps its key, too", async () => {
  const who = await app.register({ isConfirmed: false });
  const known = [];
  for (let n = 0; n < 3; n += 1) {
    const { id } = await who.addSupervisor({ email: freshEmail() });
    known.push(id);
    await send(who, `/api/verify-request/${(await who.addEntry()).id}`, id, `known ${n}`);
  }
  const { id: fourth } = await who.addSupervisor({ email: freshEmail() });
  const { id } = await who.addEntry();
  const path = `/api/verify-request/${id}`;
  await send(who, path, fourth, "k1");
  const withheld = "SELECT email_withheld FROM verification_requests WHERE own_record_id = ?";
  expect(await rows(app.db, withheld, id)).toEqual([{ email_withheld: "unconfirmed" }]);
  await send(who, path, known[0] ?? 0, "k2");
  const before = await storedOf(id);
  await send(who, path, fourth, "k1");
  expect(await storedOf(id)).toEqual(before);
});

test("the dialog's form, sent again after Back, leaves the request as it is", async () => {
  const { who, first, other } = await ada();
  const { id } = await who.addEntry();
  const [open, address] = [`/profile?request=${id}`, `/profile/request/${id}`];
  const [page, later] = [await who.get(open), await who.get(open)];
  const submit = async (form: typeof page, supervisor: number) => {
    const answer = await who.submit(form, address, { supervisor: String(supervisor) }, "Send Request");
    await app.idle();
    return [answer.status, answer.trips, answer.location];
  };
  await submit(page, first.id);
  await submit(later, other.id);
  const before = await storedOf(id);
  const again = await submit(page, first.id);
  expect(await storedOf(id)).toEqual(before);
  expect(again).toEqual([303, 1, `${open}&link=1`]);
});
