import { expect, test } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { anEntry, aRopeHours, aSupervisor, PASSWORD, type Technician } from "#tests/worker/people.ts";
import { storeRequests } from "#tests/worker/requests.ts";
import { longTest, reportFigure, search } from "./figures.ts";
import { FEW_SEEDS, race, SEEDS } from "./race.ts";

/*
 * Operations that must happen once, requested fifty times at once, with a pause before and after every D1 call. A seed
 * decides the interleaving, so a failure can be repeated. The last tests check the test itself: the same app with the
 * condition removed from one statement (a check and then a write) must fail here.
 */

const app = await startApp();
const RACERS = 50;

/** Verifies a record by page and API in turn. Returns the numbers of the requests that report success. */
async function confirmRaced(on: App, ada: Technician, token: string, seed: number) {
  // The owner may open the page as well, and the audit log does not record that.
  const shown = (await ada.get(`/api/verify/${token}`)).headers.get("ETag") ?? "";
  const answers = await race(RACERS, seed, (number, headers) => {
    const supervisorName = `Supervisor ${number}`;
    return number % 2
      ? on.json("POST", `/api/verify/${token}`, { supervisorName }, headers)
      : on.post(`/verify/${token}`, { supervisorName, shown }, headers);
  });
  const wins = ({ status, location }: Answer) => status === 200 || location === `/success?token=${token}`;
  const loses = ({ status, location }: Answer) => status === 409 || location === `/verify/${token}`;
  return {
    winners: answers.flatMap((answer, number) => (wins(answer) ? [number] : [])),
    losers: answers.filter(loses).length,
  };
}

/** Creates a record of either kind with an open link. */
async function openLink(ada: Technician, isRope: boolean) {
  const record = isRope ? await ada.addRopeHours() : await ada.addEntry();
  const path = isRope ? `/api/verify-request-rope/${record.id}` : `/api/verify-request/${record.id}`;
  const { id: supervisorId } = await ada.addSupervisor();
  const answer = await ada.json("POST", path, { supervisorId });
  const { verificationToken } = answer.json<{ verificationToken: string }>();
  return { id: record.id, token: verificationToken };
}

const timeout = 10 * 60_000 + SEEDS.length * 60_000;

/** Asks for 20 records at once, where two more new requests are allowed, alone and through one link in turn. */
async function quotaRaced(on: App, seed: number) {
  const ada = await on.register();
  const entries = await ada.addEntries(20);
  const { id: supervisorId } = await ada.addSupervisor();
  await storeRequests(on.db, ada.user.id, 98);
  const answers = await race(20, seed, (number, headers) => {
    const id = entries[number]?.id ?? 0;
    return number % 2
      ? ada.json("POST", `/api/verify-request/${id}`, { supervisorId }, headers)
      : ada.json("POST", "/api/verification-requests", { supervisorId, records: [{ type: "entry", id }] }, headers);
  });
  const made = answers.filter(({ status }) => status < 300).length;
  return { ada, made, refused: answers.filter(({ status }) => status === 429).length };
}

search(
  "of 20 concurrent requests where two are left of the day, two are stored and 18 refused",
  {
    timeout,
  },
  async () => {
    for (const seed of FEW_SEEDS) {
      const { ada, made, refused } = await quotaRaced(app, seed);
      expect([seed, made, refused]).toEqual([seed, 2, 18]);
      expect([seed, await count(app.db, "verification_requests", "user_id = ?", ada.user.id)]).toEqual([seed, 100]);
      const own = "user_id = ? AND own_record_id IS NOT NULL";
      expect([seed, await count(app.db, "verification_requests", own, ada.user.id)]).toEqual([
        seed,
        expect.toSatisfy((n) => n <= 2),
      ]);
    }
  },
);

test("one of 50 concurrent verifications succeeds, and 49 are refused", { timeout }, async () => {
  const ada = await app.register();
  for (const seed of SEEDS) {
    const { id, token } = await openLink(ada, seed % 2 === 0);
    const { winners, losers } = await confirmRaced(app, ada, token, seed);
    expect([seed, winners.length, losers]).toEqual([seed, 1, RACERS - 1]);
    const [record] = await rows(app.db, `SELECT verified, verified_by AS name FROM records WHERE id = ?`, id);
    expect([seed, record]).toEqual([seed, { verified: 1, name: `Supervisor ${winners[0]}` }]);
    const requests = "SELECT request_id FROM verification_items WHERE record_id = ?";
    const about = `kind = 'hours_verified' AND request_id IN (${requests})`;
    expect([seed, await count(app.db, "outbox", about, id)]).toEqual([seed, 1]);
    const told = "event = 'verified' AND record_id = ? AND facts ->> 'name' = ?";
    const log = "verification_log AS log JOIN event_facts AS facts ON facts.hash = supervisor_hash";
    const line = await count(app.db, log, told, id, `Supervisor ${winners[0]}`);
    expect([seed, line]).toEqual([seed, 1]);
  }
  reportFigure("Confirm raced by 50", `exactly 1 in ${SEEDS.length} seeds`);
});

