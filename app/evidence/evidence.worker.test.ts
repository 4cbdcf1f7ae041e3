import { describe, expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { exportHours } from "#tests/worker/exports.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import { aCertificate, aRopeHours, aTraining, formFields, type Technician } from "#tests/worker/people.ts";

/*
 * Training and certificates, from the JSON API and from a browser without JavaScript. Detects bad input that is stored,
 * a document that is shown to a supervisor, hours of training that count as experience, and a wrong text about an end.
 */

const app = await startApp();

interface Saved {
  id: number;
  status: string;
  verified: boolean;
  [field: string]: unknown;
}

async function add(who: Technician, call: "training" | "certificates", over: object = {}): Promise<Saved> {
  const body = call === "training" ? aTraining(over) : aCertificate(over);
  const answer = await who.json("POST", `/api/${call}`, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json<Saved>();
}

/** Asks a supervisor, and returns the token of the link. */
async function ask(who: Technician, records: { type: string; id: number }[]): Promise<string> {
  const { id: supervisorId } = await who.addSupervisor();
  const answer = await who.json("POST", "/api/verification-requests", { supervisorId, records });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json<{ verificationToken: string }>().verificationToken;
}

/** Saves a record by a form without script, and returns the page that follows. */
async function saveByForm(who: Technician, path: string, typed: object): Promise<string> {
  const form = await who.get(path);
  const [, action = path] = form.text.match(new RegExp(`action="(${path}[^"]*)"`)) ?? [];
  const fields = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value ?? "")]));
  return textOf((await who.follow(await who.post(action, fields))).text);
}

/** Rope hours of 16 h a day. */
const LONG_DAYS = { startDate: "2026-03-09", endDate: "2026-03-10", hours: 32 };

// Catches a period of which only the hours of an entry's day are doubted.
test("more than 24 hours for each day of a period are shown after saving, and to the supervisor and every reader", async () => {
  const ada = await app.register();
  const day = { startDate: "2026-03-02", endDate: "2026-03-02" };
  const course = await saveByForm(ada, "/training/new", { ...aTraining({ ...day, hours: 200 }) });
  expect(course).toContain("200.0 hours in 1 day: more than 24 a day. See the record");
  const said = "30.0 hours in 1 day: more than 24 a day.";
  const period = formFields(aRopeHours({ ...day, hours: 30 }));
  const wrong = await ada.post("/rope-hours/new/long-period", { ...period, skills: "" });
  expect([wrong.status, textOf(wrong.text)]).toEqual([400, expect.stringContaining(said)]);
  const log = await ada.follow(await ada.post("/rope-hours/new/long-period", period));
  expect(textOf(log.text)).toContain(said);
  const [{ id } = { id: 0 }] = (await ada.get("/api/rope-hours")).json<Saved[]>();
  const token = await ask(ada, [{ type: "rope_hour", id }]);
  expect(textOf((await app.as(new Map()).get(`/verify/${token}`)).text)).toContain(said);
  const answer = await app.as(new Map()).json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect(answer.status).toBe(200);
  const made = await exportHours(ada, "rope-access-log");
  expect(made.form.rows[0]?.remarks).toContain(said);
  expect(textOf((await app.get(`/c/${made.code}`)).text)).toContain(said);
  // Less than 24 a day, which its reader is to see and its technician knows.
  const log16 = await ada.follow(await ada.post("/rope-hours/new/long-days", formFields(aRopeHours(LONG_DAYS))));
  expect(textOf(log16.text)).not.toContain("a day.");
  const [{ id: long } = { id: 0 }] = (await ada.get("/api/rope-hours")).json<Saved[]>();
  const asked = await ask(ada, [{ type: "rope_hour", id: long }]);
  const marked = "32.0 hours in 2 days: 16 or more a day.";
  expect(textOf((await app.as(new Map()).get(`/verify/${asked}`)).text)).toContain(marked);
  await app.as(new Map()).json("POST", `/api/verify/${asked}`, { supervisorName: "Ola Hansen" });
  const both = await exportHours(ada, "rope-access-log");
  expect(both.form.rows.map(({ remarks }) => remarks?.at(-1))).toEqual([said, marked]);
  // As many as the days have are possible. A period ends on its last day.
  for (const over of [{ hours: 24 }, { endDate: "2026-03-04", hours: 72 }]) {
    const possible = await saveByForm(ada, "/training/new", { ...aTraining({ ...day, ...over }) });
    expect([over, possible]).toEqual([over, expect.not.stringContaining("more than 24 a day")]);
  }
});

