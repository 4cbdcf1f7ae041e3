import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { anEntry, type Entry } from "#tests/worker/people.ts";

const app = await startApp();
const ada = await app.register();

/** Saves one entry with these values. Returns the entry, or the error message for the field. */
async function save(over: Record<string, unknown>): Promise<Record<string, unknown>> {
  const before = await ada.storedEntries();
  const answer = await ada.json("POST", "/api/entries", anEntry(over));
  expect(await ada.storedEntries()).toBe(before + (answer.status === 201 ? 1 : 0));
  if (answer.status === 201) return { ...answer.json<Entry[]>()[0] };
  expect(answer.status).toBe(400);
  const [error] = answer.json<{ errors: { path: string; message: string }[] }>().errors;
  return { [error?.path ?? ""]: error?.message };
}

test("one object or a list is saved, and returned in the order sent", async () => {
  const one = await ada.json("POST", "/api/entries", anEntry({ location: "Kårstø" }));
  expect([one.status, one.json<Entry[]>()]).toMatchObject([201, [{ location: "Kårstø", userId: ada.user.id }]]);
  const dates = ["2026-03-01", "2026-01-01", "2026-02-01"];
  const saved = await ada.addEntries(dates.map((date) => ({ date })));
  expect(saved.map(({ date }) => date)).toEqual(dates);
  expect(await rows(app.db, "SELECT date FROM entries WHERE id >= ? ORDER BY id", saved[0]?.id)).toEqual(
    dates.map((date) => ({ date })),
  );
});

test("the list contains the owner's entries only, newest first: by date, then by id", async () => {
  const bob = await app.register();
  await ada.addEntries(3);
  const saved = await bob.addEntries([
    { date: "2026-11-01", location: "first" },
    { date: "2026-11-03", location: "second" },
    { date: "2026-11-01", location: "third" },
    { date: "2025-12-31", location: "fourth" },
  ]);
  const listed = (await bob.get("/api/entries")).json<Entry[]>();
  expect(listed.map(({ location }) => location)).toEqual(["second", "third", "first", "fourth"]);
  expect(listed.map(({ id }) => id)).toEqual([1, 2, 0, 3].map((index) => saved[index]?.id));
});

test("500 entries are saved at once; with 501, none is saved", async () => {
  const bob = await app.register();
  expect((await bob.addEntries(500)).length).toBe(500);
  const list = Array.from({ length: 501 }, () => anEntry());
  const answer = await bob.json("POST", "/api/entries", list);
  expect([answer.status, answer.json().message]).toEqual([
    400,
    "At most 500 entries can be saved at once. Save these in two parts.",
  ]);
  expect((await bob.json("POST", "/api/entries", [])).status).toBe(400);
  expect(await bob.storedEntries()).toBe(500);
});

// Detects a loop of INSERTs without a transaction.
test("either all entries of a list are saved or none", async () => {
  const before = await ada.storedEntries();
  const answer = await ada.json("POST", "/api/entries", [anEntry(), anEntry({ hours: 0 }), anEntry({ date: "" })]);
  expect(answer.json()).toEqual({
    code: "invalid",
    message: "Hours must be greater than 0",
    errors: [
      { path: "1.hours", message: "Hours must be greater than 0" },
      { path: "2.date", message: "Date is required" },
    ],
  });
  expect(await ada.storedEntries()).toBe(before);
});

test("if the database fails, nothing is saved, the answer does not say why, and a new attempt works", async () => {
  const before = await ada.storedEntries();
  for (const trip of ["1", "2"]) {
    const answer = await ada.json("POST", "/api/entries", [anEntry()], { "x-fail-d1-round-trip": trip });
    expect([answer.status, answer.json()]).toEqual([
      500,
      {
        code: "server_error",
        message: expect.stringMatching(/^Something went wrong on our side, .*Please check before you try again\./),
      },
    ]);
  }
  expect(await ada.storedEntries()).toBe(before);
  await ada.addEntry();
  expect(await ada.storedEntries()).toBe(before + 1);
});

test("hours can be sent as text, and two decimals are kept", async () => {
  for (const [sent, kept] of [
    [8, 8],
    ["7.5", 7.5],
    [" 7.25 ", 7.25],
    [0.1, 0.1],
    ["0.10", 0.1],
    [7.256, 7.26],
    [1e2, 100],
    [100_000, 100_000],
  ]) {
    expect([sent, await save({ hours: sent })]).toMatchObject([sent, { hours: kept }]);
  }
  const stored = await rows(app.db, "SELECT DISTINCT hours, typeof(hours) AS type FROM entries WHERE hours > 99");
  expect(stored).toEqual([
    { hours: 100, type: "real" },
    { hours: 100_000, type: "real" },
  ]);
});

test("a value that is not a number counts as 0, and less than 0.1 is refused", async () => {
  const sent = [
    0,
    -1,
    "-1",
    0.09,
    "0.0999",
    1e-9,
    "abc",
    "NaN",
    "",
    "7,5",
    "7:30",
    "0x10",
    "1e2",
    null,
    undefined,
    true,
    [],
    [8],
    {},
  ];
  for (const hours of sent) {
    expect([hours, await save({ hours })]).toEqual([hours, { "0.hours": "Hours must be greater than 0" }]);
  }
});

test("hours above 100,000 are refused, however large", async () => {
  for (const hours of [100_000.01, 1e308, "100000.01", "9".repeat(400)]) {
    expect([hours, await save({ hours })]).toEqual([hours, { "0.hours": "Hours must be at most 100,000" }]);
  }
});

