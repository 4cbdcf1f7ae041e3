import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";

const app = await startApp();

/** The cells of each row in a part of the log, without the rows that name a month. */
function cells(page: Answer, part: "thead" | "tbody" | "tfoot"): string[][] {
  const log = page.text.match(/<table class="list log">[\s\S]*?<\/table>/)?.[0] ?? "";
  const inside = log.match(new RegExp(`<${part}[^>]*>[\\s\\S]*?</${part}>`))?.[0] ?? "";
  const rows = inside.split(/<tr\b/).filter((row) => /^[^>]*>/.test(row) && !row.startsWith(' class="month"'));
  rows.shift();
  return rows.map((row) =>
    row
      .split(/<t[hd]\b[^>]*>/)
      .slice(1)
      .map(textOf),
  );
}

test("the page of a technician without entries has the spec's texts", async () => {
  const ada = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  const page = await ada.get("/profile");
  const text = textOf(page.text);
  for (const words of [
    "Hours Tracker",
    ada.user.email,
    "Logout",
    "OJT Hours",
    "Kari Nordmann",
    "Employee # NDT-7",
    "Export Verified Hours as PDF",
    "Add New OJT Hours",
    "Experience Hours (OJT) Log",
    "Digital Signature",
    "The above is true and accurate to the best of my knowledge.",
  ]) {
    expect(text).toContain(words);
  }
  expect(page.text).toMatch(/<button[^>]*disabled=""[^>]*>Export Verified Hours as PDF/);
});

test("the first steps are below the form, which is first on a phone, until something is logged", async () => {
  const ada = await app.register();
  const headings = async () => textsOf((await ada.get("/profile")).text, "h2");
  const rest = ["Experience Hours (OJT) Log", "Digital Signature"];
  expect(await headings()).toEqual(["Add New OJT Hours", "How it works", ...rest]);
  await ada.addEntry();
  expect(await headings()).toEqual(["What needs you", "Add New OJT Hours", ...rest]);
});

test("each entry is in the column of its method with what was typed, newest first", async () => {
  const ada = await app.register();
  await ada.addEntries([
    { date: "2026-11-19", location: "Kårstø", method: "ET", hours: 7.25 },
    { date: "2026-11-21", location: "<b>Rig</b>", method: "UT_THK", hours: 8 },
  ]);
  const page = await ada.get("/profile");
  expect(cells(page, "thead")).toEqual([
    [
      "Job Date",
      "Job Location",
      ...["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"],
      "Supervisor Signature",
    ],
  ]);
  expect(cells(page, "tbody")).toEqual([
    ["Sat 21 Nov 2026", "<b>Rig</b>", "", "", "", "", "", "8.0", "", "", "", "Pending Request Verification"],
    ["Thu 19 Nov 2026", "Kårstø", "7.25", "", "", "", "", "", "", "", "", "Pending Request Verification"],
  ]);
  expect(page.text).toContain('<time dateTime="2026-11-21">');
});

test("other methods are below the nine in the form and the filter, and have a column behind them once they have hours", async () => {
  const ada = await app.register();
  const nine = ["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI", "LSI"];
  const others = ["VT", "UT", "PAUT", "TOFD", "ACFM", "ECA", "LT", "AE", "IR", "GW", "MFL"];
  await ada.addEntries([
    { date: "2026-11-21", method: "ET", hours: 2 },
    { date: "2026-11-20", method: "PAUT", hours: 3.25 },
    { date: "2026-11-19", method: "VT", hours: 4 },
    { date: "2026-11-18", method: "VT", hours: 0.5 },
  ]);
  const page = await ada.get("/profile");
  for (const name of ["entries[0].method", "method"]) {
    const [, select = ""] = page.text.split(`name="${name}"`);
    const [list = ""] = select.split("</select>");
    expect(textsOf(list, "option").slice(1)).toEqual([...nine, ...others]);
    const [ofForm, ofOthers = ""] = list.split('<optgroup label="Other methods and techniques">');
    expect([textsOf(ofForm ?? "", "option").length, textsOf(ofOthers, "option")]).toEqual([10, others]);
  }
  expect(cells(page, "thead")).toEqual([["Job Date", "Job Location", ...nine, "VT", "PAUT", "Supervisor Signature"]]);
  const zeros = ["0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0"];
  expect(cells(page, "tfoot")).toEqual([["Total Hours:", "2.0", ...zeros, "4.5", "3.25", "9.75 h logged"]]);
  expect(cells(page, "tbody").map((row) => row.slice(2, -1))).toEqual([
    ["2.0", ...Array(10).fill("")],
    [...Array(10).fill(""), "3.25"],
    [...Array(9).fill(""), "4.0", ""],
    [...Array(9).fill(""), "0.5", ""],
  ]);
  const filtered = await ada.get("/profile?method=VT");
  expect(cells(filtered, "tbody")).toHaveLength(2);
  expect(textOf(filtered.text)).toContain("Method: VT . 2 records, 4.5 h");
});

