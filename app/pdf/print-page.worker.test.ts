import { expect, test } from "vitest";
import { exportHours, verifyByMailbox } from "#tests/worker/exports.ts";
import { textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";

/* The page to print of an export. Catches another technician's export, and one at the address of the other kind. */

const app = await startMailApp();

async function ropeExport() {
  const kari = await app.register({ name: "Kari Nordmann" });
  const { id } = await kari.addRopeHours({ location: "Gullfaks C" });
  await verifyByMailbox(app, kari, id, { call: "verify-request-rope" });
  return { kari, exported: await exportHours(kari, "rope-access-log") };
}

test("an export of rope hours is printed for its technician, with its code on the sheet", async () => {
  const { kari, exported } = await ropeExport();
  const { status, text } = await kari.get(`/rope-hours/print/${exported.id}`);
  expect(status).toBe(200);
  expect(text).toContain("Gullfaks C");
  expect(textsOf(text, "b", 'class="code"')).toEqual([exported.code]);
});

test("another technician's export of rope hours, one of the other kind, a closed one and no number are not printed", async () => {
  const { kari, exported } = await ropeExport();
  const other = await ropeExport();
  const { id } = exported;
  expect((await app.get(`/rope-hours/print/${id}`)).location).toContain("/auth");
  const wrong = [0, -1, 1.5, "9".repeat(15), "9".repeat(40), "x", "%00"].map((id) => `/rope-hours/print/${id}`);
  for (const [who, path] of [
    [other.kari, `/rope-hours/print/${id}`] as const,
    ...[`/profile/print/${id}`, ...wrong].map((path) => [kari, path] as const),
  ]) {
    const { status, text } = await who.get(path);
    expect([path, status, text.includes("Gullfaks C")]).toEqual([path, 404, false]);
  }
  await kari.json("DELETE", `/api/exports/${id}`);
  expect((await kari.get(`/rope-hours/print/${id}`)).status).toBe(409);
});
