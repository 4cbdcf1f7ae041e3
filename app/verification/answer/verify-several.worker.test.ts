import { expect, test } from "vitest";
import { verificationId } from "#app/verification/record.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { attributesOf, formIn, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { askAbout, storeRequest } from "#tests/worker/requests.ts";

/*
 * The page of a link for several records, used as a browser without JavaScript does. Catches answers that are matched to
 * records by their place in the form (a record decided meanwhile moves all that follow), and a form that loses `?m=`.
 */

const app = await startApp();
const ALERT = 'role="alert"';

/** A page's text, without the spaces that `textOf` puts between an element and a mark. */
function sentencesOf(html: string): string {
  return textOf(html).replaceAll(/ (?=[.,])/g, "");
}

/** The page's form, and a way to send it with some answers marked. */
async function openPage(entries?: number) {
  const request = await askAbout(app, entries);
  const page = await app.get(request.mailedPath);
  await app.idle(); // a conflict with the note that it was opened would cost another round trip
  const send = (fields: Record<string, string>) =>
    app.submit(page, request.mailedPath, { supervisorName: "Ola Hansen", ...fields });
  return { ...request, page, send };
}

test("the page shows who asks for how much, the sums by method, one name and one button, then each record by day", async () => {
  const { ada, page, mailedPath } = await openPage(50);
  const text = sentencesOf(page.text);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textsOf(page.text, "h1")).toEqual(["Kari Nordmann asks you to verify 413.5 hours"]);
  expect(text).toContain("51 records, Mon 16 to Fri 20 Nov 2026.");
  const who = `${ada.user.email}, Employee Number NDT-7, named you as the supervisor who can confirm this work. Answer by`;
  expect(text).toContain(who);
  expect(textsOf(page.text, "dl")).toEqual(["MT 375.0 Rope 38.5 Total Hours: 413.5"]);
  expect(textsOf(page.text, "h2")).toEqual(["Mon 16 Nov to Fri 20 Nov Mongstad 38.5 h", "Fri 20 Nov Mongstad 375.0 h"]);
  expect(textsOf(page.text, "li")).toHaveLength(51);
  expect(textsOf(page.text, "li")[0]).toContain("Rope 38.5 Rigging, rescue");
  expect(text).toContain(
    "It will appear on each record. The technician typed Ingrid Solheim. By selecting Verify, you confirm that you supervised this work or are authorised to verify it.",
  );
  // A field that Enter sends from presses the first button.
  expect(formIn(page.text, mailedPath).buttons.map(({ label }) => label)).toEqual([
    "Verify 51 records, 413.5 h",
    "Decline all 51",
  ]);
  const boxes = tagsOf(page.text, "input").filter(({ type }) => type === "checkbox");
  expect(boxes.filter((box) => "checked" in box)).toEqual([]);
  expect(boxes.map(({ name }) => name)).toEqual(
    Array.from({ length: 51 }, (_, index) => [`items[${index}].answer`, `items[${index}].later`]).flat(),
  );
  expect(tagsOf(page.text, "script")).toEqual([]);
  expect(page.text).not.toContain("ingrid@");
});

test("the values that all records share are shown once above them, and the records of a single day are listed by place", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const day = { date: "2026-11-20", details: { workedAs: "Trainee", note: "Night shift" } };
  const made = await ada.addEntries([
    { ...day, location: "Tank 1", method: "MT", hours: 2 },
    { ...day, location: "Tank 2", method: "PT", hours: 3, details: { workedAs: "Trainee" } },
    { ...day, location: "Tank 1", method: "RT", hours: 4 },
  ]);
  const records = made.map(({ id }) => ({ type: "entry" as const, id }));
  const { text } = await app.get((await storeRequest(app.db, { userId: ada.user.id, records })).path);
  expect(sentencesOf(text)).toContain("3 records, Fri 20 Nov 2026. Worked as: Trainee.");
  expect(textsOf(text, "h2")).toEqual(["Tank 1 6.0 h", "Tank 2 3.0 h"]);
  expect(textsOf(text, "li").map((row) => row.split(" Not right")[0])).toEqual([
    ...["MT 2.0 Note: Night shift", "RT 4.0 Note: Night shift", "PT 3.0"],
  ]);
});

