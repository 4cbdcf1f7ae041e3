import { expect, test } from "vitest";
import { listRoutes } from "#tests/safe/routes.ts";
import type { Client } from "#tests/worker/client.ts";
import { textOf } from "#tests/worker/html.ts";
import { anEntry, aSupervisor, PASSWORD } from "#tests/worker/people.ts";
import { startReplicated } from "#tests/worker/replicas.ts";

/*
 * The pages that users see while the read replica lags: it applies none of the primary's writes until the test allows
 * it, or until a bookmark requires one. Catches, each seen to fail: reads without the bookmark; a bookmark that is not
 * sent back; a POST, a supervisor's link or an admin's list read from the replica.
 */

const app = await startReplicated();
let count = 0;

/** Returns a client that has just signed in; the replica has its account but not its session. */
async function signIn(isAdmin = false): Promise<Client> {
  count += 1;
  const email = `late-${count}@example.com`;
  await app.account(email, isAdmin);
  const person = app.visitor();
  const answer = await person.post("/auth", { email, password: PASSWORD });
  expect(answer.status).toBe(303);
  return person;
}

async function save(person: Client, location: string): Promise<number> {
  const answer = await person.json("POST", "/api/entries", anEntry({ location }));
  expect(answer.status).toBe(201);
  return answer.json<{ id: number }[]>()[0]?.id ?? 0;
}

test("a user who has just signed in is signed in on the next page", async () => {
  const person = await signIn();
  const page = await person.get("/profile");
  expect(page.status).toBe(200);
});

test("a user sees their own write at once, and sees a stale read without their bookmark", async () => {
  const person = await signIn();
  await app.catchUp();
  await save(person, "Mongstad");
  const without = person.as(new Map([...person.cookies].filter(([name]) => name !== "bookmark")));
  const stale = await without.get("/profile");
  expect([stale.status, textOf(stale.text).includes("Mongstad")]).toEqual([200, false]);
  expect(textOf((await person.get("/profile")).text)).toContain("Mongstad");
  expect((await person.get("/api/entries")).json<unknown[]>()).toHaveLength(1);
});

test("a form sent right after a save sees that save, with or without cookies", async () => {
  const person = await signIn();
  await app.catchUp();
  const id = await save(person, "Mongstad");
  person.cookies.delete("bookmark");
  const asked = await person.json("POST", `/api/verify-request/${id}`, { supervisorId: 999_999 });
  // The rejection is not about the entry.
  expect(asked.json()).toEqual({ code: "not_found", message: "That supervisor is not in your list." });
});

test("ten edits at once of one account are all stored: a decision that conflicted reads the primary again", async () => {
  const person = await signIn();
  await app.catchUp();
  const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => save(person, `Rig ${n}`)));
  await app.catchUp();
  const edits = ids.map((id) => person.json("PATCH", `/api/entries/${id}`, { location: "Mongstad" }));
  expect((await Promise.all(edits)).map(({ status }) => status)).toEqual(ids.map(() => 200));
});

test("a supervisor's link works at once, and so does its verification", async () => {
  const person = await signIn();
  await app.catchUp();
  const id = await save(person, "Mongstad");
  const supervisor = (await person.json("POST", "/api/supervisors", aSupervisor())).json<{ id: number }>();
  const asked = await person.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  const link = `/verify/${asked.json<{ verificationToken: string }>().verificationToken}`;
  const stranger = app.visitor();
  const page = await stranger.get(link);
  expect(page.status).toBe(200);
  expect((await app.visitor().get(`/api${link}`)).status).toBe(200);
  const done = await stranger.submit(page, link, { supervisorName: "Ola Hansen" });
  expect(done.status).toBe(303);
  // Also for a person to whom the link is forwarded.
  const success = await app.visitor().get(done.location ?? "");
  expect([success.status, textOf(success.text).includes("Ola Hansen")]).toEqual([200, true]);
  expect((await app.visitor().get(link)).status).toBe(409);
});

test("an admin sees the current state without a bookmark", async () => {
  const admin = await signIn(true);
  const person = await signIn();
  await app.catchUp();
  const id = await save(person, "Aberdeen");
  for (const path of ["/admin?tab=entries", "/api/admin/entries", `/admin/entry/${id}`]) {
    expect([path, (await admin.get(path)).text.includes("Aberdeen")]).toEqual([path, true]);
  }
  expect((await admin.get(`/api/admin/entries/${id}/verification`)).status).toBe(200);
});

// Seen: a removed admin could read records of others for as long as a replica was behind.
test("every page and call of admins reads from the primary, but the addresses that lead to a page", async () => {
  const ofAdmins = (await listRoutes()).filter(
    ({ path, methods }) => /^(api\/)?admin\b/.test(path) && methods.includes("GET"),
  );
  expect(ofAdmins.filter(({ handle }) => !handle.fresh).map(({ path }) => path)).toEqual([
    "admin/system/log-check",
    "admin/end-token",
  ]);
});

test("only a write sets a bookmark, and a made-up one is ignored", async () => {
  const person = await signIn();
  expect((await person.get("/profile")).setCookie("bookmark")).toBeUndefined();
  const refused = await person.json("POST", "/api/entries", [{}]);
  expect([refused.status, refused.setCookie("bookmark")]).toEqual([400, undefined]);
  const saved = await person.json("POST", "/api/entries", anEntry());
  expect(saved.setCookie("bookmark")).toMatch(/; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
  await app.catchUp();
  person.cookies.set("bookmark", "bWFkZSB1cA%3D%3D");
  expect((await person.get("/profile")).status).toBe(200);
});

test("over https the bookmark cookie has the attributes of the session cookie", async () => {
  const secure = await startReplicated("https://hours.example");
  await secure.account("kari@example.com");
  const visitor = secure.visitor();
  const answer = await visitor.json("POST", "/api/auth/login", { email: "kari@example.com", password: PASSWORD });
  const flags = (name: string) => answer.setCookie(name)?.replace(/^[^;]*; Max-Age=\d+/, "");
  expect(flags("__Host-bookmark")).toBe("; Path=/; HttpOnly; Secure; SameSite=Lax");
  expect(flags("__Host-bookmark")).toBe(flags("__Host-session"));
});