/** Uses a reset link by page and API in turn, each with another password. */
async function resetRaced(on: App, token: string, seed: number) {
  const answers = await race(RACERS, seed, (number, headers) => {
    const password = `brand new ${number}`;
    return number % 2
      ? on.json("POST", `/api/auth/reset-password/${token}`, { password }, headers)
      : on.post(`/reset-password/${token}`, { password, confirmPassword: password }, headers);
  });
  return {
    winners: answers.flatMap(({ status }, number) => (status === 200 ? [number] : [])),
    losers: answers.filter(({ status }) => status === 400).length,
  };
}

test("one of 50 concurrent uses of a reset link succeeds, and 49 are refused", { timeout }, async () => {
  for (const seed of SEEDS) {
    const ada = await app.register();
    const token = crypto.randomUUID();
    await openReset(app.db, ada.user.id, token);
    const { winners, losers } = await resetRaced(app, token, seed);
    expect([seed, winners.length, losers]).toEqual([seed, 1, RACERS - 1]);
    const signIn = (password: string) => app.json("POST", "/api/auth/login", { email: ada.user.email, password });
    expect([seed, (await signIn(`brand new ${winners[0]}`)).status]).toEqual([seed, 200]);
    expect([seed, (await signIn(PASSWORD)).status]).toEqual([seed, 401]);
    const about = "kind = 'password_changed' AND user_id = ?";
    expect([seed, await count(app.db, "outbox", about, ada.user.id)]).toEqual([seed, 1]);
  }
  reportFigure("Reset raced by 50", `exactly 1 in ${SEEDS.length} seeds`);
});

/** Every request that creates a row: its path, its body and the table that it fills. */
const SENDINGS: [path: string, body: object, table: string][] = [
  ["/api/entries", [anEntry(), anEntry({ method: "PT" })], "entries"],
  ["/api/rope-hours", aRopeHours(), "rope_hours"],
  ["/api/supervisors", aSupervisor(), "supervisors"],
];

search("the same request sent ten times at once saves once, and all get the same answer", { timeout }, async () => {
  for (const seed of FEW_SEEDS) {
    const ada = await app.register();
    for (const [path, body, table] of SENDINGS) {
      const answers = await race(10, seed, (_number, headers) =>
        ada.json("POST", path, body, { ...headers, "Idempotency-Key": "k" }),
      );
      const told = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      expect([seed, path, told.size, [...told][0]?.slice(0, 3)]).toEqual([seed, path, 1, "201"]);
      const made = Array.isArray(body) ? body.length : 1;
      expect([seed, path, await count(app.db, table, "user_id = ?", ada.user.id)]).toEqual([seed, path, made]);
    }
  }
});

search("the same form sent by page and API at once saves one row", { timeout }, async () => {
  const typed = Object.fromEntries(
    Object.entries(anEntry()).map(([name, value]) => [`entries[0].${name}`, `${value}`]),
  );
  for (const seed of FEW_SEEDS) {
    const ada = await app.register();
    const answers = await race(10, seed, (number, headers) =>
      number % 2
        ? ada.json("POST", "/api/entries", anEntry(), { ...headers, "Idempotency-Key": "k" })
        : ada.post("/profile/entries/k", typed, headers),
    );
    expect([seed, new Set(answers.map(({ status }) => status))]).toEqual([seed, new Set([201, 303])]);
    expect([seed, await ada.storedEntries()]).toEqual([seed, 1]);
  }
  reportFigure("The same form sent twice", "0 double");
});

