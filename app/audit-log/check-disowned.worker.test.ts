import { expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { startAlterableLog } from "#tests/worker/alterable-log.ts";
import { rows } from "#tests/worker/database.ts";
import { appendEvent, lastEvent } from "./log.server.ts";

/*
 * A record may be verified, disowned, verified again …; the record has to match the last of these events. Catches a
 * check that reads one verification for each record, and one that accepts any state of a record that was once disowned.
 */

const { db, ada, entry, check } = await startAlterableLog();
const orm = connect(db);
const [owner] = await rows<{ owner: string }>(
  db,
  "SELECT lower(hex(owner)) AS owner FROM users WHERE id = ?",
  ada.user.id,
);
const content = { ...entry, method: "MT", owner: owner?.owner ?? "", createdAt: new Date(entry.createdAt) };

/** Appends an event to the entry's log, and returns its time. */
async function append(event: "verified" | "confirmed" | "disowned", name?: string): Promise<Date> {
  const at = new Date(Date.now() + 1_000);
  const [last] = (await batch(orm, { last: lastEvent(orm, entry.id) })).last;
  const position = { id: entry.id, userId: ada.user.id, last };
  await batch(
    orm,
    appendEvent(orm, position, { event, at, name, via: "link", recordHash: recordHash(entryKind, content) }),
  );
  return at;
}

const unverify = () =>
  rows(
    db,
    "UPDATE records SET verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL WHERE id = ?",
    entry.id,
  );

/** Marks the entry as verified again, by another answer to its request. */
const verify = async (name: string, at: Date) => {
  await rows(
    db,
    `UPDATE verification_answers SET name = ?
      WHERE id = (SELECT answer_id FROM verification_items WHERE record_id = ?)`,
    name,
    entry.id,
  );
  await rows(
    db,
    "UPDATE verification_items SET state = 'verified', decided_at = ? WHERE record_id = ?",
    at.getTime(),
    entry.id,
  );
  await rows(
    db,
    "UPDATE records SET verified = 1, verified_by = ?, verified_at = ?, verified_via = 'link' WHERE id = ?",
    name,
    at.getTime(),
    entry.id,
  );
};

test("a disowned record is unverified, and may be verified again", async () => {
  await append("disowned");
  await unverify();
  expect(await check()).toMatchObject({ reported: [], verified: 1 });
  await verify("Kari Dahl", await append("verified", "Kari Dahl"));
  expect(await check()).toMatchObject({ reported: [], verified: 2 });
  await append("disowned");
  await unverify();
  expect(await check()).toMatchObject({ reported: [], verified: 1 });
});

test("a disowned record that is still verified is a fault", async () => {
  await append("disowned");
  expect((await check()).reported).toEqual([expect.stringMatching(/2: the record is verified, but this was disowned/)]);
});

test("the record has to match the last verification, not an earlier one", async () => {
  await append("disowned");
  await append("verified", "Kari Dahl");
  expect((await check()).reported).toEqual([
    expect.stringMatching(/4: the record names another verifier/),
    expect.stringMatching(/4: the record has another time/),
  ]);
});

test("a verified record cannot be verified again, nor an unverified one disowned", async () => {
  await append("verified", "Kari Dahl");
  expect((await check()).reported).toEqual([expect.stringMatching(/3: it is a second verification/)]);
  await append("disowned");
  await append("disowned");
  await unverify();
  expect((await check()).reported).toEqual([
    expect.stringMatching(/3: it is a second verification/),
    expect.stringMatching(/5: it disowns a record that was not verified/),
  ]);
});

test("a confirmed record has the time of its confirmation, and is confirmed once", async () => {
  const at = await append("confirmed");
  expect((await check()).reported).toEqual([expect.stringMatching(/3: the record has another time of confirmation/)]);
  await rows(db, "UPDATE records SET confirmed_at = ? WHERE id = ?", at.getTime(), entry.id);
  expect(await check()).toMatchObject({ reported: [], verified: 2 });
  await append("confirmed");
  expect((await check()).reported).toContainEqual(expect.stringMatching(/4: it confirms a record .* or again/));
});