// Catches an end that has passed and is not marked, and texts without their labels.
test("the check page marks a test that has ended and names its fields; the form says until when each was valid on its day", async () => {
  const ada = await app.register();
  const vision = { category: "near_vision", standard: null, method: null, level: null, number: "V-7" };
  const ended = { ...vision, title: "Jaeger 2", issuedOn: "2025-01-01", expiresOn: "2026-01-01" };
  const records = [
    { type: "certificate", id: (await add(ada, "certificates", ended)).id },
    { type: "certificate", id: (await add(ada, "certificates", { expiresOn: "2099-01-31" })).id },
    { type: "training", id: (await add(ada, "training", { hours: 20 })).id },
  ];
  const token = await ask(ada, records);
  await app.as(new Map()).json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  const made = await exportHours(ada, "training-and-certificates");
  const cells = made.form.rows.map(({ texts }) => texts.join("|"));
  // A day of a course is its hours / 7, rounded down as in its target.
  expect(cells).toEqual([
    "UT Level I|Northgate Academy\nInstructor: Ola Hansen|UTSW\nLevel I|Duration: 2.85 days of 7 h",
    "Jaeger 2\nNear vision|Northgate Inspection||No.: V-7\nexpired on 1 Jan 2026",
    "UT Level I\nCertificate\nStandard: SNT-TC-1A|Northgate Inspection|UTSW\nLevel I|No.: NI-UT1-0231\nvalid to 31 Jan 2099",
  ]);
  const page = textOf((await app.get(`/c/${made.code}`)).text);
  expect(page.split("No longer valid: it has expired.")).toHaveLength(2);
  for (const words of ["Number: V-7", "Issued by: Northgate Inspection", "Training provider: Northgate Academy"])
    expect(page).toContain(words);
  expect(page).not.toContain("Title: ");
  expect(page).toContain("Every record on the paper is still verified as printed.");
});

describe("a training", () => {
  test("that is saved twice is told", async () => {
    const ada = await app.register();
    await add(ada, "training");
    expect(await saveByForm(ada, "/training/new", aTraining())).toContain("This training is in your log twice");
  });

  test("is saved as sent, listed newest first, changed, deleted and restored", async () => {
    const ada = await app.register();
    const first = await add(ada, "training", { hours: "16.255", course: "  UT Level I " });
    expect(first).toMatchObject({ ...aTraining(), hours: 16.26, course: "UT Level I", status: "pending" });
    const later = await add(ada, "training", { startDate: "2026-05-04", endDate: "2026-05-04", instructor: null });
    expect((await ada.get("/api/training")).json<Saved[]>().map(({ id }) => id)).toEqual([later.id, first.id]);
    expect((await ada.get("/api/training?method=UTSW&limit=1")).headers.get("Link")).toContain("before=2026-05-04");
    const changed = await ada.json("PATCH", `/api/training/${first.id}`, { level: "Level II", method: null });
    expect(changed.json()).toMatchObject({ level: "Level II", method: null, course: "UT Level I" });
    expect((await ada.json("DELETE", `/api/training/${first.id}`)).json()).toEqual({ message: "Training deleted" });
    expect((await ada.get(`/api/training/${first.id}`)).status).toBe(404);
    expect((await ada.json("POST", `/api/training/${first.id}/restore`)).status).toBe(200);
    expect((await (await app.register()).get(`/api/training/${first.id}`)).status).toBe(404);
    expect((await ada.get("/api/training?colour=red")).json()).toMatchObject({
      message: 'There is no query parameter "colour" here.',
    });
  });

  test.each([
    ["0 hours", { hours: 0 }, "hours", "Hours must be greater than 0"],
    ["no hours", { hours: " " }, "hours", "Hours are required"],
    ["no course", { course: " " }, "course", "Training course is required"],
    ["an end before its start", { endDate: "2026-03-01" }, "endDate", "End date must not be before start date"],
    ["29 February of another year", { startDate: "2025-02-29" }, "startDate", "calendar"],
    ["an unknown method", { method: "ZT" }, "method", "Method must be one of"],
    ["an unknown level", { level: "Level IV" }, "level", "Level must be one of Trainee, Level I"],
    [
      "a course of 201 characters",
      { course: "x".repeat(201) },
      "course",
      "Training course must be at most 200 characters",
    ],
  ])("with %s is refused", async (_what, over, path, message) => {
    const ada = await app.register();
    const answer = await ada.json("POST", "/api/training", aTraining(over));
    expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ path }] }]);
    expect(answer.json<{ message: string }>().message).toContain(message);
    expect((await ada.get("/api/training")).json()).toEqual([]);
  });

  test("is not experience: its hours are in no progress and in no total of OJT hours", async () => {
    const ada = await app.register();
    await ada.json("POST", "/api/targets", {
      ...{ title: "UT", standard: "", source: "" },
      items: [{ title: "UT", clause: "", unit: "hours", kind: "entry", methods: ["UTSW"], required: 100 }],
    });
    await add(ada, "training");
    const [progress] = (await ada.get("/api/progress")).json<{ items: object[] }[]>();
    expect(progress?.items).toMatchObject([{ verified: 0, waiting: 0, notCounted: [] }]);
    expect((await ada.get("/training")).text).toContain("Organized training is not experience");
  });
});