search(
  "a verification request sent ten times at once makes one link, one supervisor and one email",
  {
    timeout,
  },
  async () => {
    for (const seed of FEW_SEEDS) {
      const ada = await app.register();
      const { id } = await ada.addEntry();
      const typed = { supervisor: "new", ...aSupervisor() };
      const answers = await race(10, seed, (_number, headers) => ada.post(`/profile/request/${id}/k`, typed, headers));
      expect([seed, new Set(answers.map(({ status }) => status))]).toEqual([seed, new Set([303])]);
      const made = await Promise.all(
        ["supervisors", "outbox"].map((table) => count(app.db, table, "user_id = ?", ada.user.id)),
      );
      expect([seed, made]).toEqual([seed, [1, 1]]);
      const open = await ada.addEntry();
      const [{ id: supervisorId } = { id: 0 }] = (await ada.get("/api/supervisors")).json<{ id: number }[]>();
      const calls = await race(10, seed, (_number, headers) =>
        ada.json("POST", `/api/verify-request/${open.id}`, { supervisorId }, { ...headers, "Idempotency-Key": "k" }),
      );
      expect([seed, new Set(calls.map(({ status, text }) => `${status} ${text}`)).size]).toEqual([seed, 1]);
      expect([seed, await count(app.db, "outbox", "user_id = ?", ada.user.id)]).toEqual([seed, 2]);
    }
  },
);

search(
  "of 20 concurrent registrations of an address one creates the account, and 19 are told so",
  {
    timeout,
  },
  async () => {
    for (const seed of FEW_SEEDS) {
      const email = `raced-${seed}@example.com`;
      const answers = await race(20, seed, (number, headers) =>
        app.json("POST", "/api/auth/register", { email, password: `password ${number}` }, headers),
      );
      const winners = answers.flatMap(({ status }, number) => (status === 201 ? [number] : []));
      expect([seed, winners.length, answers.filter(({ status }) => status === 409).length]).toEqual([seed, 1, 19]);
      const sessions = await count(app.db, "sessions", "user_id = (SELECT id FROM users WHERE email = ?)", email);
      expect([seed, sessions]).toEqual([seed, 1]);
      const signIn = await app.json("POST", "/api/auth/login", { email, password: `password ${winners[0]}` });
      expect([seed, signIn.status]).toEqual([seed, 200]);
    }
  },
);

search("of two admins who delete each other at once one remains", { timeout }, async () => {
  for (const seed of FEW_SEEDS) {
    const admins = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })] as const;
    const answers = await race(2, seed, (number, headers) =>
      (number ? admins[1] : admins[0]).json(
        "DELETE",
        `/api/admin/users/${admins[number ? 0 : 1].user.id}`,
        undefined,
        headers,
      ),
    );
    expect([seed, answers.map(({ status }) => status).sort()]).toEqual([seed, [200, 401]]);
    const left = await count(app.db, "users", "id IN (?, ?)", admins[0].user.id, admins[1].user.id);
    expect([seed, left]).toEqual([seed, 1]);
  }
});

/** Starts the app without its triggers and without a piece of its SQL. */
async function brokenApp(...sabotage: [from: string, to: string][]): Promise<App> {
  const broken = await startApp({ sabotage });
  const triggers = await rows<{ name: string }>(broken.db, "SELECT name FROM sqlite_master WHERE type = 'trigger'");
  for (const { name } of triggers) await broken.db.prepare(`DROP TRIGGER "${name}"`).run();
  return broken;
}

longTest("a verification that checks and then writes fails this test: several of 50 succeed", async () => {
  const naive = await brokenApp(); // without the trigger that compares revisions
  // The audit log also prevents two verifications: its next event can be written only once.
  await naive.db.prepare("DROP INDEX verification_log_by_record").run();
  const ada = await naive.register();
  const { token } = await openLink(ada, false);
  const { winners } = await confirmRaced(naive, ada, token, 1);
  reportFigure("Confirm raced by 50, the naive form", `${winners.length} of 50 win`);
  expect(winners.length).toBeGreaterThan(1);
});

longTest("a reset that checks and then writes fails this test: many of 50 succeed", async () => {
  // Without the condition that the link is still open.
  const naive = await brokenApp([" AND reset_token = ? AND locked_at", " AND ? <> '' AND locked_at"]);
  const ada = await naive.register();
  await openReset(naive.db, ada.user.id, "a token");
  const { winners } = await resetRaced(naive, "a token", 1);
  reportFigure("Reset raced by 50, the naive form", `${winners.length} of 50 win`);
  expect([ada.user.id, winners.length > 10]).toEqual([1, true]);
});

test("the same seed gives the same interleaving", async () => {
  const won = new Set<number | undefined>();
  for (let run = 0; run < 2; run += 1) {
    const ada = await app.register();
    const { token } = await openLink(ada, false);
    won.add((await confirmRaced(app, ada, token, 7)).winners[0]);
  }
  expect(won.size).toBe(1);
});