test("text typed by a technician or a supervisor is escaped in the log", async () => {
  const ada = await app.register();
  const typed = `"><script>alert(1)</script>'&lt;&`;
  const { id } = await ada.addEntry({ location: typed });
  const token = await ada.requestVerification(id, (await ada.addSupervisor()).id);
  expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: typed })).status).toBe(200);
  const page = await ada.get("/profile");
  expect(cells(page, "tbody")[0]?.[1]).toBe(typed);
  expect(cells(page, "tbody")[0]?.at(-1)).toBe(`Verified by ${typed}`);
  expect(page.text).not.toContain("<script>alert");
});

// Detects totals of floating-point numbers or of rounded hours.
test("totals are exact, and of all entries, verified or not", async () => {
  const ada = await app.register();
  // 30 times 0.14 is 4.2, but 3.0 if each is rounded; 0.1 and 0.25 is 0.35, but less as floating point.
  await ada.addEntries([...Array.from({ length: 30 }, () => ({ hours: 0.14 })), { method: "PT", hours: 0.1 }]);
  await ada.addVerifiedEntry({ method: "PT", hours: 0.25 });
  const [total] = cells(await ada.get("/profile"), "tfoot");
  expect(total?.[0]).toBe("Total Hours:");
  expect(total?.slice(-10, -1)).toEqual(["0.0", "0.0", "4.2", "0.35", "0.0", "0.0", "0.0", "0.0", "0.0"]);
});

test("a verified entry is marked, names its verifier, and can no longer be requested", async () => {
  const ada = await app.register();
  await ada.addVerifiedEntry();
  const page = await ada.get("/profile");
  expect(cells(page, "tbody")[0]?.at(-1)).toBe("Verified by Ola Hansen");
  expect(page.text).toContain('<tr class="verified">');
  expect(page.text).not.toContain("Request Verification");
  expect(textsOf(page.text, "p", 'class="legend"')).toEqual(["Verified Entry"]);
  expect(page.text).not.toMatch(/<button[^>]*disabled=""[^>]*>Export Verified Hours as PDF/);
});

/** The links to newer and to older entries. */
const pagerOf = ({ text }: Answer) =>
  tagsOf(text, "a")
    .map(({ href = "" }) => href.replaceAll("&amp;", "&"))
    .filter((href) => /[?&](before|after)=/.test(href));

test("a page has 100 entries and links to older and newer pages; totals are of all entries", async () => {
  const ada = await app.register();
  // All on the same day, so that the id decides the order.
  await ada.addEntries(100);
  expect(pagerOf(await ada.get("/profile"))).toEqual([]);
  await ada.addEntries(Array.from({ length: 150 }, () => ({ date: "2020-01-01" })));
  const first = await ada.get("/profile");
  expect([cells(first, "tbody").length, first.trips]).toEqual([100, 1]);
  const [older = ""] = pagerOf(first);
  const second = await ada.get(older);
  expect([cells(second, "tbody").length, second.trips]).toEqual([100, 1]);
  expect(new Set(cells(second, "tbody").map(([date]) => date))).toEqual(new Set(["Wed 1 Jan 2020"]));
  const [newer = "", oldest = ""] = pagerOf(second);
  const third = await ada.get(oldest);
  expect(cells(third, "tbody")).toHaveLength(50);
  expect(pagerOf(third)).toHaveLength(1); // there are no older entries
  expect(cells(await ada.get(newer), "tbody")).toEqual(cells(first, "tbody"));
  expect(cells(await ada.get(pagerOf(third)[0] ?? ""), "tbody")).toEqual(cells(second, "tbody"));
  expect(cells(second, "tfoot")).toEqual(cells(first, "tfoot"));
  expect(cells(first, "tfoot")[0]).toContain("1875.0");
});

