import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { formIn, messageOf, textOf } from "#tests/worker/html.ts";

/* Declining the one record of a link on its page, and what the technician sees of it. */

const app = await startApp();

async function openLink() {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entry = await ada.addEntry();
  const token = await ada.requestVerification(entry.id);
  const path = `/verify/${token}`;
  const page = await app.get(path);
  await app.idle(); // a conflict with the note that it was opened would cost another round trip
  const status = async () => (await ada.get("/api/entries")).json<{ status: string }[]>()[0]?.status;
  return { ada, entry, token, path, page, status };
}

test("*This isn't right* declines with a reason, and every page says by whom, when and why", async () => {
  const { ada, entry, token, path, page, status } = await openLink();
  const answer = await app.submit(page, path, { supervisorName: "Ola Hansen", reason: "Not <my> shift" }, "Decline");
  expect([answer.status, answer.location, answer.trips]).toEqual([303, `/success?token=${token}`, 2]);
  expect(await status()).toBe("declined");
  const success = await app.get(`/success?token=${token}`);
  expect([success.status, textOf(success.text)]).toEqual([
    200,
    expect.stringContaining("Answer Received 1 record declined. Kari Nordmann sees it, with your reason."),
  ]);
  expect(success.text).not.toContain("VER-");
  const decided = await app.get(path);
  expect([decided.status, textOf(decided.text)]).toEqual([
    409,
    expect.stringMatching(/Declined by Ola Hansen on .* Reason: Not <my> shift See the answers/),
  ]);
  const record = await ada.get(`/profile/record/${entry.id}`);
  expect([record.trips, textOf(record.text)]).toEqual([
    1,
    expect.stringMatching(/Declined by Ola Hansen on .* Reason: Not <my> shift/),
  ]);
  expect(textOf((await ada.get("/profile")).text)).toContain(
    "Declined by Ola Hansen: Not <my> shift Request Verification",
  );
});

test("a decline needs a reason and a name; what was typed is kept", async () => {
  const { path, page, status } = await openLink();
  const refused = await app.submit(page, path, { scheme: "PCN" }, "Decline");
  expect([refused.status, messageOf(refused.text, "supervisorName"), messageOf(refused.text, "reason")]).toEqual([
    ...[400, "Name is required", "Give a reason"],
  ]);
  const { fields } = formIn(refused.text, path);
  expect(fields.get("scheme")).toBe("PCN");
  expect(await status()).toBe("requested");
});

test("a reason beside *Verify Hours* is a contradiction: nothing is verified", async () => {
  const { path, page, status } = await openLink();
  const refused = await app.submit(page, path, { supervisorName: "Ola", reason: "Not my shift" });
  expect([refused.status, messageOf(refused.text, "reason")]).toEqual([
    ...[400, "You wrote what is wrong. Press Decline, or clear this text"],
  ]);
  expect(await status()).toBe("requested");
});

test("a declined record can be asked for again and then verified", async () => {
  const { ada, entry, path, page, status } = await openLink();
  await app.submit(page, path, { supervisorName: "Ola Hansen", reason: "No" }, "Decline");
  const token = await ada.requestVerification(entry.id);
  expect(await status()).toBe("requested");
  const again = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola" });
  expect([again.status, again.json().message]).toEqual([200, "Thank you for verifying these OJT hours."]);
  expect(await status()).toBe("verified");
});

test("the record's page shows by mailbox or by link, and the openings and emails of its request by time", async () => {
  const { ada, entry, path, page } = await openLink();
  await app.submit(page, path, { supervisorName: "Ola Hansen" });
  const text = textOf((await ada.get(`/profile/record/${entry.id}`)).text);
  expect(text).toMatch(/Verified by Ola Hansen on [^.]*, by link/);
  expect(text).toMatch(/was asked to verify.*Link opened.*Verified; the name typed was Ola Hansen/);
});
