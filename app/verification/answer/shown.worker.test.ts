import { expect, test } from "vitest";
import { race } from "#tests/safe/race.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, textsOf } from "#tests/worker/html.ts";

/*
 * A supervisor confirms exactly what they were shown. Catches a hash that is compared before an UPDATE by token alone
 * (a name changed between the two was confirmed unseen), and a form without the hash that is accepted.
 */

const app = await startApp();
const CHANGED = "This record was changed since you opened it. Look at it again, and confirm it if it is right.";

async function requestedEntry() {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entry = await ada.addEntry({ location: "Mongstad" });
  const token = await ada.requestVerification(entry.id);
  const verified = async () => (await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id))[0]?.verified;
  const rename = (name: string) =>
    app.db.prepare("UPDATE users SET name = ? WHERE id = ?").bind(name, ada.user.id).run();
  return { ada, entry, token, path: `/verify/${token}`, verified, rename };
}

test("a record that changed since its page was opened is shown again with the typed name, and can then be confirmed", async () => {
  const { path, verified, rename } = await requestedEntry();
  const page = await app.get(path);
  await rename("Kari Hansen");
  const refused = await app.submit(page, path, { supervisorName: "Ola Hansen" });
  expect([refused.status, refused.trips]).toEqual([409, 1]);
  expect(textsOf(refused.text, "p", 'role="alert"')).toEqual([CHANGED]);
  expect(textsOf(refused.text, "h1")[0]).toContain("Kari Hansen");
  expect(formIn(refused.text, path).fields.get("supervisorName")).toBe("Ola Hansen");
  expect(await verified()).toBe(0);
  await app.idle(); // wait for the opening event: a conflict with it would cost another round trip
  const answer = await app.submit(refused, path, {});
  expect([answer.status, answer.trips, await verified()]).toEqual([303, 2, 1]);
});

test("a form without the hash, with an empty one or with another record's confirms nothing", async () => {
  const { path, verified } = await requestedEntry();
  const other = await requestedEntry();
  const { values } = formIn((await app.get(other.path)).text, other.path);
  for (const shown of [undefined, "", "0".repeat(64), values({}).get("shown") ?? ""]) {
    const page = await app.post(path, { supervisorName: "Ola", ...(shown !== undefined && { shown }) });
    expect([shown, page.status, textsOf(page.text, "p", 'role="alert"')]).toEqual([shown, 409, [CHANGED]]);
  }
  expect(await verified()).toBe(0);
});

test("the API returns the hash as ETag and accepts it with or without quotes, or no hash at all; it refuses another", async () => {
  for (const dress of [(tag: string) => tag, (tag: string) => tag.replaceAll('"', ""), (tag: string) => `W/${tag}`]) {
    const { token, verified } = await requestedEntry();
    const tag = (await app.get(`/api/verify/${token}`)).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    const wrong = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown: "" });
    expect([wrong.status, wrong.json(), await verified()]).toEqual([
      409,
      { code: "record_changed", message: CHANGED },
      0,
    ]);
    const right = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola", shown: dress(tag) });
    expect([right.status, await verified()]).toEqual([200, 1]);
  }
  const { token } = await requestedEntry();
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" })).status).toBe(200);
});

test("a change between reading and confirming prevents the confirmation: the UPDATE compares the values", async () => {
  // Stores the owner's name at the time of the verification.
  await app.db.prepare("CREATE TABLE at_verification (entry INTEGER, name TEXT)").run();
  await app.db
    .prepare(
      `CREATE TRIGGER at_verification_is_kept AFTER UPDATE OF verified ON records BEGIN
        INSERT INTO at_verification SELECT NEW.id, name FROM users WHERE id = NEW.user_id; END`,
    )
    .run();
  for (let seed = 1; seed <= 12; seed += 1) {
    const { ada, token, entry } = await requestedEntry();
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
