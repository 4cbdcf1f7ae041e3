import { expect, test } from "vitest";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import {
  bytes,
  entryRow,
  insert,
  ropeHoursRow,
  sessionRow,
  supervisorRow,
  userRow,
  VERIFIED,
} from "#tests/worker/rows.ts";

/*
 * A verified record never changes; deleting it stays possible. Catches a trigger on UPDATE alone, which misses REPLACE:
 * that deletes the conflicting row without firing it.
 */

const db = await startDatabase();
const HASH = "ab".repeat(32);
const REFUSAL = /a verified record never changes/;
let users = 0;

async function newUser(): Promise<number> {
  users += 1;
  return insert(db, "users", userRow({ email: `user-${users}@example.com` }));
}

for (const rowOf of [entryRow, ropeHoursRow]) {
  const kind = rowOf().kind;
  /** Inserts a verified record and an open one. */
  const records = async () => {
    const user_id = await newUser();
    const verified = await insert(db, "records", rowOf({ user_id, ...VERIFIED }));
    return { user_id, verified, open: await insert(db, "records", rowOf({ user_id })) };
  };
  const stored = (id: number) => rows(db, `SELECT * FROM records WHERE id = ?`, id);
  const run = (sql: string, ...values: (string | number | null)[]) =>
    db
      .prepare(sql)
      .bind(...values)
      .run();

  test(`${kind}: no UPDATE changes a verified record, in any column`, async () => {
    const { verified } = await records();
    const before = await stored(verified);
    const columns = await rows<{ name: string }>(db, `PRAGMA table_info(records)`);
    expect(columns.length).toBeGreaterThan(10);
    for (const { name } of columns) {
      const change = run(`UPDATE records SET ${name} = ${name} WHERE id = ?`, verified);
      await expect([name, await change.catch((error: Error) => error.message)]).toEqual([
        name,
        expect.stringMatching(REFUSAL),
      ]);
    }
    const undo = `UPDATE records SET verified = 0, verified_by = NULL, verified_at = NULL, verified_via = NULL WHERE id = ?`;
    await expect(run(undo, verified)).rejects.toThrow(REFUSAL);
    expect(await stored(verified)).toEqual(before);
  });

  test(`${kind}: after the event in its log, a link is confirmed once, and nothing else changes with it`, async () => {
    const { user_id, verified } = await records();
    const mailbox = await insert(db, "records", rowOf({ user_id, ...VERIFIED, verified_via: "mailbox" }));
    const confirm = "UPDATE records SET confirmed_at = 5 WHERE id = ?";
    await expect(run(confirm, verified)).rejects.toThrow(REFUSAL);
    for (const record_id of [verified, mailbox]) {
      const hashes = { record_hash: bytes(HASH), previous: bytes("0".repeat(64)), hash: bytes(HASH) };
      await insert(db, "verification_log", { record_id, number: 1, event: "confirmed", at: 5, ...hashes });
    }
    await expect(
      run("UPDATE records SET confirmed_at = 5, hours = hours + 1 WHERE id = ?", verified),
    ).rejects.toThrow();
    for (const change of ["search = 'x'", "same_key = 'abcdefghijklmnopqrstuv'"]) {
      const changed = run(`UPDATE records SET confirmed_at = 5, ${change} WHERE id = ?`, verified);
      await expect(changed).rejects.toThrow(REFUSAL);
    }
    await expect(run(confirm, mailbox)).rejects.toThrow();
    const [before] = await stored(verified);
    await run(confirm, verified);
    expect(await stored(verified)).toEqual([{ ...before, confirmed_at: 5 }]);
    for (const again of ["6", "NULL"]) {
      await expect(run(`UPDATE records SET confirmed_at = ${again} WHERE id = ?`, verified)).rejects.toThrow(REFUSAL);
    }
  });

  test(`${kind}: an admin's deletion and its undo change no other column`, async () => {
    const { verified } = await records();
    const [before] = await stored(verified);
    const remove = "deleted_at = 5, deleted_by_admin = 1";
    for (const change of ["deleted_at = 5", `${remove}, hours = hours + 1`, `${remove}, confirmed_at = 5`]) {
      await expect(run(`UPDATE records SET ${change} WHERE id = ?`, verified)).rejects.toThrow();
    }
    await run(`UPDATE records SET ${remove} WHERE id = ?`, verified);
    expect(await stored(verified)).toEqual([{ ...before, deleted_at: 5, deleted_by_admin: 1 }]);
    await expect(run("UPDATE records SET deleted_at = 6 WHERE id = ?", verified)).rejects.toThrow(REFUSAL);
    await run("UPDATE records SET deleted_at = NULL, deleted_by_admin = 0 WHERE id = ?", verified);
    expect(await stored(verified)).toEqual([before]);
  });

  test(`${kind}: no INSERT OR REPLACE reuses a verified record's id`, async () => {
    const { user_id, verified } = await records();
    const before = await stored(verified);
    for (const verb of ["INSERT OR REPLACE", "REPLACE"]) {
      const replaced = insert(db, "records", rowOf({ id: verified, user_id, hours: 99 }), verb);
      await expect(replaced).rejects.toThrow(REFUSAL);
    }
    const upsert = `INSERT INTO records (id, user_id, ${Object.keys(rowOf()).slice(1).join(", ")})
      SELECT id, user_id, ${Object.keys(rowOf()).slice(1).join(", ")} FROM records WHERE id = ?
      ON CONFLICT (id) DO UPDATE SET hours = 99`;
    await expect(run(upsert, verified)).rejects.toThrow(REFUSAL);
    expect(await stored(verified)).toEqual(before);
  });

  test(`${kind}: no UPDATE OR REPLACE gives another record the id of a verified one`, async () => {
    const { verified, open } = await records();
    const before = await stored(verified);
    await expect(run(`UPDATE OR REPLACE records SET id = ? WHERE id = ?`, verified, open)).rejects.toThrow(REFUSAL);
    expect(await stored(verified)).toEqual(before);
    expect(await count(db, "records", "id = ?", open)).toBe(1);
  });

  test(`${kind}: an unverified record can be changed, replaced and verified`, async () => {
    const { user_id, open } = await records();
    await run("UPDATE records SET hours = 300, date = '2026-01-01' WHERE id = ?", open);
    await insert(db, "records", rowOf({ id: open, user_id }), "REPLACE");
    await run(
      `UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = 1, verified_via = 'link' WHERE id = ?`,
      open,
    );
    expect(await stored(open)).toMatchObject([{ verified: 1, verified_by: "Ola", hours: 750 }]);
  });

  test(`${kind}: a verified record can be deleted`, async () => {
    const { verified } = await records();
    await run(`DELETE FROM records WHERE id = ?`, verified);
    expect(await stored(verified)).toEqual([]);
  });

  test(`${kind}: deleting an account deletes its records, verified or not, and no other account's`, async () => {
    const [mine, theirs] = [await records(), await records()];
    await run("DELETE FROM users WHERE id = ?", mine.user_id);
    expect(await count(db, "records", "user_id = ?", mine.user_id)).toBe(0);
    expect(await count(db, "records", "user_id = ?", theirs.user_id)).toBe(2);
  });
}

test("deleting an account deletes its sessions and supervisors", async () => {
  const user_id = await newUser();
  await insert(db, "sessions", sessionRow({ user_id }));
  await insert(db, "supervisors", supervisorRow({ user_id }));
  await db.prepare("DELETE FROM users WHERE id = ?").bind(user_id).run();
  expect([await count(db, "sessions"), await count(db, "supervisors")]).toEqual([0, 0]);
});