describe("a certificate", () => {
  test("is saved with null for what it does not have; the leap day is a day", async () => {
    const ada = await app.register();
    const saved = await add(ada, "certificates", { issuedOn: "2024-02-29", expiresOn: "2024-02-29" });
    expect(saved).toMatchObject({ ...aCertificate(), issuedOn: "2024-02-29", expiresOn: "2024-02-29" });
    expect(saved).toMatchObject({ part: null, score: null, attempt: null });
    expect("hours" in saved).toBe(false);
    const exam = { category: "examination", part: "general", score: "86,5".replace(",", "."), attempt: "2" };
    expect(await add(ada, "certificates", exam)).toMatchObject({ score: 86.5, attempt: 2, part: "general" });
    const [stored] = await rows(app.db, "SELECT score, subtype, hours FROM records WHERE part = 'general'");
    expect(stored).toEqual({ score: 8650, subtype: "examination", hours: null });
    const changed = await ada.json("PATCH", `/api/certificates/${saved.id}`, { number: "7", attempt: null });
    expect([changed.status, changed.json()]).toMatchObject([200, { number: "7", issuer: "Northgate Inspection" }]);
  });

  test.each([
    ["an end before its beginning", { expiresOn: "2026-01-31" }, "expiresOn", "must not be before"],
    ["a score of 101", { category: "examination", part: "general", score: 101 }, "score", "from 0 to 100"],
    ["an endless score", { category: "examination", part: "general", score: "1e999" }, "score", "from 0 to 100"],
    ["attempt 0", { category: "examination", part: "general", attempt: 0 }, "attempt", "from 1 to 99"],
    ["a score and no examination", { score: 80 }, "score", "not part of a certificate"],
    ["a vision test for one method", { category: "near_vision", level: null }, "method", "for all methods"],
    ["an unknown category", { category: "medical" }, "category", "Category must be one of"],
    ["an unknown part", { category: "examination", part: "oral" }, "part", "Part must be one of"],
    ["an examination without a part", { category: "examination" }, "part", "Part is required"],
    ["a part of another level", { category: "examination", part: "basic" }, "part", "General, Specific and Practical"],
    ["no standard", { standard: null }, "standard", "Standard is required"],
    ["another document with a number", { category: "other", method: null, level: null }, "standard", "only the title"],
    ["a day that is none", { expiresOn: "2027-02-29" }, "expiresOn", "calendar"],
    ["a title of 201 characters", { title: "x".repeat(201) }, "title", "at most 200"],
  ])("with %s is refused", async (_what, over, path, message) => {
    const ada = await app.register();
    const answer = await ada.json("POST", "/api/certificates", aCertificate(over));
    const { errors = [] } = answer.json<{ errors?: { path: string; message: string }[] }>();
    expect(answer.status).toBe(400);
    expect(errors.find((error) => error.path === path)?.message).toContain(message);
    expect((await ada.get("/api/certificates")).json()).toEqual([]);
  });

  // Detects rules between fields that wait until each field is right: a person corrected the form twice.
  test("of which several things are wrong is refused with all of them at once, and so is a training", async () => {
    const ada = await app.register();
    const wrong = async (call: string, body: object) => {
      const answer = await ada.json("POST", `/api/${call}`, body);
      const { errors } = answer.json<{ errors: { path: string; message: string }[] }>();
      return errors.map(({ path, message }) => `${path}: ${message}`);
    };
    const examination = { category: "examination", title: undefined, standard: null, issuer: null };
    expect(await wrong("certificates", aCertificate({ ...examination, expiresOn: "2026-01-01" }))).toEqual([
      "title: Title is required",
      "standard: Standard is required",
      "issuer: Issued by is required",
      "part: Part is required",
      "expiresOn: Expires on must not be before Issued on",
    ]);
    // A value that does not fit a field that is wrong itself gets no message.
    expect(await wrong("certificates", aCertificate({ issuedOn: undefined, expiresOn: "2026-01-01" }))).toEqual([
      "issuedOn: Issued on is required",
    ]);
    expect(
      await wrong("certificates", aCertificate({ ...examination, category: undefined, title: "UT" })),
    ).toHaveLength(1);
    expect(await wrong("training", aTraining({ course: undefined, hours: null, endDate: "2026-03-01" }))).toEqual([
      "course: Training course is required",
      "hours: Hours are required",
      "endDate: End date must not be before start date",
    ]);
    const page = await ada.post(
      "/certificates/new/two-rounds",
      formFields(aCertificate({ title: "", expiresOn: "2026-01-01" })),
    );
    expect([page.status, messageOf(page.text, "title"), messageOf(page.text, "expiresOn")]).toEqual([
      400,
      "Title is required",
      "Expires on must not be before Issued on",
    ]);
  });

  test("is listed by its end, the soonest first, within some days", async () => {
    const ada = await app.register();
    await app.setClock(new Date("2026-11-24T12:00:00Z"));
    const ending = async (expiresOn: string | null) => (await add(ada, "certificates", { expiresOn })).id;
    const [late, soon, today] = [await ending("2027-02-22"), await ending("2027-01-04"), await ending("2026-11-24")];
    await ending("2027-02-23");
    await ending("2026-11-23");
    await ending(null);
    const list = (await ada.get("/api/certificates?expiringWithin=90")).json<Saved[]>();
    expect(list.map(({ id }) => id)).toEqual([today, soon, late]);
    const first = await ada.get("/api/certificates?expiringWithin=90&limit=2");
    const [, next = ""] = /<[^>]*(\/api[^>]+)>/.exec(first.headers.get("Link") ?? "") ?? [];
    expect((await ada.get(next)).json<Saved[]>().map(({ id }) => id)).toEqual([late]);
    expect((await ada.get("/api/certificates?expiringWithin=soon")).status).toBe(400);
    expect((await ada.get("/api/training?expiringWithin=90")).status).toBe(400);
    const page = textOf((await ada.get("/certificates")).text);
    expect(page).toContain("Expires in 41 days");
    // One that ends soon is valid until then.
    expect(page).toContain("valid 5 of these expiring within 90 days 3 expired or revoked 1");
    expect(page).toContain("Expires today");
    expect(page).toContain("Expired yesterday");
    expect(page).toContain("Valid");
    await app.setClock(new Date());
  });

  test("of two of one kind both are kept, the later end counts, and the same one twice is told; one ended years ago is ended", async () => {
    const ada = await app.register();
    const item = {
      title: "UT",
      unit: "valid",
      kind: "certificate",
      category: "certificate",
      methods: ["UTSW"],
      required: 1,
    };
    await ada.json("POST", "/api/targets", { title: "UT", items: [{ ...item, standard: "SNT-TC-1A" }] });
    await add(ada, "certificates", { issuedOn: "2015-01-01", expiresOn: "2018-01-01" });
    const read = async () => {
      const [progress] = (await ada.get("/api/progress")).json<{ items: object[] }[]>();
      return progress?.items[0];
    };
    expect(await read()).toMatchObject({ verified: 0, waiting: 0, endsOn: "2018-01-01" });
    expect(textOf((await ada.get("/certificates")).text)).toMatch(/Expired [\d,]+ days ago/);
    await add(ada, "certificates", { expiresOn: "2099-01-01" });
    await add(ada, "certificates", { expiresOn: "2098-01-01" });
    expect(await read()).toMatchObject({ verified: 0, waiting: 1, endsOn: "2099-01-01" });
    const form = await ada.get("/certificates/new");
    const { action } = formIn(form.text, "/certificates/new");
    const typed = { ...aCertificate({ expiresOn: "2098-01-01" }), score: "", part: "" };
    const fields = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value ?? "")]));
    const saved = await ada.follow(await ada.submit(form, action, fields));
    expect(textOf(saved.text)).toContain("This is in your log twice");
    expect((await ada.get("/api/certificates")).json<Saved[]>()).toHaveLength(4);
  });

  test("is found by its category, in the API, in the log and among what a supervisor can be asked for", async () => {
    const ada = await app.register();
    const plain = { standard: null, method: null, level: null };
    const held = await add(ada, "certificates", { title: "Held" });
    const near = await add(ada, "certificates", { ...plain, title: "Jaeger 1", category: "near_vision" });
    await ada.addEntry({ location: "Sture" });
    const found = async (query: string) =>
      (await ada.get(`/api/certificates?${query}`)).json<Saved[]>().map(({ id }) => id);
    expect(await found("category=near_vision")).toEqual([near.id]);
    expect(await found("category=certificate&method=UTSW")).toEqual([held.id]);
    expect(await found("category=other")).toEqual([]);
    expect(await found("category=")).toHaveLength(2);
    const wrong = await ada.get("/api/certificates?category=vision");
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("category must be one of")]);
    expect((await ada.get("/api/training?category=other")).status).toBe(400);
    const log = textOf((await ada.get("/certificates?category=near_vision")).text);
    expect(log).toContain("Category: Near vision");
    expect(log).toContain("Jaeger 1");
    expect(log).not.toContain("Held");
    expect(textOf((await ada.get("/certificates?category=vision")).text)).toContain(
      "Unknown filter, ignored: Category",
    );
    const asked = textOf((await ada.get("/requests/new?kind=certificate&category=certificate")).text);
    expect(asked).toContain("Held");
    expect(asked).not.toMatch(/Jaeger 1|Sture/);
  });

  test("that is another document is its owner's alone", async () => {
    const ada = await app.register();
    const other = { category: "other", standard: null, method: null, level: null, number: null, issuer: null };
    const { id } = await add(ada, "certificates", { ...other, title: "Medical, offshore" });
    const { id: supervisorId } = await ada.addSupervisor();
    const records = [{ type: "certificate", id }];
    const answer = await ada.json("POST", "/api/verification-requests", { supervisorId, records });
    expect([answer.status, answer.json()]).toMatchObject([400, { code: "invalid" }]);
    expect((await ada.get("/requests/new?all=1")).text).not.toContain("Medical, offshore");
    expect((await ada.get(`/certificates?request=${id}`)).status).toBe(303);
    // Nowhere is it counted among those to ask for, or is asking for all of a log offered.
    expect(textOf((await ada.get("/requests")).text)).not.toMatch(/not with a supervisor|Request it/);
    expect((await ada.get("/certificates")).text).not.toContain("Request verification for all pending");
    await add(ada, "certificates");
    expect(textOf((await ada.get("/requests")).text)).toContain("1 record is not with a supervisor. Request it");
    expect((await ada.get("/certificates")).text).toContain("Request verification for all pending");
    const page = (await ada.get(`/certificates/record/${id}`)).text;
    expect(page).toContain("kept for you alone");
    expect(page).not.toContain("Request Verification");
  });
});

