import { expect, test } from "vitest";
import { UNCLEAR_HOURS } from "#app/records/hours.ts";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { aRopeHours, type RopeHours } from "#tests/worker/people.ts";

/*
 * Rope hours (spec sections 2, 5 and 9), from the JSON API and from a browser without JavaScript.
 * Detects a period that ends before its first day, hours that are not a number and stored as 0, a total of unverified or
 * rounded hours, a form that loses typed values, and a form sent twice that is saved twice.
 */

const app = await startApp();

const FILL_IN = "Please fill in all fields";

/** The form's fields as typed. */
const typed = {
  startDate: "2026-11-16",
  endDate: "2026-11-20",
  location: "Mongstad",
  skills: "Rigging, rescue",
  hours: "38.25",
};

function stored(userId: number): Promise<number> {
  return count(app.db, "rope_hours", "user_id = ?", userId);
}

test("rope hours are saved as sent: two decimals, trimmed, unverified, newest first by start date", async () => {
  const ada = await app.register();
  const answer = await ada.json(
    "POST",
    "/api/rope-hours",
    aRopeHours({ hours: "38.254", skills: " Rescue\r\nRigging " }),
  );
  expect([answer.status, answer.json()]).toMatchObject([
    201,
    {
      userId: ada.user.id,
      ...aRopeHours({ hours: 38.25, skills: "Rescue\nRigging" }),
      verified: false,
      verifiedBy: null,
    },
  ]);
  await ada.addRopeHours({ startDate: "2026-11-18" });
  await ada.addRopeHours({ startDate: "2026-11-01", hours: 0 });
  await ada.addRopeHours({ startDate: "2026-11-18", location: "Kårstø" });
  const list = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  expect(list.map(({ startDate, location }) => [startDate, location])).toEqual([
    ["2026-11-18", "Kårstø"],
    ["2026-11-18", "Mongstad"],
    ["2026-11-16", "Mongstad"],
    ["2026-11-01", "Mongstad"],
  ]);
  const bob = await app.register();
  expect((await bob.get("/api/rope-hours")).json()).toEqual([]);
});

test("a period does not end before it starts, and its dates are calendar dates", async () => {
  const ada = await app.register();
  for (const [period, message] of [
    [{ startDate: "2026-11-20", endDate: "2026-11-19" }, "End date must be after start date"],
    [{ startDate: "2026-11-20", endDate: "2025-11-21" }, "End date must be after start date"],
    [{ endDate: "2026-11-31" }, "End date must be a day of the calendar, such as 2026-11-21"],
    [{ endDate: "21.11.2026" }, "End date must be a day of the calendar, such as 2026-11-21"],
  ] as const) {
    const answer = await ada.json("POST", "/api/rope-hours", aRopeHours(period));
    expect([period, answer.status, answer.json()]).toEqual([
      period,
      400,
      { code: "invalid", message, errors: expect.arrayContaining([{ path: "endDate", message }]) },
    ]);
  }
  expect(await stored(ada.user.id)).toBe(0);
});