test("each record of a day of 16 hours or more says how many it has, as the form does", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const on = (date: string, method: string, hours: number) => ({ date, location: "Tank 1", method, hours });
  const made = await ada.addEntries([
    on("2026-11-20", "MT", 8),
    on("2026-11-20", "PT", 8),
    on("2026-11-19", "MT", 15.9),
  ]);
  const records = made.map(({ id }) => ({ type: "entry" as const, id }));
  const pageOf = async (some: typeof records) =>
    (await app.get((await storeRequest(app.db, { userId: ada.user.id, records: some })).path)).text;
  const several = await pageOf(records);
  expect(textsOf(several, "h2")).toEqual(["Thu 19 Nov Tank 1 15.9 h", "Fri 20 Nov Tank 1 16.0 h"]);
  const said = "16.0 h on this date";
  expect(textsOf(several, "li").map((row) => row.includes(said))).toEqual([false, true, true]);
  expect(sentencesOf(await pageOf(records.slice(0, 1)))).toContain(said);
});

test("beside the button it says how many records have a warning", async () => {
  const { page } = await openPage(2);
  expect(textOf(page.text)).toContain("2 records have a warning Records marked");
  expect(textOf((await openPage(1)).page.text)).not.toContain("warning");
});

test("with one record left, the page offers to decline that one", async () => {
  const { ada, mailedPath, records } = await openPage(2);
  for (const { id } of records.slice(0, 2)) await ada.json("DELETE", `/api/entries/${id}`);
  const { text } = await app.get(mailedPath);
  expect(formIn(text, mailedPath).buttons.map(({ label }) => label)).toEqual(["Verify 1 record, 38.5 h", "Decline it"]);
  expect(text).not.toContain("Decline all");
});

test("50 records are verified with a name and one button; /success shows one verification ID and the sums", async () => {
  const { send, token, id, m } = await openPage(50);
  const answer = await send({});
  expect([answer.status, answer.location, answer.trips]).toEqual([303, `/success?token=${token}`, 2]);
  const page = await app.get(answer.location ?? "");
  const [last] = await rows<{ at: number }>(
    app.db,
    "SELECT max(decided_at) AS at FROM verification_items WHERE request_id = ?",
    id,
  );
  const text = textOf(page.text);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(text).toContain(`Verification ID ${verificationId(token, new Date(last?.at ?? 0))}`);
  expect(text).toContain("Verified by Ola Hansen on");
  expect(text).toContain("by mailbox (refinery.example)");
  expect(text).toContain("MT 50 375.0 Rope 1 38.5 Total Hours: 51 413.5");
  expect(page.text).not.toContain(m);
});

test("declined and skipped records are not verified, and /success says how many", async () => {
  const { send, states, token, mailedPath } = await openPage(4);
  // The rope record is the oldest, so it is the first row.
  await send({
    "items[1].answer": "decline",
    "items[1].reason": "This was my day off\r\nAsk Marcus",
    "items[2].answer": "decline",
    "items[2].later": "1",
    "items[2].reason": "ignored",
  });
  expect(await states()).toEqual(["declined", "waiting", "verified", "verified", "verified"]);
  const text = textOf((await app.get(`/success?token=${token}`)).text);
  expect(text).toContain("1 record declined. Kari Nordmann sees it, with your reason.");
  expect(text).toContain("1 record left for later. Open your link again to answer.");
  const again = await app.get(mailedPath);
  expect(textsOf(again.text, "h1")).toEqual(["Kari Nordmann asks you to verify 7.5 OJT hours"]);
  expect(textOf(again.text)).toMatch(/3 records verified by Ola Hansen on .+ 1 record declined by Ola Hansen on /);
  // Records that are answered later have a time and an ID of their own, and change neither of the first answer.
  const [id = ""] = text.match(/VER-\S+/) ?? [];
  await app.submit(again, mailedPath, { supervisorName: "Per Berg" });
  const both = textOf((await app.get(`/success?token=${token}`)).text);
  expect(both).toMatch(
    new RegExp(`3 records verified by Ola Hansen on .+${id} 1 record verified by Per Berg on .+VER-`),
  );
  expect(new Set(both.match(/VER-\S+/g)).size).toBe(2);
});