describe("a request", () => {
  test("for a training and certificates says what pressing the button states, and verifies them", async () => {
    const ada = await app.register({ name: "Ada Obi" });
    const training = await add(ada, "training");
    const certificate = await add(ada, "certificates");
    const vision = await add(ada, "certificates", {
      ...{ category: "near_vision", title: "Near vision", standard: "Jaeger 1", method: null, level: null },
    });
    const token = await ask(ada, [
      { type: "training", id: training.id },
      { type: "certificate", id: certificate.id },
      { type: "certificate", id: vision.id },
    ]);
    const page = textOf((await app.get(`/verify/${token}`)).text);
    expect(page).toContain("Training hours: you gave this training or hold its record.");
    expect(page).toContain("Certificate: you issued it or hold its record.");
    expect(page).toContain("Near vision test: you tested it or hold the form.");
    expect(page).toContain("Training provider: Northgate Academy");
    expect(page).not.toContain("under your supervision");
    const answer = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
    expect([answer.status, answer.json()]).toMatchObject([200, { verified: 3 }]);
    expect((await ada.get(`/api/certificates/${vision.id}`)).json()).toMatchObject({ verified: true });
    expect((await ada.json("PATCH", `/api/training/${training.id}`, { hours: 1 })).status).toBe(409);
    expect(textOf((await app.get(`/success?token=${token}`)).text)).toContain("Verification Complete");
    const history = (await ada.get(`/api/training/${training.id}/verification`)).json<{ intact: boolean }>();
    expect(history.intact).toBe(true);
  });

  test.each([
    ["training", "training", "16.0 training hours", "you gave this training or hold its record"],
    ["certificate", "certificates", "a certificate", "you issued it or hold its record"],
  ] as const)("for one %s has a page, an email and a decline of its own words", async (type, call, what, stated) => {
    const ada = await app.register({ name: "Ada Obi" });
    const { id } = await add(ada, call);
    const token = await ask(ada, [{ type, id }]);
    const page = textOf((await app.get(`/verify/${token}`)).text);
    expect(page).toContain(`asks you to verify ${what}`);
    expect(page).toContain(`By selecting Verify, you confirm that ${stated}.`);
    const looked = (await app.get(`/api/verify/${token}`)).json<Record<string, Saved>>();
    expect(looked).toMatchObject({ type, [type]: { id } });
    const declined = await app.json("POST", `/api/verify/${token}/decline`, {
      ...{ supervisorName: "Ola Hansen", reason: "Not in my list" },
    });
    expect(declined.status).toBe(200);
    expect((await ada.get(`/api/${call}/${id}`)).json()).toMatchObject({ status: "declined" });
    expect(textOf((await ada.get(`/${call}`)).text)).toContain("Declined by Ola Hansen: Not in my list");
  });
});

