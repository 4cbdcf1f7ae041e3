import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";

/* The page of a person, for an admin. Catches another user's records in it, and a deletion without the typed name. */

const app = await startApp();
const admin = await app.register({ isAdmin: true });

/** The text of each section that has a heading, by its heading. */
async function sectionsOf(id: number): Promise<Record<string, string>> {
  const page = await admin.get(`/admin/user/${id}`);
  expect([page.status, page.trips]).toEqual([200, 1]);
  return Object.fromEntries(
    textsOf(page.text, "header")
      .concat(textsOf(page.text, "section"))
      .map((text): [string, string] => [text.split(" ").slice(0, 2).join(" "), text]),
  );
}

test("a page of a person shows their state, hours by method, certificates, requests and records in one round trip", async () => {
  const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "E-7" });
  await (await app.register()).addEntries(3);
  await kari.addVerifiedEntry({ method: "MT", hours: 8 });
  const declined = await kari.addEntry({ method: "RT", hours: 2.25 });
  const token = await kari.requestVerification(declined.id);
  await app.json("POST", `/api/verify/${token}/decline`, { supervisorName: "Ola", reason: "No" });
  await kari.requestVerification((await kari.addEntry({ method: "MT", hours: 4 })).id);
  const certificate = {
    category: "near_vision",
    title: "Near vision",
    standard: "Jaeger 2",
    number: "",
    issuer: "Nordlys",
  };
  const saved = await kari.json("POST", "/api/certificates", {
    ...certificate,
    issuedOn: "2026-01-01",
    expiresOn: "2027-01-03",
  });
  expect(saved.status).toBe(201);
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  const sections = await sectionsOf(kari.user.id);
  await app.setClock(new Date());
  expect(sections["Kari Nordmann"]).toMatch(/^Kari Nordmann E-7, .*Technician since .*Active , last record /);
  expect(sections["What needs"]).toContain("1 record declined Entries");
  expect(sections["What needs"]).toContain("Near vision: expires in 40 days");
  expect(sections["Hours by"]).toContain("MT 8.0 12.0 RT 0.0 2.25");
  expect(sections["Hours by"]).toContain("Total Hours: 8.0 14.25");
  expect(sections["Requests 1"]).toContain("1 record, 4.0 h");
  expect(sections["Records OJT"]).toContain("OJT Hours 3 records, 14.25 h");
  expect((await admin.get("/admin/user/999999")).status).toBe(404);
});

test("a person without records has a page that says so", async () => {
  const kari = await app.register({ name: null });
  const page = await admin.get(`/admin/user/${kari.user.id}`);
  expect(textOf(page.text)).toContain("No OJT hours yet.");
  expect(textOf(page.text)).not.toContain("What needs attention");
});

test("the list of users has a line each, with the hours and the last day, and a menu that names the row", async () => {
  const kari = await app.register({ name: "Kari Line" });
  await kari.addVerifiedEntry({ hours: 7.5, date: "2026-11-20" });
  await kari.addEntry({ hours: 2, date: "2026-11-21" });
  const page = await admin.get("/admin");
  const [row] = textsOf(page.text, "tr").filter((text) => text.startsWith("Kari Line"));
  expect([page.trips, row]).toEqual([
    1,
    expect.stringMatching(/7\.5 21 Nov 2026 Delete ⋯ Entries Rope Hours Training Certificates Has left$/),
  ]);
  expect(tagsOf(page.text, "summary").map((tag) => tag["aria-label"])).toContain("More for Kari Line");
});

test("has left is noted by the form, a day to come is refused beside the field, and the list says it", async () => {
  const kari = await app.register({ name: "Kari Leaves" });
  const path = `/admin/user/${kari.user.id}/has-left`;
  const ahead = await admin.post(path, { on: "2099-01-01" });
  expect([ahead.status, textOf(ahead.text)]).toEqual([400, expect.stringContaining("The last day is still to come.")]);
  const sent = await admin.post(path, { on: "2026-01-31" });
  expect([sent.location, sent.trips]).toEqual([`/admin/user/${kari.user.id}`, 2]);
  expect(textOf((await admin.follow(sent)).text)).toContain("Left on 31 Jan 2026");
  expect(textOf((await admin.get("/admin")).text)).toContain("left 31 Jan 2026");
});

test("a user is deleted from their page once their number, or without one their address, is typed", async () => {
  const kari = await app.register({ employeeNumber: "E-9" });
  const path = `/admin/user/${kari.user.id}/delete`;
  for (const typed of ["", "E-", "someone@example.com"]) {
    const refused = await admin.post(path, { typed });
    expect([typed, refused.status, textOf(refused.text)]).toEqual([
      typed,
      400,
      expect.stringContaining("Type E-9 to delete this user. Nothing was deleted."),
    ]);
  }
  const sent = await admin.post(path, { typed: " e-9 " });
  expect([sent.location, sent.trips, await count(app.db, "users", "id = ?", kari.user.id)]).toEqual(["/admin", 2, 0]);
  const other = await app.register();
  await admin.post(`/admin/user/${other.user.id}/delete`, { typed: other.user.email.toUpperCase() });
  expect(await count(app.db, "users", "id = ?", other.user.id)).toBe(0);
  const self = await admin.post(`/admin/user/${admin.user.id}/delete`, { typed: admin.user.email });
  expect([self.status, await count(app.db, "users", "id = ?", admin.user.id)]).toEqual([409, 1]);
});

test("an error page of a signed-in person has the navigation, and the not-found page leads home", async () => {
  const kari = await app.register();
  const page = await kari.get("/profile/record/999999");
  expect([page.status, page.trips, tagsOf(page.text, "a").map(({ href }) => href)]).toEqual([
    404,
    1,
    expect.arrayContaining(["/profile", "/requests", "/account", "/"]),
  ]);
  const unknown = await kari.get("/nowhere");
  expect([unknown.status, tagsOf(unknown.text, "a").map(({ href }) => href)]).toEqual([404, ["/"]]);
});