test("the log is filtered by status, method, dates and text, with the filtered totals beside those of all", async () => {
  const ada = await app.register();
  const work = { location: "Kårstø", method: "PT", hours: 2 } as const;
  await ada.addVerifiedEntry({ ...work, date: "2026-03-01" });
  const [asked] = await ada.addEntries([
    { ...work, date: "2026-03-02", method: "ET" },
    { ...work, date: "2026-03-03" },
    { ...work, date: "2026-03-04", location: "Dock 100%" },
  ]);
  await ada.requestVerification(asked?.id ?? 0);
  const datesOf = async (query: string) => {
    const page = await ada.get(`/profile?${query}`);
    expect([query, page.status, page.trips]).toEqual([query, 200, 1]);
    return cells(page, "tbody").map(([date]) => date?.split(" ")[1]);
  };
  expect(await datesOf("status=verified")).toEqual(["1"]);
  expect(await datesOf("status=requested")).toEqual(["2"]);
  expect(await datesOf("status=pending")).toEqual(["4", "3"]);
  expect(await datesOf("method=PT")).toEqual(["4", "3", "1"]);
  expect(await datesOf("from=2026-03-02&to=2026-03-03")).toEqual(["3", "2"]);
  expect(await datesOf("q=K%C3%85RST%C3%98")).toEqual(["3", "2", "1"]);
  expect(await datesOf("q=100%25")).toEqual(["4"]);
  expect(await datesOf("q=ola+hansen")).toEqual(["1"]); // the supervisor's name
  expect(await datesOf("q=penetrant")).toEqual(["4", "3", "1"]); // the full name of a method
  expect(await datesOf("status=pending&method=PT&from=2026-03-04")).toEqual(["4"]);
  // Invalid parameters do not filter, and the page says so.
  expect(await datesOf("status=x&method=%27&from=2026-02-30&to=&q=++")).toEqual(["4", "3", "2", "1"]);

  const unknownIn = async (path: string) => textsOf((await ada.get(path)).text, "p", 'class="alert"');
  for (const path of ["/profile", "/requests/new"]) {
    expect(await unknownIn(`${path}?status=x&from=2026-02-30&method=PT`)).toEqual([
      "Unknown filter, ignored: Status, From",
    ]);
    expect(await unknownIn(`${path}?status=verified&method=&to=++`)).toEqual([]);
  }

  const page = await ada.get("/profile?method=PT&status=pending");
  const [filtered, all] = cells(page, "tfoot");
  expect(filtered?.slice(0, 5)).toEqual(["Hours shown by the filter:", "0.0", "0.0", "0.0", "4.0"]);
  expect(all?.slice(0, 5)).toEqual(["Total Hours:", "2.0", "0.0", "0.0", "6.0"]);
  const found = textsOf(page.text, "p", 'class="found"');
  expect(found).toEqual(["Status: Pending . Method: PT . 2 records, 4.0 h Show all"]);
  const none = await ada.get("/profile?q=nowhere");
  expect(textsOf(none.text, "p", 'class="found"')).toEqual([
    "Contains: nowhere . No entries match this filter. Show all",
  ]);
});

test("the links to other pages keep the filter", async () => {
  const ada = await app.register();
  await ada.addEntries([...Array.from({ length: 120 }, () => ({ method: "PT" as const })), {}]);
  const [older = ""] = pagerOf(await ada.get("/profile?method=PT"));
  expect(older).toContain("method=PT");
  const page = await ada.get(older);
  expect(cells(page, "tbody")).toHaveLength(20);
  expect(pagerOf(page)[0]).toContain("method=PT");
});