test("the end is the last day of work: one day is logged, shown and asked about as one day", async () => {
  const ada = await app.register();
  const day = { startDate: "2026-11-20", endDate: "2026-11-20" };
  expect((await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", { ...typed, ...day })).status).toBe(303);
  const [saved] = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  expect(saved).toMatchObject(day);
  const { id: supervisorId } = await ada.addSupervisor();
  const asked = await ada.json("POST", `/api/verify-request-rope/${saved?.id}`, { supervisorId });
  const token = asked.json<{ verificationToken: string }>().verificationToken;
  for (const path of ["/rope-hours", `/rope-hours/record/${saved?.id}`, `/verify/${token}`]) {
    const text = textOf((await ada.get(path)).text);
    expect([path, text]).toEqual([path, expect.stringContaining("20 Nov 2026")]);
    expect([path, text]).toEqual([path, expect.not.stringMatching(/2026 to |to (?:Fri )?20 Nov/)]);
  }
});

test("missing fields, and hours that are not a number, have one common message", async () => {
  const ada = await app.register();
  for (const [field, value] of [
    ...Object.keys(typed).flatMap((field) => ["", "  ", null, undefined, [], {}].map((value) => [field, value])),
    ...["abc", "NaN", "1,5", "Infinity", true].map((value) => ["hours", value]),
  ] as [string, unknown][]) {
    const answer = await ada.json("POST", "/api/rope-hours", aRopeHours({ [field]: value }));
    expect([field, value, answer.status, answer.json<{ message: string }>().message]).toEqual([
      field,
      value,
      400,
      FILL_IN,
    ]);
  }
  expect(await stored(ada.user.id)).toBe(0);
});

test("hours are from 0 to 100,000, and skills have at most 2,000 characters", async () => {
  const ada = await app.register();
  for (const [over, status, message] of [
    [{ hours: 0 }, 201, undefined],
    [{ hours: 100_000 }, 201, undefined],
    [{ skills: "漢".repeat(2_000) }, 201, undefined],
    [{ hours: -0.01 }, 400, "Hours must be 0 or more"],
    [{ hours: 100_001 }, 400, "Hours must be at most 100,000"],
    [{ skills: "x".repeat(2_001) }, 400, "Skills must be at most 2,000 characters"],
    [{ location: "x".repeat(201) }, 400, "Location must be at most 200 characters"],
  ] as const) {
    const answer = await ada.json("POST", "/api/rope-hours", aRopeHours(over));
    expect([answer.status, answer.json<{ message?: string }>().message]).toEqual([status, message]);
  }
});

test("the total is of verified hours only, and exact", async () => {
  const ada = await app.register();
  const total = async () => textsOf((await ada.get("/rope-hours")).text, "dl", 'class="total"');
  expect(await total()).toEqual(["Total Verified Hours 0.0"]);
  await ada.addRopeHours({ hours: 500 });
  // 30 times 0.14 is 4.2, but 3.0 if each is rounded.
  for (const hours of Array.from({ length: 30 }, () => 0.14)) await ada.addRopeHours({ hours });
  await app.db
    .prepare(
      "UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = 1, verified_via = 'link' WHERE user_id = ? AND hours < 100",
    )
    .bind(ada.user.id)
    .run();
  expect(await total()).toEqual(["Total Verified Hours 4.2"]);
});

test("the form saves, shows a toast, and shows the record as Pending", async () => {
  const ada = await app.register();
  const page = await ada.get("/rope-hours");
  expect(textOf(page.text)).toContain("Nothing logged yet.");
  const saved = await ada.submit(page, "/rope-hours/new", typed, "Log Rope Hours");
  expect([saved.status, saved.location]).toEqual([303, expect.stringMatching(/^\/rope-hours\?saved=\d+$/)]);
  const after = await ada.follow(saved);
  expect(textsOf(after.text, "div", 'role="status"')).toEqual([
    expect.stringContaining("Success Rope hours logged successfully"),
  ]);
  const [, month, row] = textsOf(after.text, "tr");
  expect(month).toBe("November 2026 38.25 h");
  expect(row).toBe("Mon 16 Nov 2026 to Fri 20 Nov 2026 Mongstad Rigging, rescue 38.25 Pending Request Verification");
});

test("the same form sent again saves nothing more, 20 times at once or after Back; other content is saved", async () => {
  const ada = await app.register();
  const { action, values } = formIn((await ada.get("/rope-hours")).text, "/rope-hours/new");
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.post(action, values(typed))));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(await stored(ada.user.id)).toBe(1);
  await ada.post(action, values({ ...typed, hours: "38,25" }));
  expect(await stored(ada.user.id)).toBe(1);
  await ada.post(action, values({ ...typed, hours: "40" }));
  expect(await stored(ada.user.id)).toBe(2);
});

test("with an Idempotency-Key a repeated JSON request saves one record, for this user only", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const send = (who: typeof ada) => who.json("POST", "/api/rope-hours", aRopeHours(), { "Idempotency-Key": "k" });
  const [first, second] = [await send(ada), await send(ada)];
  expect([second.status, second.json()]).toEqual([201, first.json()]);
  expect((await send(bob)).json<RopeHours>().userId).toBe(bob.user.id);
  expect([await stored(ada.user.id), await stored(bob.user.id)]).toEqual([1, 1]);
});

test("hours are typed with a decimal comma or point, and refused where they may mean two numbers", async () => {
  const ada = await app.register();
  const refused = await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", { ...typed, hours: "1,500" });
  expect([refused.status, messageOf(refused.text, "hours")]).toEqual([400, UNCLEAR_HOURS]);
  expect(formIn(refused.text, "/rope-hours/new").fields.get("hours")).toBe("1,500");
  expect((await ada.submit(refused, "/rope-hours/new", { ...typed, hours: "7,5" })).status).toBe(303);
  expect((await ada.get("/api/rope-hours")).json<RopeHours[]>()).toMatchObject([{ hours: 7.5 }]);
  expect((await ada.json("POST", "/api/rope-hours", aRopeHours({ hours: "7,5" }))).status).toBe(400);
});