describe("the dialog of a training", () => {
  test("asks for the supervisor's name, email and role, and sends without phone, level and company", async () => {
    const ada = await app.register();
    const { id } = await add(ada, "training");
    const page = await ada.get(`/training?request=${id}`);
    const { action } = formIn(page.text, "/training/request");
    for (const label of ["Role", "Phone (Optional)", "Certification Level (Optional)", "Company (Optional)"])
      expect(textsOf(page.text, "label")).toContain(label);
    // For a supervisor of hours the role may be left out.
    const others = textsOf((await ada.get("/supervisors")).text, "label");
    expect(others).toEqual(expect.arrayContaining(["Phone", "Certification Level", "Company", "Role (Optional)"]));
    const typed = { supervisor: "new", name: "Hanne Vik", email: "hanne@example.org", phone: "", role: "" };
    const refused = await ada.post(action, typed);
    expect([refused.status, messageOf(refused.text, "role"), messageOf(refused.text, "phone")]).toEqual([
      ...[400, "Role is required", null],
    ]);
    expect((await ada.post(action, { ...typed, role: "Instructor" })).status).toBe(303);
    expect((await ada.get(`/api/training/${id}`)).json()).toMatchObject({ status: "requested" });
    const record = textOf((await ada.get(`/training/record/${id}`)).text);
    expect(record).toContain("Role Instructor");
    // They have to fill in only their name, and no sentence is about levels.
    const [{ token } = { token: "" }] = await rows<{ token: string }>(
      app.db,
      "SELECT token FROM verification_requests WHERE own_record_id = ?",
      id,
    );
    const asked = (await app.as(new Map()).get(`/verify/${token}`)).text;
    expect(textOf(asked)).not.toContain("Most written practices ask");
    expect((await app.json("POST", `/api/verify/${token}`, { supervisorName: "Hanne Vik" })).status).toBe(200);
  });

  test("of hours asks for all five fields and for no role", async () => {
    const ada = await app.register();
    const { id } = await ada.addEntry();
    const page = (await ada.get(`/profile?request=${id}`)).text;
    const labels = textsOf(page, "label");
    for (const label of ["Phone", "Certification Level", "Company"]) expect(labels).toContain(label);
    expect(formIn(page, "/profile/request").fields.has("role")).toBe(false);
  });
});

