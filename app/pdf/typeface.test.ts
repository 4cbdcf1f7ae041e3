import { expect, test } from "vitest";
import { makeForm } from "./form.ts";
import { loadTypeface } from "./typeface.ts";

/** The typeface of a form with one location, which a technician of this name has exported. */
function typefaceOf(location: string, name = "Kari Nordmann") {
  const entry = {
    id: 1,
    date: "2026-11-21",
    method: "MT" as const,
    hours: 8,
    verified: true,
    verifiedBy: "Ola Hansen",
  };
  const user = { name, email: "kari@example.com", employeeNumber: "NDT-7" };
  return loadTypeface(makeForm("ojt", user, [{ ...entry, location }], "2026-11-21"), process.cwd());
}

/** The runs of a location, each with the parts of its family. */
async function runsOf(location: string): Promise<[text: string, ...parts: string[]][]> {
  const { regular } = await typefaceOf(location);
  return regular.runsOf(regular.legible(location)).map(({ text, fontFamily }) => [text, ...fontFamily]);
}

const legible = async (location: string) => (await typefaceOf(location)).regular.legible(location);

test.each([
  ["Ålesund, Übersee: “quai” n° 5 – 20 €", "noto-sans-latin"],
  ["Łódź, żółta śluza", "noto-sans-latin-ext", "noto-sans-latin"],
  ["Šibenik, Đakovo, Čačak", "noto-sans-latin-ext", "noto-sans-latin"],
  ["Πειραιάς, ναυπηγείο 4", "noto-sans-greek", "noto-sans-latin"],
  ["Новороссийск, причал №5", "noto-sans-cyrillic", "noto-sans-latin"],
  ["Cần Thơ", "noto-sans-latin", "noto-sans-vietnamese"],
])("everything in %s is of one family, in as few files as have its characters", async (location, ...parts) => {
  const runs = await runsOf(location);
  expect(runs.map(([text]) => text)).toEqual([location]);
  expect(runs[0]?.slice(1).sort()).toEqual([...parts].sort());
});

// Catches a figure that is set in another family than the word that it is in.
test("the family changes between words, not within one", async () => {
  const runs = await runsOf("第4格納庫、北側3F Hangar 4, 横浜 B棟");
  expect(runs.map(([text, part]) => [text, part?.replace(/-(\d+|latin)$/, "")])).toEqual([
    ["第4格納庫、北側3F ", "biz-udpgothic"],
    ["Hangar 4, ", "noto-sans"],
    ["横浜 B棟", "biz-udpgothic"],
  ]);
});

test("a letter with a mark that no single character has is set in one file, and is a box if none has both", async () => {
  expect(await runsOf("е\u0301ж x")).toEqual([
    ["е\u0301", "noto-sans-cyrillic"],
    ["ж x", "noto-sans-cyrillic", "noto-sans-latin"],
  ]);
  expect(await legible("x\u030c")).toBe("□");
  expect(await legible("\u0301b")).toBe("□b");
});

test("a name has the bold files of its characters", async () => {
  const { bold } = await typefaceOf("Mongstad", "Łucja Παπά 鈴木");
  expect(bold.weight).toBe(700);
  expect(bold.legible("Łucja Παπά 鈴木")).toBe("Łucja Παπά 鈴木");
  expect(bold.runsOf("Łucja Παπά 鈴木").map(({ text }) => text)).toEqual(["Łucja Παπά ", "鈴木"]);
});

test.each([
  ["an emoji of several code points", "Rig 🚀 Alpha 👩🏽‍🏭 🇵🇱 1\ufe0f\u20e3", "Rig □ Alpha □ □ □"],
  ["letters that are written from right to left", "عمر X משה", "□□□ X □□□"],
  ["a script that is not set", "प्रयागराज 서울", "□□□□□ □□"],
  // Catches a font that is believed to have every character of its range: the range of a file has 侍 and 𠮷.
  ["an ideograph outside the font", "侍𠮷野家 东京", "侍□野家 □京"],
  ["a character of no meaning", "\ue000\ud800x", "□□x"],
])("%s is one box for each character", async (_, location, shown) => {
  const typeface = await typefaceOf(location);
  expect(typeface.regular.legible(location)).toBe(shown);
  expect(typeface.hasBoxes).toBe(true);
});

test("a form whose characters all are in its fonts has no boxes", async () => {
  expect((await typefaceOf("Łódź ≥ 10 mm ※ ﾊﾞﾙﾌﾞ カ\u3099ラス")).hasBoxes).toBe(false);
});

test("characters that are invisible or change the direction of text are left out", async () => {
  expect(await legible("Mong\u202estad\nunit\u00004 A\u200dB\u00adC")).toBe("Mongstad unit 4 ABC");
});

test("a combining accent is drawn with its letter", async () => {
  expect(await legible("Rene\u0301")).toBe("Ren\u00e9");
});

test("a space or hyphen of another kind is drawn as the plain one, in names too", async () => {
  for (const space of "\u00a0\u1680\u2000\u2002\u2007\u2009\u200a\u202f\u205f\u3000") {
    const { regular, bold, hasBoxes } = await typefaceOf(`Hall${space}7`, `Anna${space}Berg`);
    expect([regular.legible(`Hall${space}7`), bold.legible(`Anna${space}Berg`), hasBoxes]).toEqual([
      "Hall 7",
      "Anna Berg",
      false,
    ]);
  }
  expect(await legible("A\u20101\u20112\u20123")).toBe("A-1-2-3");
});

test.each([
  ["⌀ 60,3 pipe", "Ø 60,3 pipe"],
  ["⅛ ⅜ ⅝ ⅞ ⅓ plate", "1/8 3/8 5/8 7/8 1/3 plate"],
  ["7⅜″ and 7½″", "7 3/8″ and 7½″"],
  ["CO₂, H₂O", "CO2, H2O"],
  ["10⁻⁶ mbar·l, 5 mm², x¹⁰", "10^-6 mbar·l, 5 mm², x^10"],
  ["∆T 5 K, 3⋅4", "ΔT 5 K, 3·4"],
])("signs of an inspector that no font has are written in another way: %s", async (typed, shown) => {
  const { regular, hasBoxes } = await typefaceOf(typed);
  expect([regular.legible(typed), hasBoxes]).toEqual([shown, false]);
});