test("errors are shown and all typed values stay", async () => {
  const ada = await app.register();
  const wrong = { ...typed, endDate: "2026-11-15", skills: '<b>\r\n"rescue"' };
  const late = await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", wrong);
  expect([late.status, messageOf(late.text, "endDate")]).toEqual([400, "End date must be after start date"]);
  expect(Object.fromEntries(formIn(late.text, "/rope-hours/new").fields)).toMatchObject(wrong);

  const half = await ada.submit(late, "/rope-hours/new", { ...wrong, endDate: "", hours: "abc" });
  expect([messageOf(half.text, "endDate"), messageOf(half.text, "hours")]).toEqual([FILL_IN, FILL_IN]);
  expect(textsOf(half.text, "p", 'role="alert"')).toEqual([FILL_IN]);
  expect([messageOf(half.text, "location"), messageOf(half.text, "skills")]).toEqual([null, null]);
  expect(await stored(ada.user.id)).toBe(0);
  expect((await ada.submit(half, "/rope-hours/new", typed)).status).toBe(303);
});

test("an unexpected error shows the spec's message, keeps the typed values, and the form can be sent again", async () => {
  const ada = await app.register();
  const form = formIn((await ada.get("/rope-hours")).text, "/rope-hours/new");
  const page = await ada.post(form.action, form.values(typed), { "x-fail-d1-round-trip": "2" });
  expect([page.status, textsOf(page.text, "div", 'role="alert"')]).toEqual([
    500,
    ["Error Failed to log rope hours. Please try again."],
  ]);
  expect(Object.fromEntries(formIn(page.text, form.action).fields)).toMatchObject(typed);
  expect(await stored(ada.user.id)).toBe(0);
  expect((await ada.submit(page, form.action, {})).status).toBe(303);
  expect(await stored(ada.user.id)).toBe(1);
});

test("the history shows 100 records and a link to older ones", async () => {
  const ada = await app.register();
  await app.db
    .prepare(
      `INSERT INTO records (user_id, kind, date, end_date, location, fields, hours, search, created_at)
        SELECT ?, 'rope_hour', date('2020-01-01', value || ' days'), date('2020-01-02', value || ' days'),
          'Mongstad ' || value, '{"skills":"x"}', 100, '', 0
        FROM json_each(?)`,
    )
    .bind(ada.user.id, JSON.stringify(Array.from({ length: 103 }, (_, index) => index)))
    .run();
  const first = await ada.get("/rope-hours");
  const months = textsOf(first.text, "tr", 'class="month"').length;
  expect(textsOf(first.text, "tr")).toHaveLength(1 + months + 100);
  const [, older] = first.text.match(/href="(\/rope-hours\?before=[^"]+)"/) ?? [];
  const second = await ada.get(older ?? "");
  expect(
    textsOf(second.text, "tr")
      .slice(2) // the names of the columns and of the month
      .map((row) => row.match(/Mongstad \d+/)?.[0]),
  ).toEqual(["Mongstad 2", "Mongstad 1", "Mongstad 0"]);
  expect(second.text).not.toContain("Older rope hours");
  const filtered = await ada.get("/rope-hours?from=2020-04-11");
  expect(textsOf(filtered.text, "tr")).toHaveLength(4);
});

test("another user's rope hours are never shown, and no statement reads them", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const theirs = await bob.addRopeHours({ location: "Bob's rig" });
  expect((await ada.get("/rope-hours")).text).not.toContain("Bob");
  expect((await ada.get(`/rope-hours?request=${theirs.id}`)).location).toBe("/rope-hours");
  const [row] = await rows(app.db, "SELECT verification_token FROM rope_hours WHERE id = ?", theirs.id);
  expect(row?.verification_token).toBeNull();
});

test("the form begins with a period of today alone", async () => {
  const ada = await app.register();
  await app.setClock(new Date("2026-11-21T23:30:00Z")); // 22 Nov in Oslo
  const { fields } = formIn((await ada.get("/rope-hours")).text, "/rope-hours/new");
  expect([fields.get("startDate"), fields.get("endDate")]).toEqual(["2026-11-22", "2026-11-22"]);
  // A script lets an end that was not chosen follow the start: also in a form that comes back with an error.
  const presetOf = async (endDate: string) => {
    const form = await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", {
      startDate: "2026-11-20",
      endDate,
    });
    return tagsOf(form.text, "input").find(({ name }) => name === "endDate")?.["data-preset"];
  };
  expect([await presetOf("2026-11-20"), await presetOf("2026-11-21")]).toEqual(["2026-11-20", undefined]);
  await app.setClock(new Date());
});

test("the same rope hours saved again are saved, with a warning that leads to the other record", async () => {
  const ada = await app.register();
  const save = async () => ada.follow(await ada.submit(await ada.get("/rope-hours"), "/rope-hours/new", typed));
  expect(textsOf((await save()).text, "section", 'class="warnings"')).toEqual([]);
  const [{ id } = { id: 0 }] = (await ada.get("/api/rope-hours")).json<RopeHours[]>();
  const page = await save();
  expect(textsOf(page.text, "section", 'class="warnings"')[0]).toContain("These hours are in your log twice");
  expect(page.text).toContain(`<a href="/rope-hours/record/${id}">See the other record</a>`);
  expect(await stored(ada.user.id)).toBe(2);
});