describe("without JavaScript", () => {
  test.each([
    ["training", { ...aTraining(), hours: "16,5" }, { hours: 16.5 }],
    ["certificates", { ...aCertificate(), score: "", part: "" }, { title: "UT Level I" }],
  ] as const)("a form of %s keeps what was typed, saves it once, and shows it", async (call, typed, expected) => {
    const ada = await app.register();
    const fields = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value ?? "")]));
    const form = await ada.get(`/${call}/new`);
    const { action } = formIn(form.text, `/${call}/new`);
    const required = call === "training" ? "course" : "title";
    const refused = await ada.submit(form, action, { ...fields, [required]: "" });
    expect([refused.status, messageOf(refused.text, required)]).toEqual([400, expect.stringContaining("is required")]);
    expect(formIn(refused.text, `/${call}/new`).fields.get("standard") ?? fields.standard).toBe(fields.standard);
    const saved = await ada.submit(refused, action, fields);
    expect(saved.status).toBe(303);
    const page = await ada.follow(saved);
    expect(page.text).toContain("1 ");
    await ada.post(action, formIn(refused.text, `/${call}/new`).values(fields));
    const list = (await ada.get(`/api/${call}`)).json<Saved[]>();
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject(expected);
    const edit = await ada.get(`/${call}/record/${list[0]?.id}/edit`);
    const changed = await ada.submit(edit, `/${call}/record/${list[0]?.id}/edit`, { [required]: "Another" });
    expect(changed.status).toBe(303);
    expect((await ada.get(`/${call}`)).text).toContain("Another");
  });
});

