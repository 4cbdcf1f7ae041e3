import { expect, test } from "vitest";
import { race } from "#tests/safe/race.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, textsOf } from "#tests/worker/html.ts";

/*
 * Nobody confirms what they did not see. Seen to fail: the hash compared and then an UPDATE by the token alone (the
 * name changed between the two was confirmed unseen), and a form without the field taken for one that has it.
 */

const app = await startApp();
const CHANGED = "This record was changed since you opened it. Look at it again, and confirm it if it is right.";

async function asked() {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entry = await ada.addEntry({ location: "Mongstad" });
  const token = await ada.requestVerification(entry.id);
  const verified = async () => (await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id))[0]?.verified;
  const rename = (name: string) =>
    app.db.prepare("UPDATE users SET name = ? WHERE id = ?").bind(name, ada.user.id).run();
  return { ada, entry, token, path: `/verify/${token}`, verified, rename };
}

test("a record that changed since its page was opened is shown as it is now, with the name kept, and can then be confirmed", async () => {
  const { path, verified, rename } = await asked();
  const page = await app.get(path);
  await rename("Kari Hansen");
  const refused = await app.submit(page, path, { supervisorName: "Ola Hansen" });
  expect([refused.status, refused.trips]).toEqual([409, 1]);
  expect(textsOf(refused.text, "p", 'role="alert"')).toEqual([CHANGED]);
  expect(textsOf(refused.text, "dl")[0]).toContain("Kari Hansen");
  expect(formIn(refused.text, path).fields.get("supervisorName")).toBe("Ola Hansen");
  expect(await verified()).toBe(0);
  await app.idle(); // the opening is noted: a line that came in between would cost a round trip more
  const answer = await app.submit(refused, path, {});
  expect([answer.status, answer.trips, await verified()]).toEqual([303, 2, 1]);
});

test("a form without the hash, with another's, or with none in it confirms nothing", async () => {
  const { path, verified } = await asked();
  const other = await asked();
  const { values } = formIn((await app.get(other.path)).text, other.path);
  for (const shown of [undefined, "", "0".repeat(64), values({}).get("shown") ?? ""]) {
    const page = await app.post(path, { supervisorName: "Ola", ...(shown !== undefined && { shown }) });
    expect([shown, page.status, textsOf(page.text, "p", 'role="alert"')]).toEqual([shown, 409, [CHANGED]]);
  }
  expect(await verified()).toBe(0);
});

test("the call has the hash as ETag, takes it back with or without its quotes, and refuses another; without one all is as before", async () => {
  for (const dress of [(tag: string) => tag, (tag: string) => tag.replaceAll('"', ""), (tag: string) => `W/${tag}`]) {
    const { token, verified } = await asked();
    const tag = (await app.get(`/api/verify/${token}`)).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    const wrong = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown: "" });
    expect([wrong.status, wrong.json(), await verified()]).toEqual([409, { message: CHANGED }, 0]);
    const right = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown: dress(tag) });
    expect([right.status, await verified()]).toEqual([200, 1]);
  }
  const { token } = await asked();
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(200);
});

test("what changes between the look and the confirmation is not confirmed: the values read are in the statement", async () => {
  // Whose name stood there at the moment of the verification.
  await app.db.prepare("CREATE TABLE at_verification (entry INTEGER, name TEXT)").run();
  await app.db
    .prepare(
      `CREATE TRIGGER at_verification_is_kept AFTER UPDATE OF verified ON entries BEGIN
        INSERT INTO at_verification SELECT NEW.id, name FROM users WHERE id = NEW.user_id; END`,
    )
    .run();
  for (let seed = 1; seed <= 12; seed += 1) {
    const { ada, token, entry } = await asked();
    const shown = (await app.get(`/api/verify/${token}`)).headers.get("ETag") ?? "";
    await app.idle();
    const [confirmed, renamed] = await race(2, seed, (number, headers) =>
      number === 0
        ? app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown }, headers)
        : ada.post("/account/details", { name: "Kari Hansen" }, headers),
    );
    expect([seed, renamed?.status]).toEqual([seed, 303]);
    const verified = await rows(app.db, "SELECT name FROM at_verification WHERE entry = ?", entry.id);
    expect([seed, confirmed?.status, verified]).toEqual(
      verified.length > 0 ? [seed, 200, [{ name: "Kari Nordmann" }]] : [seed, 409, []],
    );
  }
});
