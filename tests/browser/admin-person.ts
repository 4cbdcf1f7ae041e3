import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { storeAdmin } from "./database.ts";
import { test as base, type Technician } from "./technician.ts";

const run = promisify(execFile);

/** Makes a user an admin with `npm run admin` while the app runs, which takes a second: see `storeAdmin`. */
export async function runAdmin(email: string): Promise<void> {
  await run(process.execPath, ["scripts/run.mjs", "admin", email], {
    env: { ...process.env, DATA_DIR: process.env.BROWSER_TEST_DATA },
  });
}

/** Fixtures: an admin beside, or instead of, the technician. */
export const test = base.extend<{ admin: Technician }>({
  admin: async ({ technician }, use) => {
    await storeAdmin(technician.email);
    await use(technician);
  },
});

export { expect, inWay, signUp, WAYS_WITHOUT_ISLAND } from "./technician.ts";