test("each month has its name and its hours above its entries", async () => {
  const ada = await app.register();
  const [, older] = await ada.addEntries([
    { date: "2026-11-01", method: "ET", hours: 2 },
    { date: "2026-10-31" },
    { date: "2026-10-01" },
  ]);
  await ada.requestVerification(older?.id ?? 0);
  const page = await ada.get("/profile");
  expect(textsOf(page.text, "tr", 'class="month"')).toEqual(["November 2026 2.0 2.0 h", "October 2026 15.0 15.0 h"]);
  expect(textOf(page.text)).toContain("0.0 h verified 7.5 h requested");
  expect(textOf(page.text)).toContain("3 records");
});

// Catches sums of the page's rows alone.
test("the sum of a month counts its entries on other pages, but none that the filter leaves out", async () => {
  const ada = await app.register();
  const month = (date: string, n: number, hours: number) => Array.from({ length: n }, () => ({ date, hours }));
  await ada.addEntries([...month("2026-11-05", 90, 1), ...month("2026-10-05", 20, 1), ...month("2026-09-05", 5, 1)]);
  await ada.addEntry({ date: "2026-10-06", method: "PT", hours: 3 });
  const sumsOn = async (path: string) => {
    const page = await ada.get(path);
    return { page, sums: textsOf(page.text, "tr", 'class="month"') };
  };
  const first = await sumsOn("/profile");
  expect(first.sums).toEqual(["November 2026 90.0 90.0 h", "October 2026 20.0 3.0 23.0 h"]);
  const second = await sumsOn(pagerOf(first.page)[0] ?? "");
  expect(second.sums).toEqual(["October 2026 20.0 3.0 23.0 h", "September 2026 5.0 5.0 h"]);
  expect((await sumsOn(pagerOf(second.page)[0] ?? "")).sums).toEqual(first.sums);
  expect((await sumsOn("/profile?method=PT")).sums).toEqual(["October 2026 3.0 3.0 h"]);
  await ada.addRopeHours({ startDate: "2026-10-05", endDate: "2026-10-06", hours: 4.25 });
  expect((await sumsOn("/rope-hours")).sums).toEqual(["October 2026 4.25 h"]);
});

test("a row says since when its record is requested, and who declined it and why", async () => {
  const ada = await app.register();
  const [first, second, third] = await ada.addEntries([
    { date: "2026-11-03" },
    { date: "2026-11-02" },
    { date: "2026-11-01" },
  ]);
  for (const entry of [first, second]) await ada.requestVerification(entry?.id ?? 0);
  const token = await ada.requestVerification(third?.id ?? 0);
  const reason = "x".repeat(200);
  const decline = { supervisorName: "Marcus <b>Reed", reason };
  expect((await app.json("POST", `/api/verify/${token}/decline`, decline)).status).toBe(200);
  const day = 24 * 60 * 60 * 1000;
  const asked = "UPDATE records SET requested_at = ? WHERE id = ?";
  await app.db
    .prepare(asked)
    .bind(Date.now() - 3 * day, second?.id)
    .run();
  const page = await ada.get("/profile");
  expect([page.trips, textsOf(page.text, "td", 'class="sign"')]).toEqual([
    1,
    [
      "Requested today Show link",
      "Requested 3 days ago Remind",
      `Declined by Marcus <b>Reed: ${"x".repeat(120)}… Request Verification`,
    ],
  ]);
  expect(page.text).toMatch(/Requested <time dateTime="[\d-]{10}" title="\d+ \w{3} \d{4}">3 days ago/);
});

test("a row says how a request of its record has ended, until the technician edits the record or asks again", async () => {
  const ada = await app.register();
  const [first, second] = await ada.addEntries([{ date: "2026-11-03" }, { date: "2026-11-02" }]);
  const [unknown, expired] = [first?.id ?? 0, second?.id ?? 0];
  const states = async () => textsOf((await ada.get("/profile")).text, "td", 'class="sign"');
  const token = await ada.requestVerification(unknown);
  expect((await app.json("POST", `/api/verify/${token}/unknown`)).status).toBe(200);
  await ada.requestVerification(expired);
  await app.db
    .prepare("UPDATE verification_requests SET expires_at = requested_at + 1 WHERE ended_at IS NULL AND user_id = ?")
    .bind(ada.user.id)
    .run();
  await app.tick(new Date());
  const page = await ada.get("/profile");
  expect([page.trips, textsOf(page.text, "td", 'class="sign"')]).toEqual([
    1,
    ["Pending: the supervisor does not know you Request Verification", "Pending: link expired Request Verification"],
  ]);
  await ada.json("PATCH", `/api/entries/${unknown}`, { hours: 3 });
  await ada.requestVerification(expired);
  expect(await states()).toEqual(["Pending Request Verification", "Requested today Show link"]);
  // A verification that the technician ended is not reported, and a longer history reads no more rows.
  await ada.json("DELETE", `/api/verify-request/${expired}`);
  const { read } = (await ada.get("/profile")).rows;
  for (const _ of [1, 2, 3]) {
    await ada.requestVerification(expired);
    await ada.json("DELETE", `/api/verify-request/${expired}`);
  }
  expect((await ada.get("/profile")).rows.read).toBe(read);
  expect(await states()).toEqual(["Pending Request Verification", "Pending Request Verification"]);
});