test("a missing name or reason comes back beside its field with the first one focused and everything typed kept", async () => {
  const { page, mailedPath, states } = await openPage(4);
  const refused = await app.submit(page, mailedPath, {
    supervisorName: " ",
    scheme: "PCN",
    "items[1].answer": "decline",
    "items[1].reason": "  ",
    "items[3].answer": "decline",
    "items[3].reason": "x".repeat(501),
    "items[4].later": "1",
  });
  expect([refused.status, new Set(await states())]).toEqual([400, new Set(["waiting"])]);
  expect(textsOf(refused.text, "p", 'class="wrong"')).toEqual([
    ...["Name is required", "Give a reason", "Reason must be at most 500 characters"],
  ]);
  const { fields } = formIn(refused.text, mailedPath);
  expect(["scheme", "items[1].answer", "items[3].reason", "items[4].later"].map((name) => fields.get(name))).toEqual([
    ...["PCN", "decline", "x".repeat(501), "1"],
  ]);
  expect(formIn(refused.text, mailedPath).buttons[0]?.label).toBe("Send your answers");
  const focused = [...refused.text.matchAll(/<(?:input|textarea)[^>]*autofocus[^>]*>/gi)].map(([tag]) =>
    attributesOf(tag),
  );
  expect(focused.map(({ name }) => name)).toEqual(["supervisorName"]);
  const named = await app.submit(refused, mailedPath, { supervisorName: "Ola" });
  expect(named.text.match(/<textarea[^>]*name="items\[1\]\.reason"[^>]*autofocus/i)).not.toBeNull();
  const answer = await app.submit(named, mailedPath, {
    supervisorName: "Ola",
    "items[1].reason": "No",
    "items[3].reason": "No",
  });
  expect(answer.status).toBe(303);
  expect(await states()).toEqual(["declined", "verified", "declined", "waiting", "verified"]);
});

test("a reason without *Not right* is a contradiction: it comes back, and nothing is verified", async () => {
  const { send, states } = await openPage(4);
  const refused = await send({ "items[1].reason": "This was my day off" });
  expect([refused.status, textsOf(refused.text, "p", 'class="wrong"')]).toEqual([
    400,
    ["You wrote what is wrong. Check Not right, or clear this text"],
  ]);
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
});

test("if records changed since the page was opened, 409: all answers are kept, and the changed records are marked", async () => {
  const { ada, send, states, mailedPath } = await openPage(4);
  await ada.json("PATCH", "/api/user", { name: "Kari Hansen" });
  const refused = await send({ "items[1].answer": "decline", "items[1].reason": "No" });
  expect([refused.status, refused.trips]).toEqual([409, 1]);
  expect(textsOf(refused.text, "p", ALERT)).toEqual([expect.stringContaining("5 records were changed")]);
  expect(textsOf(refused.text, "li", 'class="changed"')).toHaveLength(5);
  const { fields } = formIn(refused.text, mailedPath);
  expect(["supervisorName", "items[1].reason"].map((name) => fields.get(name))).toEqual(["Ola Hansen", "No"]);
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
  expect((await app.submit(refused, mailedPath, {})).status).toBe(303);
  expect(await states()).toEqual(["declined", "verified", "verified", "verified", "verified"]);
});

test("a record decided elsewhere meanwhile is left out and reported; the answers of the others stay theirs", async () => {
  const { ada, records, send, states, token } = await openPage(4);
  const other = await storeRequest(app.db, { userId: ada.user.id, records: records.slice(0, 1) });
  await app.json("POST", `/api/verify/${other.token}`, { supervisorName: "Per" });
  // Row 1 is records[0], which is gone; row 2 is records[1].
  await send({
    "items[1].answer": "decline",
    "items[1].reason": "No",
    "items[2].answer": "decline",
    "items[2].reason": "Mine",
  });
  expect(await states()).toEqual(["ended: elsewhere", "declined", "verified", "verified", "verified"]);
  expect(textOf((await app.get(`/success?token=${token}`)).text)).toContain("1 record decided through another link");
});

