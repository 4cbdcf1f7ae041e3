import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { textsOf } from "#tests/worker/html.ts";

const app = await startApp();

const entry = { date: "2026-03-02", location: "Hangar 2", method: "PT", hours: "7.5" };
const ropeHours = { startDate: "2026-03-02", endDate: "2026-03-02", location: "Rig 4", skills: "Rescue", hours: "8" };

// Catches a check in the browser alone: somebody else can sign in between its reading of the session and the sending.
test.each([
  ["/api/entries", [entry]],
  ["/api/rope-hours", ropeHours],
])("%s refuses hours that were typed by another user, and saves those of the caller", async (path, body) => {
  const [kari, ola] = [await app.register(), await app.register()];
  const send = (id: number | string) =>
    kari.json("POST", path, body, { "For-User": String(id), "Idempotency-Key": crypto.randomUUID() });
  for (const id of [ola.user.id, 0, "", "x", `${kari.user.id} `.concat("1")]) {
    expect([id, (await send(id)).status]).toEqual([id, 403]);
  }
  expect((await kari.get(path)).json()).toEqual([]);
  expect((await send(kari.user.id)).status).toBe(201);
  expect((await kari.get(path)).json()).toHaveLength(1);
  expect((await ola.get(path)).json()).toEqual([]);
});

// Catches a form that is open in one tab while somebody else signs in in another: their log got the hours.
test.each([
  [
    "/profile",
    "/profile/entries/",
    {
      "entries[0].date": "2026-03-02",
      "entries[0].location": "Hangar 2",
      "entries[0].method": "PT",
      "entries[0].hours": "7.5",
    },
  ],
  ["/rope-hours", "/rope-hours/new/", ropeHours],
])(
  "the form of %s is not saved in another user's log, and is shown again with what was typed",
  async (log, path, fields) => {
    const [kari, ola] = [await app.register(), await app.register()];
    const actionOf = (text: string) => new RegExp(`action="(${path}[^"]*)"`).exec(text)?.[1] ?? "";
    const action = actionOf((await kari.get(log)).text);
    const refused = await ola.post(action, fields);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("These hours belong to another user");
    expect(refused.text).toContain('value="2026-03-02"');
    expect((await ola.get(`/api${path.startsWith("/p") ? "/entries" : "/rope-hours"}`)).json()).toEqual([]);
    // The form that is shown again is of the user who sees it: the first one may have signed in again meanwhile.
    expect((await kari.post(actionOf(refused.text), fields)).status).toBe(403);
    expect((await ola.post(actionOf(refused.text), fields)).status).toBe(303);
    expect((await kari.post(action, fields)).status).toBe(303);
  },
);

test("a form and a call with the same key save the same hours once", async () => {
  const kari = await app.register();
  const key = crypto.randomUUID();
  const fields = Object.fromEntries(Object.entries(entry).map(([name, value]) => [`entries[0].${name}`, value]));
  expect((await kari.post(`/profile/entries/${key}`, fields)).status).toBe(303);
  const headers = { "For-User": String(kari.user.id), "Idempotency-Key": key };
  expect((await kari.json("POST", "/api/entries", [entry], headers)).status).toBe(201);
  expect((await kari.get("/api/entries")).json()).toHaveLength(1);
});

test("the pages for when there is no signal are the same for everyone", async () => {
  const kari = await app.register();
  for (const path of ["/offline/entries", "/offline/rope-hours"]) {
    const own = await kari.get(path);
    expect(own.text).toBe((await app.get(path)).text);
    expect(own.text).not.toContain(kari.user.email);
  }
  const hint = "The last day of work";
  for (const path of ["/offline/rope-hours", "/rope-hours"]) expect((await kari.get(path)).text).toContain(hint);
});

// Catches hours that were saved twice without a signal: nothing said so, before or after they were sent.
test("what the queue sends is warned of on the next page as what a form saves; other callers get no warning", async () => {
  const kari = await app.register();
  const send = (path: string, body: object, over = {}) =>
    kari.json("POST", path, body, {
      "For-User": String(kari.user.id),
      "Idempotency-Key": crypto.randomUUID(),
      ...over,
    });
  const warnings = async (path = "/profile") => textsOf((await kari.get(path)).text, "section", 'class="warnings"');
  expect((await send("/api/entries", [entry])).setCookie("flash")).toBeUndefined();
  const twice = await send("/api/entries", [entry]);
  expect([twice.status, twice.json<unknown[]>().length]).toEqual([201, 1]);
  await send("/api/entries", [{ ...entry, hours: "20" }]);
  await send("/api/entries", [entry]);
  const twin =
    "These hours are in your log twice: same day (2 Mar 2026), place, method and hours. See the other record";
  const [said = ""] = await warnings();
  expect(said.split(twin)).toHaveLength(2); // once, though two rows have it
  expect(said).toContain("2 Mar 2026 now has 42.5 hours. Is that right? See that day");
  expect(said.match(/now has/g)).toHaveLength(1); // the sums of before are not true any more
  expect(await warnings()).toEqual([]);
  await send("/api/rope-hours", ropeHours);
  await send("/api/rope-hours", { ...ropeHours, hours: "30" });
  await send("/api/rope-hours", ropeHours);
  // A form that is saved before any page was opened does not lose them, and any page of the technician shows them.
  const fields = { startDate: "2026-01-05", endDate: "2026-01-06", location: "Sture", skills: "Rescue", hours: "8" };
  expect((await kari.post(`/rope-hours/new/${crypto.randomUUID()}`, fields)).status).toBe(303);
  const [rope = ""] = await warnings("/requests");
  expect(rope).toContain("in your log twice");
  expect(rope).toContain("30.0 hours in 1 day: more than 24 a day. See the record");
  await kari.json("POST", "/api/entries", entry);
  expect(await warnings()).toEqual([]);
});
