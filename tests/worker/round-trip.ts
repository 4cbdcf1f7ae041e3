import fc from "fast-check";
import { expect } from "vitest";
import type { App } from "./app.ts";
import type { Client } from "./client.ts";
import { upload } from "./imports.ts";
import { randomLog } from "./random-log.ts";

const KINDS = ["entries", "rope_hours"];

async function exportOf(client: Client, kind: string): Promise<string> {
  const answer = await client.get(`/api/export.csv?kind=${kind}`);
  expect(answer.status).toBe(200);
  return answer.text;
}

/**
 * Checks that export → import → export gives the same file, for this many random logs. Equal records are duplicates in the
 * file, which are imported all the same.
 */
export async function checkRoundTrips(app: App, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomLog, async (log) => {
      const [before, after] = [await app.register(), await app.register()];
      const statuses = [(await before.json("POST", "/api/entries", log.entries)).status];
      for (const record of log.ropeHours) statuses.push((await before.json("POST", "/api/rope-hours", record)).status);
      expect(new Set(statuses)).toEqual(new Set([201]));
      for (const kind of KINDS) {
        const file = await exportOf(before, kind);
        const view = await upload(after, file, kind);
        expect(view.errors).toEqual([]);
        await after.json("PATCH", `/api/imports/${view.id}`, { skip: [] });
        await after.json("POST", `/api/imports/${view.id}/apply`);
        expect(await exportOf(after, kind)).toBe(file);
      }
    }),
    { numRuns },
  );
}