test("*Decline all* declines what waits with one reason, whatever is marked, and needs a name and the reason", async () => {
  const { ada, page, mailedPath, states, token } = await openPage(3);
  const button = "Decline all 4";
  const marked = { "items[1].answer": "decline", "items[2].later": "1", supervisorName: "", scheme: "PCN" };
  const refused = await app.submit(page, mailedPath, marked, button);
  expect([refused.status, textsOf(refused.text, "p", 'class="wrong"')]).toEqual([
    ...[400, ["Name is required", "Give a reason"]],
  ]);
  expect(formIn(refused.text, mailedPath).fields.get("items[2].later")).toBe("1");
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
  const filled = { supervisorName: "Ola Hansen", reason: "I was on leave" };
  // The reason beside *Verify* is a contradiction.
  const contradiction = await app.submit(refused, mailedPath, { ...filled, "items[1].answer": "verify" });
  expect(textsOf(contradiction.text, "p", 'class="wrong"')).toEqual([
    "You wrote why all are declined. Press Decline all, or clear this text",
  ]);
  const answer = await app.submit(refused, mailedPath, filled, button);
  expect([answer.status, answer.location]).toEqual([303, `/success?token=${token}`]);
  expect(new Set(await states())).toEqual(new Set(["declined"]));
  const [entry] = (await ada.get("/api/entries")).json<{ id: number }[]>();
  const { log } = (await ada.get(`/api/entries/${entry?.id}/verification`)).json<{ log: object[] }>();
  const event = { event: "declined", reason: "I was on leave", name: "Ola Hansen", via: "mailbox" };
  expect(log.at(-1)).toMatchObject(event);
});

test("when nothing is left, a form is 409, and it and the page say what was answered, by whom and how", async () => {
  const { send, call, mailedPath, path } = await openPage(2);
  await app.json("POST", `${call}/decline`, { supervisorName: "Per", reason: "No" });
  const pages = [await send({}), await app.get(mailedPath), await app.get(path)];
  expect(pages.map(({ status }) => status)).toEqual([409, 200, 200]);
  for (const { text } of pages) {
    expect(textOf(text)).toContain("Answered on");
    expect(textsOf(text, "h1")).toEqual([expect.stringMatching(/^Answered on \d+ \w+: 3 declined$/)]);
    expect(textOf(text)).toMatch(/For Kari Nordmann ?, as Per ?, by link\. .*3 records declined: No 53\.5 h/);
  }
  // But for the one that closes the mailbox to the technician.
  expect(pages.map(({ text }) => text.match(/<form/g)?.length ?? 0)).toEqual([1, 1, 0]);
});

test("the mailbox secret survives errors, and is in no Referer and on no other page", async () => {
  const { page, mailedPath, m, records } = await openPage(1);
  const refused = await app.submit(page, mailedPath, { supervisorName: "" });
  expect(formIn(refused.text, mailedPath).action).toBe(mailedPath);
  expect([page, refused].map(({ headers }) => headers.get("Referrer-Policy"))).toEqual([
    "strict-origin",
    "strict-origin",
  ]);
  // Only as the address of its two forms.
  expect(page.text.split(m ?? "?")).toHaveLength(3);
  const answer = await app.submit(refused, mailedPath, { supervisorName: "Ola" });
  expect(answer.location).not.toContain(m);
  const [row] = await rows(app.db, "SELECT verified_via AS via FROM entries WHERE id = ?", records[0]?.id);
  expect(row).toEqual({ via: "mailbox" });
});

test("leaving everything for later leads back to the page, which says that nothing was saved", async () => {
  const { send, mailedPath, states } = await openPage(1);
  const answer = await send({ "items[0].later": "1", "items[1].later": "1" });
  expect([answer.status, answer.location, new Set(await states())]).toEqual([303, mailedPath, new Set(["waiting"])]);
});

test("the technician sees their records without a form, and a form they send is refused", async () => {
  const { ada, path, states } = await openPage(1);
  const page = await ada.get(path);
  expect([page.status, textOf(page.text)]).toEqual([200, expect.stringContaining("These are your own hours")]);
  expect(page.text).not.toContain("<form");
  expect((await ada.post(path, { supervisorName: "Kari" })).status).toBe(403);
  expect(new Set(await states())).toEqual(new Set(["waiting"]));
});
