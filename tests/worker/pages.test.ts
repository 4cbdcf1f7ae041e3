import { expect, test } from "vitest";
import { startApp } from "./app.ts";
import { CALLS } from "./calls.ts";
import type { Client } from "./client.ts";
import { MAY_SCAN, rows } from "./database.ts";
import { exportHours } from "./exports.ts";
import { csvOf, upload } from "./imports.ts";
import { openEmailChange, openReset } from "./open-links.ts";
import { aSupervisor, PASSWORD } from "./people.ts";
import { UNKNOWN_CODE } from "./stored-export.ts";

/*
 * The D1 round trips of every page and API call: a GET takes one, a POST two. Catches a loader that reads the session
 * and then the user's rows in a second batch.
 */

const app = await startApp();

const IMPORT_CHOICES = Object.fromEntries(
  ["date", "location", "method", "hours"].map((target, index) => [`choices[${index}].target`, target]),
);

let everything: Promise<[request: string, trips: number][]> | undefined;

/** Returns the round trips of each page and form. All are requested once for all tests. */
function tripsOfEverything() {
  everything ??= requestEverything();
  return everything;
}

/** Requests every page and form, with success and with failure. */
async function requestEverything(): Promise<[request: string, trips: number][]> {
  const ada = await app.register();
  const [entry, second] = [await ada.addEntry(), await ada.addEntry()];
  const [supervisor, spare] = [await ada.addSupervisor(), await ada.addSupervisor()];
  const token = await ada.requestVerification(entry.id, supervisor.id);
  const { token: usedToken } = await ada.addVerifiedEntry();
  const trips: [string, number][] = [];
  const get = async (path: string, client: Client = ada) => {
    const { trips: needed, text } = await client.get(path);
    trips.push([`GET ${path}`, needed]);
    // Catches a page whose loader returns no user: its header then has no name.
    expect([path, text.includes("Account undefined")]).toEqual([path, false]);
  };
  const post = async (path: string, fields: Record<string, string>, client: Client = ada) => {
    // An event of the audit log conflicts with one that is still being written behind a response, and is then retried.
    await app.idle();
    trips.push([`POST ${path} ${Object.keys(fields)}`, (await client.post(path, fields)).trips]);
  };
  const shown = async () => (await ada.get(`/api/verify/${token}`)).headers.get("ETag") ?? "";
  const row = { "entries[0].date": "2026-11-20", "entries[0].location": "x", "entries[0].method": "MT" };
  const ropeHours = { startDate: "2026-11-19", endDate: "2026-11-20", location: "x", skills: "y" };
  const { id: rope } = await ada.addRopeHours();
  const admin = await app.register({ isAdmin: true });
  const doomed = await app.register();
  const forgetful = await app.register();
  const leaving = await app.register();
  const samePassword = { currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD };
  const stranger = app.as(new Map());

  const asked = { supervisorId: supervisor.id, records: [{ type: "rope_hour", id: rope }] };
  const made = (await ada.json("POST", "/api/verification-requests", asked)).json<{ id: number }>();

  const target = (await ada.json("POST", "/api/targets", { preset: "iso-9712-level-1-ut" })).json<{ id: number }>();
  const { id: importId } = await upload(ada, csvOf("2026-11-20,x,MT,8"));

  const { id: verifiedRope } = await ada.addRopeHours();
  const ropeLink = await ada.json("POST", `/api/verify-request-rope/${verifiedRope}`, { supervisorId: supervisor.id });
  const { verificationToken: ropeToken } = ropeLink.json<{ verificationToken: string }>();
  await stranger.json("POST", `/api/verify/${ropeToken}`, { supervisorName: "Ola" });
  const [exported, exportedRope] = [await exportHours(ada), await exportHours(ada, "rope-access-log")];

  for (const client of [ada, stranger]) {
    for (const path of ["/", "/auth", "/auth?tab=register", "/logout", "/success", "/nothing", "/verify/abc"]) {
      await get(path, client);
    }
    for (const path of ["/profile", `/profile?request=${second.id}`, `/profile?request=${entry.id}&link=1`]) {
      await get(path, client);
    }
    for (const path of ["/profile?request=999999", "/profile?before=2026-11-20.1", "/profile/entries"]) {
      await get(path, client);
    }
    for (const path of [
      `/profile/request/${second.id}`,
      "/profile/print",
      "/rope-hours/print",
      `/verify/${token}`,
      `/verify/${usedToken}`,
    ]) {
      await get(path, client);
    }
    await get(`/success?token=${usedToken}`, client);
    await post("/profile/exports", { key: "a-form" }, client);
    await post("/rope-hours/exports", {}, client);
    await post("/rope-hours/exports", { key: "k".repeat(300) }, client);
    for (const path of [
      "/profile/exports",
      "/import",
      `/profile/print/${exported.id}`,
      `/rope-hours/print/${exported.id}`,
      `/rope-hours/print/${exportedRope.id}`,
      `/account/exports/${exported.id}`,
      "/account/exports/999999",
      "/check",
      "/check?code=x",
      `/check?code=${exported.code}`,
      `/c/${exported.code}`,
      `/c/${exportedRope.code}?page=2`,
      `/c/${UNKNOWN_CODE}`,
      "/c/x",
    ]) {
      await get(path, client);
    }
    for (const id of [exportedRope.id, exportedRope.id, 999999]) await post(`/account/exports/${id}`, {}, client);
    for (const path of [`/c/${exportedRope.code}`, `/account/exports/${exportedRope.id}`]) await get(path, client);
    for (const path of ["/rope-hours", "/rope-hours?before=2026-11-20.1", "/rope-hours/new", "/rope-hours/request/0"]) {
      await get(path, client);
    }
    await get(`/rope-hours?request=${rope}`, client);
    for (const path of [`/profile/record/${entry.id}`, `/rope-hours/record/${rope}`, "/profile/record/999999"]) {
      await get(path, client);
    }
    for (const [log, id] of [
      ["/profile", second.id],
      ["/rope-hours", rope],
    ] as const) {
      const record = `${log}/record/${id}`;
      for (const path of ["edit", "delete", "restore"]) await get(`${record}/${path}`, client);
      await post(`${record}/edit`, {}, client);
      await post(`${record}/edit`, { ...ropeHours, date: "2026-11-20", method: "MT", hours: "9" }, client);
      await post(`${record}/delete`, {}, client);
      await post(`${record}/delete`, {}, client);
      await get(`${log}?status=deleted`, client);
      await post(`${record}/restore`, {}, client);
    }
    const saved = `/supervisors/${supervisor.id}`;
    for (const path of ["/supervisors", "/supervisors/new/key-1", saved, `${saved}/delete`, "/supervisors/999999"])
      await get(path, client);
    await post(saved, {}, client);
    await post(saved, { ...aSupervisor() }, client);
    await post("/supervisors/new/key-2", { name: "" }, client);
    await post("/supervisors/999999/delete", {}, client);
    await post(`/supervisors/${spare.id}/delete`, {}, client);
    const several = { supervisor: String(supervisor.id), "records[0].key": `entry:${entry.id}` };
    for (const path of ["/requests", "/requests?waiting=9999999999999.9", "/requests?finished=1.1"]) {
      await get(path, client);
    }
    for (const path of [
      "/requests/new",
      "/requests/new?all=1&kind=entry&method=MT&from=2026-01-01",
      "/requests/new/k",
    ]) {
      await get(path, client);
    }
    await get("/requests/new?before=2026-11-20.entry.1&q=x&status=declined", client);
    await post("/requests/new/k", {}, client);
    await post("/requests/new/k", { supervisor: "new", "records[0].key": "entry:1" }, client);
    await post("/requests/new/k", { ...several, "records[1].key": "entry:999999" }, client);
    await post("/requests/new/k", several, client);
    for (const path of [`/requests/${made.id}`, `/requests/${made.id}?withdraw=1`, "/requests/999999"]) {
      await get(path, client);
    }
    for (const path of ["/progress", "/progress?year=2019&days=table", "/progress/print"]) await get(path, client);
    for (const button of ["remind", "reminders", "withdraw", "withdraw"]) {
      await post(`/requests/${made.id}/${button}`, {}, client);
    }
    for (const path of [
      "/progress/targets/new",
      "/progress/targets/new?preset=irata-level-2",
      "/progress/targets/999999",
    ]) {
      await get(path, client);
    }
    const irata = { title: "IRATA", "items[0].title": "Rope", "items[0].measure": "hours rope_hour" };
    await post("/progress/targets/new/k", irata, client);
    await post("/progress/targets/new/k", { ...irata, "items[0].required": "1000" }, client);
    for (const path of [`/progress/targets/${target.id}`, `/progress/targets/${target.id}/delete`]) {
      await get(path, client);
      await post(path, {}, client);
    }
    for (const path of ["/admin", "/admin?tab=entries", "/admin?search=x&before=9", "/admin?tab=entries&search=x"]) {
      await get(path, client);
      await get(path, admin);
    }
    for (const path of [
      "/admin/progress",
      "/admin/progress?preset=iso-9712-level-1&sort=item-2&search=x&page=2",
      "/api/admin/progress.csv?preset=nas-410-level-3-after-1-year&sort=last",
    ]) {
      await get(path, client);
      await get(path, admin);
    }
    await get(`/admin?delete=${doomed.user.id}`, admin);
    for (const path of [`/admin/entry/${entry.id}`, `/admin/rope-hours/${rope}`, "/admin/entry/0"]) {
      await get(path, client);
      await get(path, admin);
    }
    await get(`/admin?tab=entries&delete=${entry.id}`, admin);
    await post("/admin?tab=entries&delete=999999", {}, client);
    await post("/admin?tab=entries&delete=999999", {}, admin);
    await post(`/admin?delete=${doomed.user.id}`, {}, client);
    await post(`/admin?delete=${doomed.user.id}`, {}, admin);
    for (const path of ["/admin/tokens", "/admin/end-token"]) await get(path, admin);
    await post("/admin/tokens/a-key", { name: "HR", access: "read" }, admin);
    await post("/admin/end-token", { token: "999999" }, admin);
    await get("/admin/system/allow-emails", admin);
    await post("/admin/system/allow-emails", {}, admin);
    await post("/admin/system/erase-supervisor", {}, admin);
    await post("/admin/system/erase-supervisor", { email: "nobody@gmail.com", sure: "yes" }, admin);
    for (const path of ["/account", "/account/details", "/account/password", "/account/email", "/account/sessions"]) {
      await get(path, client);
    }
    for (const path of ["/account/delete", "/account/email?sent", "/account/email/abc"]) await get(path, client);
    await get("/account/delete", admin);
    await post("/account/email", {}, client);
    await post("/account/email", { email: "fresh@example.com", password: "wrong" }, client);
    await post("/account/email", { email: ada.user.email, password: PASSWORD }, client);
    await post("/account/email", { email: "fresh@example.com", password: PASSWORD }, client);
    const change = crypto.randomUUID();
    await openEmailChange(app.db, (await app.register()).user, change);
    await get(`/account/email/${change}`, client);
    for (const token of ["abc", change, change]) await post(`/account/email/${token}`, {}, client);
    await post("/account/details", { name: "K" }, client);
    await post("/account/details", { name: "Kari", employeeNumber: "" }, client);
    await post("/account/password", {}, client);
    await post("/account/password", { ...samePassword, currentPassword: "wrong" }, client);
    await post("/account/password", samePassword, client);
    for (const path of ["/account/tokens", "/account/tokens/a-key", "/account/end-token"]) await get(path, client);
    for (const access of ["read", "read", "admin"]) {
      await post("/account/tokens/a-key", { name: "Payroll", access }, client);
    }
    await post("/account/end-token", { token: "999999" }, client);
    await post("/account/sessions", { session: "nothing" }, client);
    await post("/account/sessions", { session: "others" }, client);
    await post("/account/delete", {}, client);
    await post("/account/delete", { password: "wrong" }, client);
    await post("/account/delete", { password: PASSWORD }, admin);
    await post("/account/delete", { password: PASSWORD }, leaving);
    await post("/rope-hours/new", {}, client);
    await post("/rope-hours/new/k", { ...ropeHours, hours: "8" }, client);
    await post(`/rope-hours/request/${rope}`, { supervisor: "new" }, client);
    await post(`/rope-hours/request/${rope}`, { supervisor: String(supervisor.id) }, client);
    await post("/profile/entries", {}, client);
    await post("/profile/entries", { ...row, "entries[0].hours": "0" }, client);
    await post("/profile/entries", { ...row, "entries[0].hours": "8", key: "k" }, client);
    await post(`/profile/request/${second.id}`, { supervisor: "new" }, client);
    await post(`/profile/request/${second.id}`, { supervisor: String(supervisor.id) }, client);
    await post(`/profile/request/999999`, { supervisor: "1" }, client);
    await post(`/verify/${usedToken}`, { supervisorName: "Ola" }, client);
    await post("/verify/abc", { supervisorName: "Ola" }, client);
    await post(`/verify/${token}`, {}, client);
    await post(`/verify/${token}`, { supervisorName: "Ola" }, client);
    await post(`/verify/${token}`, { supervisorName: "Ola", shown: await shown() }, client);
    for (const path of [`/profile/record/${second.id}`, `/rope-hours/record/${rope}`, "/profile/record/999999"]) {
      await get(`${path}/withdraw`, client);
      await post(`${path}/withdraw`, {}, client);
      await post(`${path}/withdraw`, {}, client);
    }
    for (const path of ["/import", "/import/brought-forward", `/import/${importId}`, "/import/999999"]) {
      await get(path, client);
    }
    await post("/import", { kind: "entry", text: "Date" }, client);
    await post("/import", { kind: "rope_hour", text: "From,To,Site,Work,Hours\n2026-11-19,2026-11-20,x,y,8" }, client);
    await post("/import/brought-forward/k", { date: "2025-12-31", location: "x", MT: "8" }, client);
    await post(`/import/${importId}`, { "choices[0].target": "" }, client);
    await post(`/import/${importId}`, IMPORT_CHOICES, client);
    await post(`/import/${importId}/apply`, IMPORT_CHOICES, client);
    await get(`/import/${importId}`, client);
    await get(`/requests/new?import=${importId}`, client);
    await post(`/import/${importId}/undo`, {}, client);
    await get("/api/export.csv?kind=rope_hours", client);
    for (const tab of ["users", "entries", "rope-hours"]) await get(`/api/admin/export.csv?tab=${tab}`, admin);
    for (const path of ["/reset-password", "/reset-password?sent", "/reset-password/abc"]) await get(path, client);
    const newPassword = { password: PASSWORD, confirmPassword: PASSWORD };
    await openReset(app.db, forgetful.user.id, "a-token");
    await get("/reset-password/a-token", client);
    await post("/reset-password", { email: "x" }, client);
    await post("/reset-password", { email: "nobody@example.com" }, client);
    await post("/reset-password/abc", {}, client);
    await post("/reset-password/abc", newPassword, client);
    await post("/reset-password/a-token", newPassword, client);
    await post("/reset-password", { email: forgetful.user.email }, client);
    await post("/auth", { email: "x" }, client);
    await post("/auth", { email: ada.user.email, password: "wrong" }, client);
    await post("/auth?tab=register", { email: ada.user.email, password: PASSWORD }, client);
    await post("/auth", { email: ada.user.email, password: PASSWORD }, client);
    await post("/logout", {}, client);
  }
  return trips;
}

