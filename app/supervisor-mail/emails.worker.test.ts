import { expect, test } from "vitest";
import { MESSAGE_KINDS } from "#app/db/enumerations.ts";
import { rows } from "#tests/worker/database.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { insert } from "#tests/worker/rows.ts";

/* Catches a kind of email that no module composes: its messages would wait until they are given up. */

const app = await startMailApp();

test("each kind of email has a composer: a message is sent, or cancelled if it is about nothing", async () => {
  const ada = await app.register();
  await app.idle();
  await app.db.prepare("DELETE FROM outbox").run();
  const now = Date.now();
  for (const kind of MESSAGE_KINDS) {
    await insert(app.db, "outbox", { kind, user_id: ada.user.id, state: "waiting", due_at: now, created_at: now });
  }
  for (let sweeps = 0; sweeps < MESSAGE_KINDS.length; sweeps += 4) await app.sweep();
  const stored = await rows<{ kind: string; state: string }>(app.db, "SELECT kind, state FROM outbox ORDER BY id");
  expect(stored.map(({ kind }) => kind)).toEqual([...MESSAGE_KINDS]);
  expect(stored.filter(({ state }) => state !== "cancelled").map((one) => Object.values(one))).toEqual([
    ["password_changed", "sent"],
  ]);
});
