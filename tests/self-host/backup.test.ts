import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Running } from "#self-host/build/running.ts";
import { readsAs } from "./disk.ts";
import { dataFolder, logIn, type Person, register, setUpLink, start, TOKEN, visit } from "./start.ts";

const HOLDER = { Authorization: `Bearer ${TOKEN}` };

const rope = (skills: string) => ({
  startDate: "2026-11-16",
  endDate: "2026-11-20",
  location: "Dock 'n' yard; --;",
  skills,
  hours: 38.25,
});

/** Texts that are hard to write as SQL. */
const SKILLS = [
  "one line",
  "two\nlines",
  "an end\n--;\nof a statement",
  "-- end of backup\n",
  "quotes ' '' \" ` \\n \\",
  "Łódź 日本語 🧗",
  `${"line\n".repeat(300)}end`,
];

async function everything(person: Person): Promise<unknown> {
  const paths = ["/api/user", "/api/entries", "/api/rope-hours", "/api/supervisors"];
  return Promise.all(paths.map(async (path) => (await person.call("GET", path)).json()));
}

/** Has an entry verified: the answer's row may refer to a table that was created after its own. */
async function verifyOne({ url }: Running, ada: Person): Promise<void> {
  const supervisor = {
    name: "Ola Hansen",
    email: "ola@example.org",
    phone: "555",
    certificationLevel: "Level II",
    company: "Fjord AS",
  };
  const saved = await ada.call("POST", "/api/supervisors", supervisor);
  const { id }: { id: number } = await saved.json();
  const [entry]: { id: number }[] = await (await ada.call("GET", "/api/entries")).json();
  const asked = await ada.call("POST", `/api/verify-request/${entry?.id}`, { supervisorId: id });
  const { verificationToken }: { verificationToken: string } = await asked.json();
  const answer = await visit(`${url}/api/verify/${verificationToken}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ supervisorName: "Ola Hansen" }),
  });
  expect([saved.status, asked.status, answer.status]).toEqual([201, 200, 200]);
}

test("a backup taken from the running program and restored into an empty folder contains everything", async () => {
  const running = await start(dataFolder());
  const ada = await register(running, "ada@example.com");
  for (const skills of SKILLS) expect((await ada.call("POST", "/api/rope-hours", rope(skills))).status).toBe(201);
  const entries = Array.from({ length: 500 }, (_, i) => ({
    date: "2026-03-02",
    location: `Dock ${i}`,
    method: "ET",
    hours: 0.1 + i / 100,
  }));
  await ada.call("POST", "/api/entries", entries);
  await verifyOne(running, ada);
  // Entries are saved meanwhile.
  const saving = Promise.all(Array.from({ length: 20 }, () => ada.call("POST", "/api/entries", entries.slice(0, 3))));
  const taken = await visit(`${running.url}/backup`, { headers: HOLDER });
  expect([taken.status, taken.headers.get("Content-Type")]).toEqual([200, "application/sql"]);
  await taken.text();
  await saving;
  const backup = await (await visit(`${running.url}/backup`, { headers: HOLDER })).text();
  const before = await everything(ada);
  await running.stop("SIGKILL");

  const fresh = await start(dataFolder());
  const link = await setUpLink(fresh);
  const answer = await visit(`${fresh.url}/restore`, { method: "POST", headers: HOLDER, body: backup });
  expect([answer.status, await answer.json()]).toMatchObject([200, { message: "Restored", rows: { users: 1 } }]);
  const again = await logIn(fresh, "ada@example.com");
  expect(await everything(again)).toEqual(before);
  expect(backup).toMatch(/INTO verification_answers /);
  // The restored tables have their constraints, and ids continue from the last one.
  const copy = await (await visit(`${fresh.url}/backup`, { headers: HOLDER })).text();
  // Only the later login differs, and the checkpoint that the new folder signs with its own key.
  const kept = (text: string) =>
    text
      .split("\n--;\n")
      .filter(
        (one) =>
          !/^-- |INTO sessions|INTO attempts|INTO sweep_runs|INTO mail_changes|'attempts'|INTO checkpoints|'checkpoints'|INTO signing_keys|INTO log_tree/.test(
            one,
          ),
      );
  expect(kept(copy)).toEqual(kept(backup));
  expect((await visit(link)).status).toBe(200); // Ada is not an admin, so there is none
});

// Detects a dump with pauses between the tables: a row could then lack the one that it refers to.
test("a backup is consistent", async () => {
  const running = await start(dataFolder());
  const names = Array.from({ length: 4 }, (_, number) => `t${number}@example.com`);
  const registering = Promise.all(
    names.map(async (email) => {
      const person = await register(running, email);
      await person.call("POST", "/api/entries", [{ date: "2026-03-02", location: email, method: "ET", hours: 1 }]);
    }),
  );
  const backups: string[] = [];
  let isDone = false;
  registering.then(() => {
    isDone = true;
  });
  while (!isDone) backups.push(await (await visit(`${running.url}/backup`, { headers: HOLDER })).text());
  expect(backups.length).toBeGreaterThan(1);
  for (const backup of backups) {
    const users = new Set([...backup.matchAll(/INSERT INTO users VALUES \((\d+)/g)].map(([, id]) => id));
    const owners = [...backup.matchAll(/INSERT INTO records VALUES \(\d+, (\d+)/g)].map(([, id]) => id);
    expect(owners.filter((id) => !users.has(id))).toEqual([]);
  }
});

test("a backup that is incomplete, invalid, or would replace accounts is refused and changes nothing", async () => {
  const running = await start(dataFolder());
  const restore = async (body: string) => {
    const answer = await visit(`${running.url}/restore`, { method: "POST", headers: HOLDER, body });
    const { message }: { message: string } = await answer.json();
    return [answer.status, message];
  };
  const empty = await (await visit(`${running.url}/backup`, { headers: HOLDER })).text();
  expect(await restore("DROP TABLE users;")).toEqual([409, expect.stringContaining("not a backup of Hours Tracker")]);
  expect(await restore(empty.slice(0, -20))).toEqual([409, expect.stringContaining("incomplete")]);
  const torn = empty.replace("CREATE TABLE records", "CREATE TABEL records");
  expect(await restore(torn)).toEqual([409, expect.stringContaining("Nothing was changed")]);
  await register(running, "ada@example.com");
  expect(await restore(empty)).toEqual([409, expect.stringContaining("has accounts")]);
  expect((await (await logIn(running, "ada@example.com")).call("GET", "/api/user")).status).toBe(200);
});

test("only the holder of the token can back up or restore; without the setting these URLs do not exist", async () => {
  const data = dataFolder();
  const running = await start(data);
  for (const Authorization of ["", "Bearer ", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    const answer = await visit(`${running.url}/backup`, { headers: { Authorization } });
    expect([Authorization, answer.status, await answer.json()]).toEqual([
      Authorization,
      401,
      { message: "Unauthorized" },
    ]);
  }
  const refusals = () => running.log.filter((line) => line.includes('"what":"backup_refused"')).length;
  expect(await readsAs(async () => refusals(), 4)).toBe(true);
  for (const path of ["/restore", "/backup"]) {
    expect((await visit(running.url + path, { method: "POST", body: "x" })).status).toBe(401);
  }
  const put = await visit(`${running.url}/backup`, { method: "PUT", headers: HOLDER });
  expect([put.status, put.headers.get("Allow")]).toEqual([405, "GET, POST"]);
  expect(readdirSync(data)).not.toContain("backups");
  expect(running.log.join("\n")).not.toContain(TOKEN);

  const without = await start(dataFolder(), { SESSION_SECRET: "a secret for tests, of 32 bytes and more" });
  expect((await visit(`${without.url}/backup`, { headers: HOLDER })).status).toBe(404);
  expect((await visit(`${without.url}/backup`, { headers: { Authorization: "Bearer null" } })).status).toBe(404);
});