test("a deleted entry is in the log under its own status for 24 hours, and Undo in its row brings it back", async () => {
  const ada = await app.register();
  const [kept, gone] = await ada.addEntries([{ hours: 1 }, { hours: 41.5, location: "Dock 9" }]);
  const undo = `/profile/record/${gone?.id}/restore`;
  const deleted = await ada.post(`/profile/record/${gone?.id}/delete`, {});
  expect(deleted.headers.get("Location")).toBe("/profile");
  const after = await ada.get("/profile");
  expect(textsOf(after.text, "div", 'class="toast success"')[0]).toContain("Entry deleted");
  expect(after.text).toContain(`action="${undo}"`);
  expect(cells(after, "tbody")).toHaveLength(1);
  const page = await ada.get("/profile?status=deleted");
  expect([page.trips, textsOf(page.text, "td", 'class="sign"')]).toEqual([1, ["Deleted less than an hour ago Undo"]]);
  expect(textsOf(page.text, "p", 'class="found"')).toEqual([
    "Status: Deleted . 1 record, 41.5 h, kept for 24 hours Show all",
  ]);
  expect(page.text).toContain(`formMethod="post" formaction="${undo}"`);
  const list = await ada.get("/api/entries?status=deleted");
  expect(list.json()).toEqual([{ ...gone, status: "deleted" }]);
  expect((await ada.get("/api/entries")).json()).toEqual([kept]);
  const hour = 60 * 60 * 1000;
  const age = "UPDATE records SET deleted_at = ? WHERE id = ?";
  await app.db
    .prepare(age)
    .bind(Date.now() - 24 * hour, gone?.id)
    .run();
  expect(cells(await ada.get("/profile?status=deleted"), "tbody")).toEqual([]);
  await app.db
    .prepare(age)
    .bind(Date.now() - 2 * hour, gone?.id)
    .run();
  expect(textOf((await ada.get("/profile?status=deleted")).text)).toContain("Deleted 2 hours ago");
  expect((await ada.post(undo, {})).headers.get("Location")).toBe("/profile");
  expect(cells(await ada.get("/profile"), "tbody")).toHaveLength(2);
});

test("a technician who deleted all records gets a link to the deleted ones", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  await ada.json("DELETE", `/api/entries/${id}`);
  expect((await ada.get("/profile")).text).toContain('href="/profile?status=deleted#log"');
  expect((await (await app.register()).get("/profile")).text).not.toContain("status=deleted");
});

test("an invalid cursor shows the first page of the log", async () => {
  const ada = await app.register();
  await ada.addEntries(2);
  for (const before of ["x", "", "2026-02-30.1", "2026-11-20.1 OR 1=1", "%00"]) {
    const page = await ada.get(`/profile?before=${before}`);
    expect([before, page.status, cells(page, "tbody").length]).toEqual([before, 200, 2]);
  }
});

test("no user sees another user's entries, name or totals", async () => {
  const [ada, bob] = [await app.register(), await app.register({ name: "Bob Unseen" })];
  await bob.addVerifiedEntry({ location: "Bob's secret site", hours: 4321 });
  await bob.addSupervisor({ company: "Bob's company" });
  await ada.addEntry();
  const { id } = await ada.addEntry();
  for (const path of ["/profile", `/profile?request=${id}`, "/profile/entries"]) {
    const { text } = await ada.get(path);
    for (const secret of ["Bob", "4321"]) expect(text).not.toContain(secret);
  }
});
