import { describe, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { anEntry, formFields } from "#tests/worker/people.ts";

const app = await startApp();

const earlier = (over = {}) => anEntry({ date: "2025-12-31", hours: 800, broughtForward: true, ...over });

describe("hours brought forward", () => {
  test("are saved with their mark, and other entries say that they are none", async () => {
    const kari = await app.register();
    const answer = await kari.json("POST", "/api/entries", [earlier(), anEntry()]);
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject([{ broughtForward: true, hours: 800 }, { broughtForward: false }]);
    const stored = await rows(
      app.db,
      "SELECT brought_forward FROM entries WHERE user_id = ? ORDER BY id",
      kari.user.id,
    );
    expect(stored).toEqual([{ brought_forward: 1 }, { brought_forward: 0 }]);
  });

  test("that are neither true nor false are refused", async () => {
    const kari = await app.register();
    const answer = await kari.json("POST", "/api/entries", earlier({ broughtForward: "yes" }));
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({
      code: "invalid",
      message: "broughtForward must be true or false",
      errors: [{ path: "0.broughtForward", message: "broughtForward must be true or false" }],
    });
  });

  test("are marked in the log, on the record's page, in its deletion and on the print page", async () => {
    const kari = await app.register();
    const { entry } = await kari.addVerifiedEntry(earlier({ location: "All earlier jobs" }));
    const { id } = await kari.addEntry(earlier({ location: "All earlier jobs" }));
    expect((await kari.get("/profile")).text).toContain(
      'All earlier jobs<span class="hint"> Previous experience</span>',
    );
    const page = (await kari.get(`/profile/record/${id}`)).text;
    expect(page).toContain('31 Dec 2025</time><span class="hint"> Previous experience</span>');
    expect((await kari.get(`/profile/record/${id}/delete`)).text).toContain(
      '31 Dec 2025</time><span class="hint"> Previous experience</span>',
    );
    expect(entry).toMatchObject({ broughtForward: true });
    expect((await kari.get("/profile/print")).text).toContain("All earlier jobs (previous experience)");
  });

  test("do not count as hours of that day", async () => {
    const kari = await app.register();
    const form = (over: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(formFields(anEntry(over))).map(([name, text]) => [`entries[0].${name}`, text]));
    await kari.addEntry(earlier());
    await kari.post("/profile/entries/one", form({ date: "2025-12-31", hours: 8 }));
    expect((await kari.get("/profile")).text).not.toContain("more than a day has");
    await kari.post("/profile/entries/two", form({ date: "2025-12-31", hours: 17 }));
    expect((await kari.get("/profile")).text).toContain("31 Dec 2025 now has 25.0 hours");
  });

  test("keep their mark when they are edited, deleted and restored", async () => {
    const kari = await app.register();
    const { id } = await kari.addEntry(earlier());
    const page = (await kari.get(`/profile/record/${id}/edit`)).text;
    const [, shown = ""] = /name="shown" value="(\w+)"/.exec(page) ?? [];
    await kari.post(`/profile/record/${id}/edit`, { ...formFields(anEntry({ hours: 900 })), shown });
    await kari.json("DELETE", `/api/entries/${id}`);
    const restored = await kari.json("POST", `/api/entries/${id}/restore`);
    expect(restored.json()).toMatchObject({ hours: 900, broughtForward: true });
    const changed = await kari.json("PATCH", `/api/entries/${id}`, { broughtForward: false });
    expect(changed.json()).toMatchObject({ hours: 900, broughtForward: false });
  });

  test("have another hash than the same hours without the mark, and once verified the mark never changes", async () => {
    const kari = await app.register();
    const { id } = await kari.addEntry(earlier());
    const shown = async () => {
      const token = await kari.requestVerification(id);
      return (await app.as(new Map()).get(`/api/verify/${token}`)).headers.get("ETag");
    };
    const marked = await shown();
    await kari.json("PATCH", `/api/entries/${id}`, { broughtForward: false });
    expect(await shown()).not.toBe(marked);
    const { entry } = await kari.addVerifiedEntry();
    await expect(
      app.db.prepare("UPDATE records SET brought_forward = 1 WHERE id = ?").bind(entry.id).run(),
    ).rejects.toThrow("a verified record never changes");
  });
});
