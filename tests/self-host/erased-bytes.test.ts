import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolder, register, SETTINGS, start, TOKEN, visit } from "./start.ts";

/** Returns how often a text is in the files of a folder, whatever they hold. */
function bytesOf(text: string, folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).toString("latin1").split(text).length - 1,
    0,
  );
}

// The runtime allows neither `PRAGMA secure_delete` nor VACUUM. If the first part fails because nothing is left, the
// advice in docs/security.md is no longer needed.
test("erased data stays in the files of the data folder, and is in none of a folder that its backup is restored into", async () => {
  const data = dataFolder();
  const running = await start(data);
  const ada = await register(running, "ada.erased@example.com");
  const entry = { date: "2026-03-02", location: "Erased dock", method: "ET", hours: 1 };
  for (let n = 0; n < 50; n += 1) expect((await ada.call("POST", "/api/entries", entry)).status).toBe(201);
  await register(running, "bob.stays@example.com");
  expect((await ada.call("DELETE", "/api/user", { password: "correct horse" })).status).toBe(200);
  const holder = { Authorization: `Bearer ${TOKEN}` };
  const backup = await (await visit(`${running.url}/backup`, { headers: holder })).text();
  await running.stop();
  expect(bytesOf("Erased dock", data)).toBeGreaterThan(0);

  const fresh = dataFolder();
  const restored = await start(fresh, SETTINGS);
  const answer = await visit(`${restored.url}/restore`, { method: "POST", headers: holder, body: backup });
  expect(answer.status).toBe(200);
  await restored.stop();
  expect(bytesOf("bob.stays@example.com", fresh)).toBeGreaterThan(0);
  expect([bytesOf("Erased dock", fresh), bytesOf("ada.erased@example.com", fresh)]).toEqual([0, 0]);
});
