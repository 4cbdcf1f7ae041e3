import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";

// Catches a Worker that leaves the check of its settings to the start script: Cloudflare runs none.
test.each([
  ["TRUST_PROXY", "0", "TRUST_PROXY must be 1"],
  ["SESSION_SECRET", "a short secret", "SESSION_SECRET is too short"],
  ["MAIL_FROM", "Hours Tracker", "MAIL_FROM must be an address"],
  ["RESET_ADMIN", "ada", "RESET_ADMIN must be the email address of an admin"],
])(
  "with a wrong %s every request is answered with an error, and the log says what is wrong",
  async (name, value, words) => {
    const app = await startApp({ env: { [name]: value } });
    for (const path of ["/auth", "/api/user"]) {
      expect([path, (await app.get(path)).status >= 500]).toEqual([path, true]);
    }
    await app.logged((line) => JSON.stringify(line).includes(words));
  },
);
