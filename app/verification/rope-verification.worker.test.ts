import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/*
 * Rope hours are requested and verified by the same code as OJT entries. Catches a dialog or link that uses the entry
 * with the same id, and a page that calls rope hours an entry.
 */

const app = await startApp();

/** Rope hours and an OJT entry of one technician. */
async function withBoth(): Promise<{ ada: Technician; id: number; supervisorId: number }> {
  const ada = await app.register();
  await ada.addEntry({ location: "Hangar" });
  const { id } = await ada.addRopeHours();
  return { ada, id, supervisorId: (await ada.addSupervisor()).id };
}

async function tokenOf(table: string, id: number): Promise<unknown> {
  const [row] = await rows(app.db, `SELECT verification_token FROM ${table} WHERE id = ?`, id);
  return row?.verification_token;
}

test("the dialog opens by its URL, sends the request and shows the link, which stays the same", async () => {
  const { ada, id, supervisorId } = await withBoth();
  const open = await ada.get(`/rope-hours?request=${id}`);
  expect(textsOf(open.text, "dialog")[0]).toContain("16 Nov 2026 to 20 Nov 2026 Mongstad Rigging, rescue 38.5 hours");
  const sent = await ada.submit(
    open,
    `/rope-hours/request/${id}`,
    { supervisor: String(supervisorId) },
    "Send Request",
  );
  expect([sent.status, sent.location]).toEqual([303, `/rope-hours?request=${id}&link=1`]);
  const token = await tokenOf("rope_hours", id);
  const link = await ada.follow(sent);
  expect(link.text).toContain(`value="http://localhost/verify/${token}"`);
  expect(link.text).toMatch(/<a[^>]*href="\/rope-hours(\?[^"]*)?"[^>]*aria-label="Close"/);
  await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  expect(await tokenOf("rope_hours", id)).toBe(token);
  expect(await count(app.db, "entries", "verification_token = ?", token)).toBe(0);
});

test("a new supervisor is saved with the request; an invalid field gets its message", async () => {
  const { ada, id } = await withBoth();
  const open = await ada.get(`/rope-hours?request=${id}`);
  const person = {
    supervisor: "new",
    name: "Eva",
    email: "eva",
    phone: "1",
    certificationLevel: "Level I",
    company: "X",
  };
  const refused = await ada.submit(open, `/rope-hours/request/${id}`, person);
  expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining("Invalid email address")]);
  const sent = await ada.submit(refused, `/rope-hours/request/${id}`, { ...person, email: "eva@example.org" });
  expect(sent.location).toBe(`/rope-hours?request=${id}&link=1`);
  expect(await count(app.db, "supervisors", "user_id = ? AND name = 'Eva'", ada.user.id)).toBe(1);
});

test("an entry is asked for as an entry only, and rope hours as rope hours", async () => {
  const ada = await app.register();
  const supervisorId = (await ada.addSupervisor()).id;
  const [entry, rope] = [await ada.addEntry(), await ada.addRopeHours()];
  const asRope = await ada.json("POST", `/api/verify-request-rope/${entry.id}`, { supervisorId });
  expect([asRope.status, asRope.json()]).toEqual([
    404,
    { code: "not_found", message: "There are no such rope hours in your log." },
  ]);
  const asEntry = await ada.json("POST", `/api/verify-request/${rope.id}`, { supervisorId });
  expect([asEntry.status, asEntry.json()]).toEqual([
    404,
    { code: "not_found", message: "There is no such entry in your log." },
  ]);
  expect([await tokenOf("entries", entry.id), await tokenOf("rope_hours", rope.id)]).toEqual([null, null]);
});

test("the supervisor's page, the confirmation, the used link and the success page say rope hours", async () => {
  const { ada, id, supervisorId } = await withBoth();
  const asked = await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId });
  const { verificationToken: token } = asked.json<{ verificationToken: string }>();
  const lookUp = await app.get(`/api/verify/${token}`);
  expect(lookUp.json()).toMatchObject({ type: "rope_hour", ropeHour: { id, hours: 38.5, verified: false } });
  const page = await app.get(`/verify/${token}`);
  for (const words of [
    "asks you to verify 38.5 rope hours",
    "Mon 16 Nov 2026 to Fri 20 Nov 2026",
    "Rigging, rescue",
    "38.5",
  ]) {
    expect(textOf(page.text)).toContain(words);
  }
  expect(textOf((await ada.get(`/verify/${token}`)).text)).toContain("These are your own hours");

  const stranger = app.as(new Map());
  const sent = await stranger.submit(page, `/verify/${token}`, { supervisorName: "Ola Hansen" }, "Verify Hours");
  const done = await stranger.follow(sent);
  expect(textOf(done.text)).toContain("Verification successful");
  expect((await app.get(`/api/verify/${token}`)).status).toBe(409);
  const log = await ada.get("/rope-hours");
  expect(textsOf(log.text, "tr")[2]).toContain("Verified by Ola Hansen");
  expect(textsOf(log.text, "dl", 'class="total"')).toEqual(["Total Verified Hours 38.5"]);

  const again = await ada.get(`/rope-hours?request=${id}`);
  expect(textsOf((await ada.follow(again)).text, "div", 'role="alert"')).toEqual([
    "Error These rope hours are already verified.",
  ]);
  expect((await ada.json("POST", `/api/verify-request-rope/${id}`, { supervisorId })).status).toBe(409);
});
