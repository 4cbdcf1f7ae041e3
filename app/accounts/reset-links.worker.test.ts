import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { PASSWORD } from "#tests/worker/people.ts";

const app = await startApp();

test.each([["/reset-password"], ["/reset-password/a-token"]])(
  "%s rejects an oversized body and one that is not a form, as every page does",
  async (path) => {
    const ada = await app.register();
    if (path.endsWith("a-token")) await openReset(app.db, ada.user.id, "a-token");
    const stored = () => rows(app.db, "SELECT * FROM users WHERE id = ?", ada.user.id);
    const before = await stored();
    const fields = { email: ada.user.email, password: PASSWORD, confirmPassword: PASSWORD };
    expect((await app.post(path, { ...fields, email: "x".repeat(1024 * 1024) })).status).toBe(413);
    expect((await app.json("POST", path, fields)).status).toBe(415);
    expect(await stored()).toEqual(before);
    expect([200, 303]).toContain((await app.post(path, fields)).status);
    expect(await stored()).not.toEqual(before);
  },
);
