import { expect, test } from "vitest";
import { dataFolder, logIn, register, start, visit } from "./start.ts";

/** The number of requests, and of entries in each, so that a half-saved request would be visible. */
const SAVES = 1_000;
const ROWS = 3;
const AT_ONCE = 8;

const saving = (number: number) =>
  Array.from({ length: ROWS }, (_, row) => ({
    date: "2026-03-02",
    location: `save ${number}, row ${row}`,
    method: "ET",
    hours: 1,
  }));

// Detects a database that answers before it has written: with `PRAGMA synchronous = OFF` and no WAL half of the entries
// are lost.
test("after a kill during 1,000 saves, every acknowledged save is complete and none is half stored", async () => {
  const data = dataFolder();
  const running = await start(data);
  const ada = await register(running, "ada@example.com");
  const acknowledged = new Set<number>();
  let next = 0;
  const save = async () => {
    while (next < SAVES) {
      const number = next;
      next += 1;
      const answer = await ada.call("POST", "/api/entries", saving(number)).catch(() => null);
      if (!answer) return; // it has been killed
      if (answer.status === 201) acknowledged.add(number);
      if (acknowledged.size === SAVES / 2) running.stop("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, save));
  expect(acknowledged.size).toBeGreaterThanOrEqual(SAVES / 2);
  expect(acknowledged.size).toBeLessThan(SAVES);

  const after = await start(data);
  const stored: { location: string }[] = await (
    await (await logIn(after, "ada@example.com")).call("GET", "/api/entries")
  ).json();
  const rows = new Map<number, number>();
  for (const { location } of stored) {
    const number = Number(location.match(/\d+/)?.[0]);
    rows.set(number, (rows.get(number) ?? 0) + 1);
  }
  expect([...acknowledged].filter((number) => !rows.has(number))).toEqual([]);
  expect([...rows.values()].filter((count) => count !== ROWS)).toEqual([]);
});

test("at SIGTERM it finishes pending requests, accepts no new ones, and exits with 0", async () => {
  const data = dataFolder();
  const running = await start(data);
  const ada = await register(running, "ada@example.com");
  const underWay = Array.from({ length: 20 }, (_, number) => ada.call("POST", "/api/entries", saving(number)));
  await Promise.race(underWay);
  const [code, ...answers] = await Promise.all([running.stop(), ...underWay.map((one) => one.catch(() => null))]);
  expect(code).toBe(0);
  await expect(visit(`${running.url}/healthz`)).rejects.toThrow();
  const kept = answers.filter((answer) => answer?.status === 201).length;

  const after = await start(data);
  const stored: object[] = await (await (await logIn(after, "ada@example.com")).call("GET", "/api/entries")).json();
  expect(stored.length).toBeGreaterThanOrEqual(kept * ROWS);
});
