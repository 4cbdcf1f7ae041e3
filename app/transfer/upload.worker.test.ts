import { readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { formIn, textsOf } from "#tests/worker/html.ts";
import { applyImport, changeImport, csvOf, sendCsv, upload } from "#tests/worker/imports.ts";
import { anEntry } from "#tests/worker/people.ts";
import { row, workbook } from "#tests/worker/workbook.ts";

const app = await startApp();

const HEADER = row("Date", "Location", "Method", "Hours");
const BOOK = workbook({
  sheets: [
    { name: "2025", rows: HEADER + row("2025-11-20", "Sture", "MT", 8) },
    { name: "2026", rows: HEADER + row('<c s="1"><v>46346</v></c>', "Kårstø", "PT", '<c s="2"><v>0.3125</v></c>') },
  ],
  formats: [14, "[h]:mm"],
});
const CYRILLIC = readFileSync("tests/fixtures/sheets/06d-windows-1251.csv");

async function uploadForm(client: Client, bytes: Uint8Array, name: string): Promise<string> {
  const body = new FormData();
  body.set("kind", "entry");
  body.set("file", new File([bytes as BlobPart], name)); // bytes of any buffer
  const answer = await client.send("POST", "/import", { body });
  if (answer.status !== 303) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.location ?? "";
}

test("a workbook is previewed by its first sheet, and imported by another one that is chosen", async () => {
  const kari = await app.register();
  const answer = await sendCsv(kari, BOOK, "entries", XLSX_TYPE);
  expect([answer.status, answer.trips]).toEqual([201, 2]);
  const view = answer.json<ImportView>();
  expect(view).toMatchObject({ encoding: null, sheet: "2025", sheets: ["2025", "2026"], ready: 1, errors: [] });
  const changed = await changeImport(kari, view.id, { sheet: "2026" });
  expect([changed.status, changed.trips]).toEqual([200, 2]);
  expect(changed.json()).toMatchObject({ sheet: "2026", dateOrder: "ymd", sums: { total: 7.5, method: { PT: 7.5 } } });
  expect((await applyImport(kari, view.id)).json()).toEqual({ created: 1, skipped: 0 });
  expect((await kari.get("/api/entries")).json()).toMatchObject([
    { date: "2026-11-20", location: "Kårstø", hours: 7.5 },
  ]);
});

test("another sheet or encoding is chosen alone, and only one that the file has", async () => {
  const kari = await app.register();
  const [book, text, plain] = [
    await upload(kari, BOOK),
    await upload(kari, CYRILLIC),
    await upload(kari, csvOf("2026-11-20,Rig,MT,2")),
  ];
  for (const [id, change, message] of [
    [book.id, { sheet: "2027" }, "The workbook has no sheet “2027”."],
    [book.id, { encoding: "windows-1250" }, "A workbook has no encoding."],
    [
      book.id,
      { sheet: "2026", dateOrder: "dmy" },
      "Send encoding or sheet alone, and the columns after that: another sheet has other ones.",
    ],
    [text.id, { sheet: "2026" }, "Only a workbook has sheets."],
    [plain.id, { encoding: "windows-1250" }, "The encoding of this file is certain: utf-8."],
  ] as const) {
    const answer = await changeImport(kari, id, change);
    expect([answer.status, answer.json().message]).toEqual([400, message]);
  }
});

test("the preview shows the encoding, and another one reads the same file again", async () => {
  const kari = await app.register();
  const view = await upload(kari, CYRILLIC);
  expect([view.encoding, view.rows[0]?.cells[1]]).toEqual(["windows-1251", "Сахалин"]);
  expect(view.notes.map(({ message }) => message)).toEqual([
    "The file does not say its encoding. It is read as Cyrillic (Windows-1251). If names look wrong, choose another encoding.",
  ]);
  const changed = (await changeImport(kari, view.id, { encoding: "windows-1252" })).json<ImportView>();
  expect([changed.encoding, changed.rows[0]?.cells[1]]).toEqual(["windows-1252", "Ñàõàëèí"]);
  const again = (await changeImport(kari, view.id, { skip: [] })).json<ImportView>();
  expect([again.encoding, again.rows[0]?.cells[1]]).toEqual(["windows-1252", "Ñàõàëèí"]);
});

test("the content decides what a file is, not its name or its content type", async () => {
  const kari = await app.register();
  expect(await upload(kari, BOOK)).toMatchObject({ sheets: ["2025", "2026"] });
  const csv = await sendCsv(kari, csvOf("2026-11-20,Rig,MT,2"), "entries", XLSX_TYPE);
  expect(csv.json()).toMatchObject({ encoding: "utf-8", sheets: [], ready: 1 });
  const tsv = "Date\tLocation\tMethod\tHours\n2026-11-20\tRig\tMT\t2";
  expect((await sendCsv(kari, tsv, "entries", "text/tab-separated-values")).json()).toMatchObject({ ready: 1 });
  expect(await uploadForm(kari, BOOK, "log.csv")).toMatch(/^\/import\/\d+$/);
});

test("the page offers the sheets of a workbook, and shows the chosen one before anything is imported", async () => {
  const kari = await app.register();
  const path = await uploadForm(kari, BOOK, "log.xlsx");
  const page = await kari.get(path);
  expect(page.trips).toBe(1);
  expect(textsOf(page.text, "label")).toContain("Sheet");
  expect(textsOf(page.text, "label")).not.toContain("Encoding");
  // With Import at once: the rows of the other sheet were not seen yet.
  const refused = await kari.post(`${path}/apply`, formIn(page.text, path).values({ sheet: "2026" }));
  const shown = refused.status === 303 ? await kari.follow(refused) : refused;
  expect(shown.text).toContain("Another sheet or encoding was chosen. Check how its rows are read, then import them.");
  const other = await kari.get(path);
  expect([other.text.includes("Kårstø"), formIn(other.text, path).values({}).get("sheet")]).toEqual([true, "2026"]);
  await kari.post(`${path}/apply`, formIn(other.text, path).values({}));
  expect((await kari.get("/api/entries")).json()).toMatchObject([{ location: "Kårstø" }]);
});

test("the page offers the encodings beside the places as they would be", async () => {
  const kari = await app.register();
  const path = await uploadForm(kari, CYRILLIC, "log.csv");
  const page = await kari.get(path);
  expect(textsOf(page.text, "label")).not.toContain("Sheet");
  expect(textsOf(page.text, "option").filter((option) => option.includes("Windows-125"))).toEqual([
    "Ñàõàëèí: Western European (Windows-1252)",
    "Ńŕőŕëčí: Central European (Windows-1250)",
    "Сахалин: Cyrillic (Windows-1251)",
  ]);
  await kari.submit(page, path, { encoding: "windows-1252" }, "Update preview");
  expect((await kari.get(path)).text).toContain("Ñàõàëèí");
});

test("a workbook of 5,000 rows and 1 MiB is taken, and its bytes count for the account", async () => {
  const kari = await app.register();
  const rows = Array.from({ length: 5_000 }, (_, index) => row("2026-11-20", `Rig ${index}`, "MT", 2));
  const view = await upload(kari, workbook({ sheets: [{ rows: HEADER + rows.join("") }] }));
  expect(view).toMatchObject({ count: 5_000, ready: 5_000 });
  const stored = await app.db
    .prepare(
      "SELECT octet_length(content) AS bytes, users.bytes AS counted FROM imports JOIN users ON users.id = user_id WHERE imports.id = ?",
    )
    .bind(view.id)
    .first<{ bytes: number; counted: number }>();
  expect(stored?.counted).toBeGreaterThan(stored?.bytes ?? 0);
});

test("an exported workbook has dates as dates, numbers as numbers and text as it was typed", async () => {
  const kari = await app.register();
  await kari.addEntries([
    anEntry({ date: "2026-11-21", location: "=1+1", hours: 7.25 }),
    anEntry({ date: "2026-11-20", location: "'=A_x000D_ <&>", broughtForward: true }),
  ]);
  const answer = await kari.get("/api/export.xlsx");
  expect([answer.status, answer.trips, answer.headers.get("Content-Type")]).toEqual([200, 1, XLSX_TYPE]);
  expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="ojt-hours-\d{4}-\d\d-\d\d\.xlsx"$/);
  const parts = unzipSync(answer.bytes);
  const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  const cells = [...sheet.matchAll(/<c r="([A-E][1-3])"(?: s="(\d)")?[^>]*>(?:<is><t[^>]*>|<v>)([^<]*)/g)];
  expect(cells.map(([, at, style, value]) => [at, style, value]).slice(5)).toEqual([
    ["A2", "1", "46346"],
    ["B2", "0", "'=A_x005F_x000D_ &lt;&amp;&gt;"],
    ["C2", "0", "MT"],
    ["D2", undefined, "7.5"],
    ["E2", "0", "yes"],
    ["A3", "1", "46347"],
    ["B3", "0", "=1+1"],
    ["C3", "0", "MT"],
    ["D3", undefined, "7.25"],
  ]);
});