test("a date is a calendar date, and is stored as it was typed", async () => {
  for (const date of ["2026-11-20", "2024-02-29", "9999-12-31", "1999-01-01"]) {
    expect(await save({ date })).toMatchObject({ date });
  }
  const message = "Date must be a day of the calendar, such as 2026-11-21";
  for (const date of ["2026-02-30", "2025-02-29", "2026-13-01", "21.11.2026", "2026-11-21T10:00:00Z", "tomorrow"]) {
    expect([date, await save({ date })]).toEqual([date, { "0.date": message }]);
  }
  for (const date of [undefined, null, "", "  ", 20261121, {}]) {
    expect([date, await save({ date })]).toEqual([date, { "0.date": "Date is required" }]);
  }
});

test("a method is one of the nine codes of the form, or of the eleven others", async () => {
  const codes = ["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"];
  const others = ["VT", "UT", "PAUT", "TOFD", "ACFM", "ECA", "LT", "AE", "IR", "GW", "MFL"];
  for (const method of [...codes, ...others]) {
    const { id } = await save({ method, date: "2031-05-05" });
    expect((await ada.get(`/api/entries/${id}`)).json()).toMatchObject({ method });
    expect((await ada.get(`/api/entries?method=${method}&from=2031-05-05&to=2031-05-05&limit=1`)).json()).toMatchObject(
      [{ id, method }],
    );
  }
  for (const [words, method] of [
    ["magnetic particle", "MT"],
    ["magnetic flux", "MFL"],
    ["phased array", "PAUT"],
    ["thermographic", "IR"],
  ])
    expect((await ada.get(`/api/entries?q=${words}&limit=1`)).json()).toMatchObject([{ method }]);
  const { "0.method": message } = await save({ method: "XX" });
  expect(message).toMatch(/^Method must be one of ET, RFT, MT, PT, RT, UT_THK, UTSW, PMI, LSI, VT, UT, PAUT,.* MFL$/);
  for (const method of ["UT Thk.", "mt", "XX", "constructor", "MT; DROP TABLE entries"]) {
    expect([method, Object.keys(await save({ method }))]).toEqual([method, ["0.method"]]);
  }
  for (const method of [undefined, null, "", " ", 1]) {
    expect([method, await save({ method })]).toEqual([method, { "0.method": "Method is required" }]);
  }
});

test("a location is any text that is not blank, up to 200 characters", async () => {
  const places = [
    "Kårstø",
    "<script>alert(1)</script>",
    "'); DROP TABLE entries;--",
    "🛢️ Rig 😀",
    "上海",
    "😀".repeat(200),
  ];
  for (const location of places) {
    expect(await save({ location: ` ${location} ` })).toMatchObject({ location });
  }
  expect(await rows(app.db, "SELECT DISTINCT location FROM entries WHERE location LIKE '%DROP%'")).toEqual([
    { location: "'); DROP TABLE entries;--" },
  ]);
  for (const location of [undefined, null, "", "   ", "\u200b", "\u2060\ufeff", "\u0000", 7]) {
    expect([location, await save({ location })]).toEqual([location, { "0.location": "Location is required" }]);
  }
  for (const location of ["x".repeat(201), "😀".repeat(201), "x".repeat(10_000)]) {
    expect(await save({ location })).toEqual({ "0.location": "Location must be at most 200 characters" });
  }
});

// Detects an INSERT of the whole body, and a schema that lets unknown fields pass.
test("unknown fields of a body are ignored and never stored", async () => {
  const bob = await app.register();
  const before = Date.now();
  const { id } = await save({
    id: 999_999,
    userId: bob.user.id,
    user_id: bob.user.id,
    verified: true,
    verifiedBy: "Myself",
    verifiedAt: "2026-01-01T00:00:00Z",
    verificationToken: "00000000-0000-4000-8000-000000000000",
    createdAt: "1999-01-01",
    search: "x",
    submission: "x",
  });
  expect(id).not.toBe(999_999);
  const [stored] = await rows(app.db, "SELECT * FROM records WHERE id = ?", id);
  expect(stored).toMatchObject({
    user_id: ada.user.id,
    verified: 0,
    verified_by: null,
    verified_at: null,
    submission: null,
    search: "mongstad",
  });
  expect(Number(stored?.created_at)).toBeGreaterThanOrEqual(before);
  expect(Number(stored?.created_at)).toBeLessThanOrEqual(Date.now());
  expect(await bob.storedEntries()).toBe(0);
});

// Detects search texts 18 times as long as the location: D1 allows no value over 2 MB.
test("500 locations of letters that normalisation makes longer are saved and found", async () => {
  const ada = await app.register();
  const admin = await app.register({ isAdmin: true });
  for (const [letter, found] of [
    ["\ufdfa", "صلى الله"],
    ["\u3316", "キロメートル"],
    ['"', '""""'],
  ] as const) {
    const location = letter.repeat(200);
    const answer = await ada.json("POST", "/api/entries", Array(500).fill(anEntry({ location })));
    expect([letter, answer.status, answer.json<unknown[]>().length]).toEqual([letter, 201, 500]);
    const page = await admin.get(`/admin?tab=entries&search=${encodeURIComponent(found)}`);
    expect([letter, page.status, page.text.includes("/admin/entry/")]).toEqual([letter, 200, true]);
  }
});