test("every page takes at most one round trip, and every form two, with success and with failure", async () => {
  const trips = await tripsOfEverything();
  expect(trips.length).toBeGreaterThan(60);
  for (const [request, made] of trips) {
    expect([request, made]).toEqual([request, expect.any(Number)]);
    expect([request, made <= (request.startsWith("GET") ? 1 : 2)]).toEqual([request, true]);
  }
});

test("a signed-out request costs a private page one round trip at most, and a static answer none", async () => {
  for (const path of ["/auth", "/nothing", "/success", "/api/nothing"]) {
    expect([path, (await app.get(path)).trips]).toEqual([path, 0]);
  }
  // An unknown token is looked up and counted at once.
  for (const path of ["/verify/abc", "/success?token=abc", "/api/verify/abc", "/profile"]) {
    expect([path, (await app.get(path)).trips]).toEqual([path, path === "/profile" ? 0 : 1]);
  }
});

/** A step of a query plan: steps with one parent that read rows are nested loops, the first one outermost. */
interface PlanStep {
  id: number;
  parent: number;
  detail: string;
}

/**
 * A list that is read from its start for each row of the loop around it: a thousand rows with a thousand values are a million.
 * (A row that is found by its id or token is one.)
 */
const isReadAgain = ({ parent, detail }: PlanStep, before: PlanStep[]) =>
  /^SCAN (json_each|.* LEFT-JOIN)/.test(detail) &&
  before.some((step) => step.parent === parent && /^(SCAN|SEARCH) (?!.*\((rowid|token)=\?\)$)/.test(step.detail));

// Catches a list without its index, totals that read every row, and an export of 9,000 records that blocked all others
// for 17 s.
test("no statement of the app scans a table, or a list again for each row", async () => {
  await tripsOfEverything();
  await app.tick(new Date());
  const statements = await app.statements();
  expect(statements.length).toBeGreaterThan(CALLS.length);
  const scans: [string, string][] = [];
  for (const [sql, values] of statements) {
    const plan = await rows<PlanStep>(app.db, `EXPLAIN QUERY PLAN ${sql}`, ...values);
    for (const [index, step] of plan.entries()) {
      const { detail } = step;
      // An admin's search for records reads the technicians once.
      const isSearch = detail === "SCAN users" && sql.includes("instr(");
      const isScan = detail.startsWith("SCAN") && !MAY_SCAN.test(detail) && !isSearch;
      if (isScan || isReadAgain(step, plan.slice(0, index))) scans.push([detail, sql]);
    }
  }
  expect(scans).toEqual([]);
});
