import fc from "fast-check";
import { expect } from "vitest";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import type { App } from "./app.ts";
import type { Client } from "./client.ts";
import { sendCsv } from "./imports.ts";
import { randomLog } from "./random-log.ts";

const KINDS = ["entries", "rope_hours"];

const TYPES = { csv: "text/csv", xlsx: XLSX_TYPE };

async function exportOf(client: Client, kind: string, type: string): Promise<Uint8Array> {
  const answer = await client.get(`/api/export.${type}?kind=${kind}`);
  expect(answer.status).toBe(200);
  return answer.bytes;
}

/**
 * Checks that export → import → export gives the same file, as CSV and as a workbook, for this many random logs. Equal records are duplicates in the
 * file, which are imported all the same.
 */
export async function checkRoundTrips(app: App, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(randomLog, async (log) => {
      const before = await app.register();
      const statuses = [(await before.json("POST", "/api/entries", log.entries)).status];
      for (const record of log.ropeHours) statuses.push((await before.json("POST", "/api/rope-hours", record)).status);
      expect(new Set(statuses)).toEqual(new Set([201]));
      for (const [type, contentType] of Object.entries(TYPES)) {
        const after = await app.register();
        for (const kind of KINDS) {
          const file = await exportOf(before, kind, type);
          const view = (await sendCsv(after, file, kind, contentType)).json<ImportView>();
          // Hours that are all below 1 may be parts of a day: the preview also asks this about the app's own file.
          const chosen = { skip: [], ...(view.hoursUnit === null && { hoursUnit: "hours" }) };
          const changed = await after.json("PATCH", `/api/imports/${view.id}`, chosen);
          expect(changed.json()).toMatchObject({ errors: [] });
          await after.json("POST", `/api/imports/${view.id}/apply`);
          expect(await exportOf(after, kind, type)).toEqual(file);
        }
      }
    }),
    { numRuns },
  );
}