test("admins see and delete training and certificates; an account's deletion counts and removes them", async () => {
  const [ada, root] = [await app.register(), await app.register({ isAdmin: true })];
  const [training, certificate] = [await add(ada, "training"), await add(ada, "certificates")];
  expect((await root.get("/admin?tab=certificates")).text).toContain("UT Level I");
  expect((await root.get(`/admin/training/${training.id}`)).status).toBe(200);
  expect((await root.json("DELETE", `/api/admin/certificates/${certificate.id}`)).status).toBe(200);
  expect((await ada.get(`/api/certificates/${certificate.id}`)).status).toBe(404);
  expect(textOf((await ada.get("/account/delete")).text)).toContain("Training records");
  const everything = (await ada.get("/api/export.json")).json<{ training: Saved[]; certificates: Saved[] }>();
  expect([everything.training.length, everything.certificates.length]).toEqual([1, 0]);
});

test("a sheet of courses and one of certificates are imported, and what is exported is imported again alike", async () => {
  const ada = await app.register();
  const load = async (kind: string, text: string) => {
    const made = await ada.json("POST", `/api/imports?kind=${kind}`, { text });
    expect([made.status, made.json()]).toMatchObject([201, { errors: [] }]);
    return (await ada.json("POST", `/api/imports/${made.json<Saved>().id}/apply`)).json();
  };
  const courses =
    "Course,Provider,From,To,Method,Level,Hours\nUT 1,Northgate,2026-03-02,2026-03-06,UTSW,1,40\nMT,NI,2026-04-01,2026-04-01,,,8";
  expect(await load("training", courses)).toEqual({ created: 2, skipped: 0 });
  const papers =
    "Type,Title,Scheme,Method,Level,Part,Mark,Issued by,Issued,Valid until\n" +
    "Certificate,MT Level II,SNT-TC-1A,MT,II,,,NI,2026-02-01,2031-01-31\n" +
    "Examination,MT Level II,SNT-TC-1A,MT,Level 2,General,86%,NI,2026-01-15,\n" +
    "Near vision,Vision,Jaeger 1,,,,,Optikk,2026-01-04,2027-01-03\nOther,Medical,,,,,,,2026-01-04,2028-01-03";
  expect(await load("certificates", papers)).toEqual({ created: 4, skipped: 0 });
  expect((await ada.get("/api/certificates?q=86")).status).toBe(200);
  for (const kind of ["training", "certificates"]) {
    const file = (await ada.get(`/api/export.csv?kind=${kind}`)).text;
    const bo = await app.register();
    const made = await bo.json("POST", `/api/imports?kind=${kind}`, { text: file });
    expect(made.json()).toMatchObject({ errors: [] });
    await bo.json("POST", `/api/imports/${made.json<Saved>().id}/apply`);
    expect((await bo.get(`/api/export.csv?kind=${kind}`)).text).toBe(file);
  }
});
