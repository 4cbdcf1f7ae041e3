import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { type World, worldOf } from "#tests/worker/world.ts";
import { ACTIONS } from "./actions.ts";
import { reportFigureAtEnd } from "./figures.ts";
import { race, SEEDS } from "./race.ts";
import { restore, type Snapshot, snapshotOf } from "./snapshot.ts";

/*
 * An admin deletes a user or an entry during an action on it: in any order, no row of the deleted data is left, and no
 * user sees an unexplained error. Seen to fail here: an INSERT that relies on an earlier SELECT; the foreign key
 * rejected it, and the user saw a server error. Seen to hang: adding a supervisor to a deleted account was retried for
 * ever.
 */

const app = await startApp();
const world = await worldOf(app);
const before = await snapshotOf(app.db);

/** Two requests with few stops each have few orders: 25 seeds for each action are enough. */
const MOST_SEEDS = SEEDS.slice(0, 25);

/** Returns the seeds of an action: one order of them in `npm test`, another one for the next action. */
const seedsFor = (index: number) => (SEEDS.length > 5 ? MOST_SEEDS : [SEEDS[index % SEEDS.length] ?? 1]);

/** The rows that the admin deletes during the action. */
const VICTIMS = [
  { what: "its user", call: "/api/admin/users", table: "users", idOf: ({ owner }: World) => owner.user.id },
  { what: "its entry", call: "/api/admin/entries", table: "records", idOf: ({ entryId }: World) => entryId },
];

/**
 * Returns the rows that refer to a user who no longer exists, by table. The remains of a deleted account's export refer
 * to no user.
 */
function orphans(now: Snapshot): string[] {
  const users = new Set(now.get("users")?.map(({ id }) => id));
  return [...now].flatMap(([table, list]) =>
    list.some((row) => "user_id" in row && !row.account_deleted_at && !users.has(row.user_id ?? null)) ? [table] : [],
  );
}

for (const { what, call, table, idOf } of VICTIMS) {
  for (const [index, action] of ACTIONS.entries()) {
    const seeds = seedsFor(index);
    test(`${action.name}, while an admin deletes ${what}`, {
      timeout: seeds.length * 20_000,
    }, async () => {
      for (const seed of seeds) {
        await restore(app.db, before);
        const admin = world.admin.as(world.admin.cookies);
        const [acted, deleted] = await race<Answer>(2, seed, async (number, headers) =>
          number === 0
            ? (await action.send(app, world, headers)).answer
            : admin.json("DELETE", `${call}/${idOf(world)}`, undefined, headers),
        );
        expect([seed, acted?.status, acted?.text.slice(0, 300)]).toEqual([
          seed,
          expect.toSatisfy((n) => n < 500),
          expect.anything(),
        ]);
        // The owner may have deleted it first; in any case it no longer exists.
        expect([seed, [200, 404].includes(deleted?.status ?? 0)]).toEqual([seed, true]);
        const now = await snapshotOf(app.db);
        const left = now.get(table)?.some((row) => row.id === idOf(world) && !row.deleted_at);
        expect([seed, left]).toEqual([seed, false]);
        expect([seed, orphans(now)]).toEqual([seed, []]);
      }
    });
  }
}

reportFigureAtEnd(
  "Deletion raced with everything",
  () => `${ACTIONS.length} actions, 2 deletions, ${seedsFor(0).length} seeds each`,
);
