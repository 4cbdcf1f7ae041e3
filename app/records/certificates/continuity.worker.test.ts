import { expect, test } from "vitest";
import { checksOf } from "#tests/worker/checks.ts";
import { exportHours } from "#tests/worker/exports.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aCertificate, type Technician } from "#tests/worker/people.ts";

/* The continuity of work on the form of certificates. Catches one that changes after the form was made. */

const app = await startMailApp();
const { check, states, pageOf } = checksOf(app);

/** Has a certificate verified. */
async function verified(who: Technician, over: object): Promise<void> {
  const { id } = (await who.json("POST", "/api/certificates", aCertificate(over))).json<{ id: number }>();
  const { id: supervisorId } = await who.addSupervisor();
  const records = [{ type: "certificate", id }];
  const asked = await who.json("POST", "/api/verification-requests", { supervisorId, records });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola Hansen" });
}

test("the form of a certificate says its continuity until it was made, and so does its check", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-24T12:00:00Z"));
  await verified(ada, { method: "UT", issuedOn: "2026-02-01" });
  await ada.addVerifiedEntry({ date: "2026-03-02", method: "UTSW" });
  const { id, code, form } = await exportHours(ada, "training-and-certificates");
  const said = "Verified UT work in 1 month since it was issued, last on 2 Mar 2026, longest gap 267 days";
  expect(form.rows[0]?.remarks).toContain(said);
  for (const path of [`/training/print/${id}`, "/training/print"])
    expect(textOf((await ada.get(path)).text)).toContain(said);
  expect((await check(code)).records[0]).toMatchObject({ continuity: said, state: "unchanged" });
  expect(await pageOf(code)).toContain(said);

  // Work that is verified later is on the next form.
  await ada.addVerifiedEntry({ date: "2026-11-20", method: "UT" });
  expect(textOf((await ada.get(`/training/print/${id}`)).text)).toContain(said);
  expect(textOf((await ada.get("/training/print")).text)).toContain("last on 20 Nov 2026");
  expect(await states(code)).toEqual(["unchanged"]);
  await app.setClock(new Date());
});
