import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { askAbout, storeRequest } from "#tests/worker/requests.ts";

/*
 * The page of a link that was answered. Catches one that says *You answered* to a visitor who may not have, one that shows the
 * bare link what only the mailbox may see, and one that costs another round trip.
 */

const app = await startApp();
const FAILURE = "Verification Failed This entry may have already been verified or the link is invalid.";

/** A request of a new technician for one entry. */
async function askForOne(name: string, supervisorEmail: string, draft: Record<string, unknown> = {}) {
  const technician = await app.register({ name });
  const { id } = await technician.addEntry(draft);
  const records = [{ type: "entry" as const, id }];
  const request = await storeRequest(app.db, { userId: technician.user.id, records, supervisorEmail });
  return { technician, ...request };
}

test("the mailed link of one record says what was answered; the bare one and the call still fail in the spec's words", async () => {
  const { technician, path, mailedPath } = await askForOne("Kari Nordmann", "one@refinery.example");
  const sent = await app.submit(await app.get(mailedPath), mailedPath, { supervisorName: "Ola Hansen" });
  expect(sent.status).toBe(303);
  const mailed = await app.get(mailedPath);
  expect([mailed.status, mailed.trips]).toEqual([200, 1]);
  expect(textsOf(mailed.text, "h1")).toEqual([expect.stringMatching(/^You answered on \d+ \w+: verified$/)]);
  expect(textOf(mailed.text)).toMatch(/1 record verified 7\.5 h Fri 20 Nov 2026 ?, MT, Mongstad/);
  expect(tagsOf(mailed.text, "script")).toEqual([]);
  for (const client of [app, technician]) {
    const bare = await client.get(path);
    expect([bare.status, textOf(bare.text)]).toEqual([409, expect.stringContaining(FAILURE)]);
  }
  expect((await app.get(`/api${mailedPath}`)).json()).toMatchObject({ code: "already_answered" });
});

test("a declined record is listed with its reason, and what was declined cannot be withdrawn", async () => {
  const { mailedPath } = await askForOne("Kari Nordmann", "two@refinery.example");
  const page = await app.get(mailedPath);
  await app.submit(page, mailedPath, { supervisorName: "Ola Hansen", reason: "It was <1> hour" }, "Decline");
  const again = await app.get(mailedPath);
  expect(textsOf(again.text, "h1")).toEqual([expect.stringMatching(/^You answered on \d+ \w+: declined$/)]);
  expect(textOf(again.text)).toContain("1 record declined: It was <1> hour");
  expect(textOf(again.text)).not.toContain("Was it a mistake?");
});

test("several answers are one line each with their hours, on both links; the ways back are for the mailed link alone", async () => {
  const { path, mailedPath, states, ada } = await askAbout(app, 3);
  const page = await app.get(mailedPath);
  const wrong = { "items[1].answer": "decline", "items[1].reason": "RT was 1 hour" };
  await app.submit(page, mailedPath, { supervisorName: "Ola Hansen", ...wrong });
  const [mailed, bare, own] = [await app.get(mailedPath), await app.get(path), await ada.get(path)];
  for (const [one, begins] of [
    [mailed, "You answered on"],
    [bare, "Answered on"],
    [own, "Answered on"],
  ] as const) {
    expect([one.status, one.trips]).toEqual([200, 1]);
    expect(textsOf(one.text, "h1")).toEqual([
      expect.stringMatching(new RegExp(`^${begins} \\d+ \\w+: 3 verified, 1 declined$`)),
    ]);
    expect(textsOf(one.text, "li")).toEqual([
      "3 records verified 53.5 h Mon 16 to Fri 20 Nov 2026",
      expect.stringMatching(/^1 record declined: RT was 1 hour 7\.5 h Fri 20 Nov 2026 ?, MT, Mongstad$/),
    ]);
  }
  expect([mailed, bare, own].map(({ text }) => textsOf(text, "summary").length)).toEqual([2, 0, 0]);
  expect([mailed, bare, own].map(({ text }) => text.includes("Send yourself a link"))).toEqual([false, true, false]);

  // One is withdrawn by its box, then the others at once.
  const [, way = ""] = mailed.text.match(/action="(\/disown\/[^"]+)"/) ?? [];
  const { fields, buttons } = formIn(mailed.text, way);
  expect([fields.get("reason"), buttons.map(({ label }) => label)]).toEqual(["", ["Withdraw what is marked"]]);
  const key = tagsOf(mailed.text, "input").find(({ name }) => name === "records[0].key")?.value ?? "";
  await app.submit(mailed, way, { "records[0].key": key }, "Withdraw what is marked");
  expect((await states()).filter((state) => state === "ended: disowned")).toHaveLength(1);
  const rest = await app.get(mailedPath);
  expect(textsOf(rest.text, "h1")).toEqual([
    expect.stringMatching(/^You answered on \d+ \w+: 2 verified, 1 declined, 1 withdrawn$/),
  ]);
  expect(textsOf(rest.text, "button")).toContain("Withdraw all 2");
  await app.post(way, { whole: "1" });
  expect((await states()).filter((state) => state === "ended: disowned")).toHaveLength(3);
});

test("the page of the mailed link names the mailbox's other open requests, but for technicians whom its owner does not know", async () => {
  const mailbox = "waits@refinery.example";
  const answered = await askForOne("Kari Nordmann", mailbox);
  const dana = await askForOne("Dana Kowalski", mailbox, { method: "RT", hours: 50.5 });
  const stranger = await askForOne("Per Stranger", mailbox);
  const other = await askForOne("Ole Other", "other@refinery.example");
  const again = { type: "entry" as const, id: (await stranger.technician.addEntry()).id };
  await storeRequest(app.db, {
    ...{ userId: stranger.technician.user.id, records: [again], supervisorEmail: mailbox },
  });
  await app.submit(await app.get(answered.mailedPath), answered.mailedPath, { supervisorName: "Ola Hansen" });
  // Without their links: the email that leads here may have been forwarded.
  const listed = async (path: string) => {
    const { text } = await app.get(path);
    expect(text).not.toContain(dana.token);
    return ["Dana Kowalski", "Per Stranger", "Ole Other"].filter((name) => textOf(text).includes(`${name} `));
  };
  expect(await listed(answered.mailedPath)).toEqual(["Dana Kowalski", "Per Stranger"]);
  const page = await app.get(answered.mailedPath);
  expect([page.trips, textOf(page.text)]).toEqual([
    1,
    expect.stringMatching(/Dana Kowalski 50\.5 h 1 record: RT\. Asked/),
  ]);
  expect(textOf(page.text)).toContain("Waiting for your answer 65.5 h");
  for (const path of [answered.path, `${answered.path}?m=wrong`, `${answered.path}?m=${other.m}`]) {
    expect([path, await listed(path)]).toEqual([path, []]);
  }
  // Both requests of a technician go when the owner of the mailbox does not know them.
  const refused = await app.post(stranger.mailedPath, { answer: "unknown" });
  expect(refused.status).toBe(303);
  expect(await listed(answered.mailedPath)).toEqual(["Dana Kowalski"]);
});
