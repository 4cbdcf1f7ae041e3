import { describe, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { sendCsv } from "#tests/worker/imports.ts";
import { aCertificate, anEntry, aRopeHours, type Technician } from "#tests/worker/people.ts";
import { type Detail, ENTRY_DETAILS, ROPE_DETAILS } from "./details.ts";

const app = await startApp();

/** A value for each detail, as long as it may be. */
function longest(details: readonly Detail[]): Record<string, string> {
  const text = (max: number) => `"é" <b> 😀 ${"x".repeat(max - 10)}`;
  return Object.fromEntries(details.map(({ name, choices, max = 200 }) => [name, choices?.[0] ?? text(max)]));
}

const KINDS = [
  { call: "/api/entries", path: "/profile", request: "/api/verify-request", values: anEntry, details: ENTRY_DETAILS },
  {
    call: "/api/rope-hours",
    path: "/rope-hours",
    request: "/api/verify-request-rope",
    values: aRopeHours,
    details: ROPE_DETAILS,
  },
] as const;

describe.each(KINDS)("the details of $call", ({ call, path, values, details }) => {
  test("are optional, kept as they were typed, and listed on the record's page", async () => {
    const kari = await app.register();
    const plain = (await kari.json("POST", call, values())).json<object>();
    expect([plain].flat()).toMatchObject([{ details: {} }]);
    const sent = longest(details);
    const [{ id } = { id: 0 }] = [
      (await kari.json("POST", call, values({ details: sent }))).json<{ id: number }>(),
    ].flat();
    const [stored] = (await kari.get(call)).json<{ details: object }[]>();
    expect(stored?.details).toEqual(sent);
    const page = (await kari.get(`${path}/record/${id}`)).text;
    expect(textsOf(page, "dt")).toEqual(expect.arrayContaining(details.map(({ label }) => label)));
    expect(textOf(page)).toContain(sent.employer);
  });

  test("that are blank or null are absent, and one that is unknown, too long or no text is refused", async () => {
    const kari = await app.register();
    const save = async (sent: unknown) => (await kari.json("POST", call, values({ details: sent }))).json();
    expect([await save({ employer: "  ", note: null, jobNumber: " J 1 " })].flat()).toMatchObject([
      { details: { jobNumber: "J 1" } },
    ]);
    expect([await save(null)].flat()).toMatchObject([{ details: {} }]);
    for (const [wrong, message] of [
      [{ employr: "x" }, `Details are an object with some of ${details.map(({ name }) => name).join(", ")}`],
      [{ employer: "x".repeat(201) }, "Employer must be at most 200 characters"],
      [{ note: "x".repeat(1_001) }, "Note must be at most 1,000 characters"],
      [{ employer: 7 }, "Employer must be text"],
      [["x"], `Details are an object with some of ${details.map(({ name }) => name).join(", ")}`],
    ] as const) {
      expect(await save(wrong)).toMatchObject({ message });
    }
    expect(await save({ employer: "x".repeat(201) })).toMatchObject({
      errors: [{ path: expect.stringMatching(/details\.employer$/) }],
    });
  });

  // Catches details that are outside the hash: then the supervisor would confirm others than they saw.
  test("are part of what a supervisor confirms: changing one ends the request, and a form shown before is refused", async () => {
    const kari = await app.register();
    const sent = { employer: "Northgate Inspection", note: "Two\nlines" };
    const [{ id } = { id: 0 }] = [
      (await kari.json("POST", call, values({ details: sent }))).json<{ id: number }>(),
    ].flat();
    const { id: supervisorId } = await kari.addSupervisor();
    const type = call === "/api/entries" ? "entry" : "rope_hour";
    const records = [{ type, id }];
    const asked = (await kari.json("POST", "/api/verification-requests", { supervisorId, records })).json();
    const page = (await app.as(new Map()).get(`/verify/${asked.verificationToken}`)).text;
    expect(textOf(page)).toContain("Northgate Inspection");
    const { details: stored } = (await kari.get(`${call}/${id}`)).json<{ details: object }>();
    expect(stored).toMatchObject(sent);
    const same = (await kari.json("PATCH", `${call}/${id}`, { details: stored })).json();
    expect(same).toMatchObject({ status: "requested" });
    const changed = (await kari.json("PATCH", `${call}/${id}`, { details: { employer: "Other" } })).json();
    expect(changed).toMatchObject({ status: "pending", details: { employer: "Other" } });
  });

  test("are exported, and imported again as they were", async () => {
    const [kari, ola] = [await app.register(), await app.register()];
    const sent = longest(details);
    await kari.json("POST", call, values({ details: sent }));
    const kind = call === "/api/entries" ? "entries" : "rope_hours";
    const csv = (await kari.get(`/api/export.csv?kind=${kind}`)).text;
    const { id } = (await sendCsv(ola, csv, kind)).json<{ id: number }>();
    expect((await ola.json("POST", `/api/imports/${id}/apply`)).json()).toEqual({ created: 1, skipped: 0 });
    expect((await ola.get(call)).json()).toMatchObject([{ details: sent }]);
    expect((await ola.get(`/api/export.csv?kind=${kind}`)).text).toBe(csv);
    // With another detail it is another record.
    const other = csv.replace(sent.employer?.replaceAll('"', '""') ?? "", "Other");
    expect((await sendCsv(ola, other, kind)).json()).toMatchObject({ duplicates: [] });
    expect((await sendCsv(ola, csv, kind)).json()).toMatchObject({ duplicates: [2] });
  });
});

// A device's queue sends the fields of a form as they are.
test.each(KINDS)("$call takes details under the names of a form too", async ({ call, values }) => {
  const kari = await app.register();
  const sent = { ...values(), "details.employer": "Northgate", "details.note": "" };
  expect([(await kari.json("POST", call, sent)).json()].flat()).toMatchObject([{ details: { employer: "Northgate" } }]);
  expect((await kari.json("POST", call, { ...values(), "details.employr": "x" })).status).toBe(400);
});

// Catches a level that the app fills in and that no one reads before the supervisor confirms it.
test("the level worked as, which the app fills in, is shown with the form, after saving, and wherever a request is made", async () => {
  const kari = await app.register();
  expect(textOf((await kari.get("/profile")).text)).toContain("More details (Trainee, or as certified)");
  const form = { "entries[0].date": "2026-11-20", "entries[0].location": "Mongstad", "entries[0].method": "UTSW" };
  const saved = await kari.post("/profile/entries/worked-as", { ...form, "entries[0].hours": "7,5" });
  expect(saved.status).toBe(303);
  const [{ id } = { id: 0 }] = (await kari.get("/api/entries")).json<{ id: number }[]>();
  for (const [path, words] of [
    [saved.location ?? "", "Mongstad Worked as Trainee Edit"],
    [`/profile?request=${id}`, "Mongstad Worked as Trainee UTSW"],
    ["/requests/new", "Mongstad Worked as Trainee UTSW"],
  ] as const) {
    expect([path, textOf((await kari.get(path)).text).replace(/\s+/g, " ")]).toEqual([
      path,
      expect.stringContaining(words),
    ]);
  }
  const token = await kari.requestVerification(id);
  expect(textOf((await app.as(new Map()).get(`/verify/${token}`)).text)).toContain("Worked as Trainee");
  // In the form of a saved record nothing is filled in.
  expect(textOf((await kari.get(`/profile/record/${id}/edit`)).text)).not.toContain("unless a verified certificate");
});

test("a form without script saves details, shows them again with a message, and edits them", async () => {
  const kari = await app.register();
  const row = (over: object) =>
    Object.fromEntries(
      Object.entries({ ...anEntry(), hours: "7,5", ...over }).map(([name, value]) => [
        `entries[0].${name}`,
        String(value),
      ]),
    );
  const wrong = await kari.post(
    "/profile/entries/one",
    row({ "details.employer": "x".repeat(201), "details.role": "assisted" }),
  );
  expect(wrong.status).toBe(400);
  expect(tagsOf(wrong.text, "details").filter((tag) => tag.class === "more")).toEqual([{ class: "more", open: "" }]);
  expect(textsOf(wrong.text, "p", 'class="wrong"')).toEqual(["Employer must be at most 200 characters"]);
  expect(textsOf(wrong.text, "option", "selected")).toContain("assisted");
  const focused = tagsOf(wrong.text, "input").filter((tag) => "autofocus" in tag);
  expect(focused.map(({ name }) => name)).toEqual(["details.employer"]);
  await kari.post("/profile/entries/two", row({ "details.employer": "Northgate", "details.note": "a\r\nb" }));
  const [entry] = (await kari.get("/api/entries")).json<{ id: number }[]>();
  expect(entry).toMatchObject({ hours: 7.5, details: { employer: "Northgate", note: "a\nb" } });
  const edit = (await kari.get(`/profile/record/${entry?.id}/edit`)).text;
  const inputs = new Map(tagsOf(edit, "input").map(({ name, value }) => [name, value]));
  const shown = inputs.get("shown") ?? "";
  expect(inputs.get("details.employer")).toBe("Northgate");
  await kari.post(`/profile/record/${entry?.id}/edit`, {
    ...Object.fromEntries(Object.entries(anEntry()).map(([name, value]) => [name, String(value)])),
    "details.employer": "",
    "details.equipment": "USM 36",
    shown,
  });
  expect((await kari.get("/api/entries")).json()).toMatchObject([{ details: { equipment: "USM 36" } }]);
});

// Catches rows that are stored as text in JSON, where a quotation mark takes four bytes: D1 takes no value over 2 MB.
test("500 entries with details of a whole body of quotation marks are saved", async () => {
  const kari = await app.register();
  const details = { note: '"'.repeat(950) };
  const list = Array.from({ length: 500 }, () => anEntry({ details }));
  const answer = await kari.json("POST", "/api/entries", list);
  expect([answer.status, answer.json<unknown[]>().length]).toEqual([201, 500]);
});

describe.each(KINDS)("the search field of $path", ({ call, path, values }) => {
  test("finds what stands in the details", async () => {
    const kari = await app.register();
    await kari.json(
      "POST",
      call,
      values({ location: "Kårstø", details: { employer: "Nørdtest AS", jobNumber: "J-4711" } }),
    );
    await kari.json("POST", call, values());
    for (const words of ["nordtest", "j-4711"]) {
      const found = (await kari.get(`${path}?q=${words}`)).text;
      expect([words, textsOf(found, "td", 'class="place"')]).toEqual([words, ["Kårstø"]]);
    }
  });
});

describe("the level worked as", () => {
  /** A certificate that a supervisor has verified. */
  async function addCertificate(who: Technician, over: object = {}): Promise<void> {
    const { id } = (await who.json("POST", "/api/certificates", aCertificate(over))).json<{ id: number }>();
    await app.db
      .prepare(
        "UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = 1, verified_via = 'link' WHERE id = ?",
      )
      .bind(id)
      .run();
  }

  const add = async (who: Technician, over: object = {}) =>
    [(await who.json("POST", "/api/entries", anEntry({ method: "MT", ...over }))).json()].flat()[0] as {
      id: number;
      details: Record<string, string>;
    };

  test("is that of a verified certificate in the method which was valid on that day, the highest of several, else Trainee", async () => {
    const [ada, other] = [await app.register(), await app.register()];
    const mt = { method: "MT", issuedOn: "2025-02-28", expiresOn: "2026-02-28" };
    await addCertificate(ada, { ...mt, level: "Level I" });
    await addCertificate(ada, { ...mt, level: "Level II", issuedOn: "2026-01-01" });
    await addCertificate(ada, { ...mt, method: "PT", level: "Level III", expiresOn: null });
    await addCertificate(ada, { ...mt, level: "Level III", category: "examination", part: "basic" });
    await addCertificate(other, { ...mt, level: "Level III" });
    // Not verified.
    await ada.json("POST", "/api/certificates", aCertificate({ ...mt, level: "Level III" }));
    const levelOn = async (date: string, over: object = {}) => (await add(ada, { date, ...over })).details;
    expect(await levelOn("2025-02-27")).toEqual({ workedAs: "Trainee" });
    expect(await levelOn("2025-02-28")).toEqual({ workedAs: "Level I" });
    expect(await levelOn("2026-02-28")).toEqual({ workedAs: "Level II" });
    expect(await levelOn("2026-03-01")).toEqual({ workedAs: "Trainee" });
    expect(await levelOn("2026-03-01", { method: "PT" })).toEqual({ workedAs: "Level III" });
    expect(await levelOn("2026-03-01", { method: "UTSW" })).toEqual({ workedAs: "Trainee" });
    // Among the others it has its place, which the record's hash and an import do not depend on.
    const sent = { employer: '"é" \\ Northgate', note: "n" };
    const { id, details } = await add(ada, { date: "2026-01-02", details: sent });
    expect(JSON.stringify(details)).toBe(JSON.stringify({ employer: sent.employer, workedAs: "Level II", note: "n" }));
    // The edit finds the record unchanged since it was read.
    const edited = (await ada.json("PATCH", `/api/entries/${id}`, { hours: 3 })).json();
    expect(edited).toMatchObject({ hours: 3, details });
  });

  test("is kept as it was sent, changed on the record alone, and not by a certificate that is verified later", async () => {
    const ada = await app.register();
    expect((await add(ada, { details: { workedAs: "level iii" } })).details).toEqual({ workedAs: "Level III" });
    const { id } = await add(ada);
    await addCertificate(ada, { method: "MT", level: "Level II", issuedOn: "2020-01-01" });
    expect((await ada.get(`/api/entries/${id}`)).json()).toMatchObject({ details: { workedAs: "Trainee" } });
    const same = { details: { workedAs: "Level I" } };
    expect((await ada.json("PATCH", `/api/entries/${id}`, same)).json()).toMatchObject(same);
    const wrong = await ada.json("POST", "/api/entries", anEntry({ details: { workedAs: "Level IV" } }));
    expect([wrong.status, wrong.json<{ message: string }>().message]).toEqual([
      400,
      "Worked as must be one of Trainee, Level I, Level II, Level III",
    ]);
  });

  test("is on none of the hours of earlier years, on no rope hours, and as the file has it in an import", async () => {
    const ada = await app.register();
    await addCertificate(ada, { method: "MT", level: "Level II", issuedOn: "2020-01-01" });
    expect((await add(ada, { broughtForward: true })).details).toEqual({});
    expect((await ada.json("POST", "/api/rope-hours", aRopeHours())).json()).toMatchObject({ details: {} });
    const csv =
      "Date,Location,Method,Hours,Worked as\n2026-11-20,Mongstad,MT,7.5,\n2026-11-19,Mongstad,MT,7.5,Level I\n";
    const { id } = (await sendCsv(ada, csv)).json<{ id: number }>();
    await ada.json("POST", `/api/imports/${id}/apply`);
    const list = (await ada.get("/api/entries?to=2026-11-20")).json<{ details: object; broughtForward: boolean }[]>();
    expect(list.filter(({ broughtForward }) => !broughtForward).map(({ details }) => details)).toEqual([
      {},
      { workedAs: "Level I" },
    ]);
  });

  test("is set in an import whose file does not say it, by the certificate of that day, and makes no duplicate", async () => {
    const ada = await app.register();
    await addCertificate(ada, { method: "MT", level: "Level II", issuedOn: "2026-01-01", expiresOn: null });
    const csv = [
      "Date,Location,Method,Hours,Employer,Brought forward",
      "2025-12-31,Sture,MT,7.5,,",
      "2026-01-01,Sture,MT,7.5,Northgate,",
      "2026-01-01,Sture,PT,7.5,,",
      "2026-01-02,Sture,MT,700,,yes",
    ].join("\n");
    const send = async () => {
      const { id, duplicates } = (await sendCsv(ada, csv)).json<{ id: number; duplicates: number[] }>();
      return { duplicates, applied: (await ada.json("POST", `/api/imports/${id}/apply`)).json() };
    };
    expect(await send()).toEqual({ duplicates: [], applied: { created: 4, skipped: 0 } });
    const list = (await ada.get("/api/entries")).json<{ details: object; method: string }[]>();
    expect(list.map(({ method, details }) => [method, details])).toEqual([
      ["MT", {}],
      ["PT", { workedAs: "Trainee" }],
      ["MT", { employer: "Northgate", workedAs: "Level II" }],
      ["MT", { workedAs: "Trainee" }],
    ]);
    const levels = await rows(
      app.db,
      "SELECT DISTINCT level FROM records WHERE user_id = ? AND kind = 'entry'",
      ada.user.id,
    );
    expect(levels).toHaveLength(3);
    expect(await send()).toEqual({ duplicates: [2, 3, 4, 5], applied: { created: 0, skipped: 4 } });
    // A record that came into the log between the preview and its import is left out too.
    const other = csv.replaceAll("Sture", "Kollsnes").split("\n").slice(0, 2).join("\n");
    const { id } = (await sendCsv(ada, other)).json<{ id: number }>();
    await add(ada, { date: "2025-12-31", location: "Kollsnes" });
    expect((await ada.json("POST", `/api/imports/${id}/apply`)).json()).toEqual({ created: 0, skipped: 1 });
  });

  test("that the app has set makes no other record of a row without it", async () => {
    const ada = await app.register();
    await add(ada, { date: "2026-10-01", location: "Sture", details: { employer: "Northgate" } });
    const csv =
      "Date,Location,Method,Hours,Employer\n2026-10-01,Sture,MT,7.5,Northgate\n2026-10-01,Sture,MT,7.5,Other\n";
    expect((await sendCsv(ada, csv)).json()).toMatchObject({ duplicates: [2] });
  });

  test("is what the supervisor sees", async () => {
    const ada = await app.register();
    const { id } = await add(ada);
    const { id: supervisorId } = await ada.addSupervisor();
    const token = await ada.requestVerification(id, supervisorId);
    expect(textOf((await app.get(`/verify/${token}`)).text)).toContain("Worked as Trainee");
  });
});
