import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decode, type Encoding, encodingSamples, GUESSED, guessEncoding } from "./encodings.ts";
import { chosenUpload, readSource, uploadOfFile } from "./source.ts";

/** The bytes of a text in an encoding, by the characters that its bytes mean; two bytes at most. */
function encode(text: string, encoding: Encoding): Uint8Array {
  const bytesOf = new Map<string, number[]>();
  const firsts = Array.from({ length: 128 }, (_, index) => index + 128);
  const add = (bytes: number[]) => {
    const character = decode(Uint8Array.from(bytes), encoding);
    if ([...character].length === 1 && character !== "\ufffd" && !bytesOf.has(character)) bytesOf.set(character, bytes);
  };
  for (const first of firsts) add([first]);
  if (encoding === "shift_jis")
    for (const first of firsts) for (let second = 0x40; second < 0xfd; second += 1) add([first, second]);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = character <= "\x7f" ? [character.charCodeAt(0)] : bytesOf.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

const PLACES: [Encoding, string[]][] = [
  [
    "windows-1252",
    [
      ...["Kårstø", "Mongstad øst", "Tjøme", "Ålesund", "Nîmes", "Besançon", "La Coruña", "São Paulo", "Peña", "Gävle"],
      ...[
        "Zürich",
        "Größe",
        "Übach-Palenberg",
        "résumé",
        "rig’s deck",
        "12 °C",
        "5 – 6",
        "½ day",
        "Müller & Søn",
        "Weiß",
      ],
    ],
  ],
  [
    "windows-1250",
    [
      ...["Gdańsk", "Łódź", "Płock", "Brno-Líšeň", "Plzeň", "Třinec", "Győr", "Százhalombatta", "Żary", "Košice"],
      ...["Šibenik", "Ploieşti", "Constanţa", "Wrocław", "Čakovec", "Szczecin, Łęknica", "Rafineria Gdańsk; Köln"],
    ],
  ],
  ["windows-1251", ["Сахалин", "ОМСК НПЗ", "Київ", "Бургас", "Усть-Луга", "Београд", "цех 3"]],
  ["shift_jis", ["川崎", "千葉", "東京ガス", "コンビナート", "鹿島", "横浜市鶴見区", "ﾄﾞｯｸ"]],
  [
    "macintosh",
    [
      ...["Köln Müngersdorf", "Kårstø", "São Paulo", "Coruña", "Besançon", "Zürich", "rig’s deck", "été", "Größe"],
      ...["Gävle", "Ålesund", "Nîmes"],
    ],
  ],
];

test.each(PLACES.flatMap(([encoding, places]) => places.map((place) => [encoding, place] as const)))(
  "a file in %s of which %s is the only word is recognized",
  (encoding, place) => {
    const bytes = encode(`Date;Location;Method;Hours\n20.11.2026;${place};MT;7,5\n`, encoding);
    expect(guessEncoding(bytes)).toEqual({ encoding, isLikely: true });
  },
);

test("a file in an encoding that is none of these is read, and said to be doubtful", async () => {
  const inCp850 = Buffer.from("Date;Location;Method;Hours\n20.11.2026;K\x86rst\x9b \x9d\x86;MT;7,5\n", "latin1");
  const { notes } = await readSource(uploadOfFile(inCp850));
  expect(notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^No encoding that this app reads fits this file\. .* some letters are wrong\. Save it as/),
  ]);
});

test("the other encodings are offered with the names of places as they would be", () => {
  const bytes = readFileSync("tests/fixtures/sheets/06-windows-1250.csv");
  const samples = encodingSamples(bytes, "windows-1250", ["Łódź, elektrociepłownia", "Świnoujście", "Gdańsk"]);
  expect(samples.map(({ encoding, sample }) => [encoding, sample])).toMatchObject([
    ["windows-1252", "£ódŸ, elektrociep³ownia, Œwinoujœcie"],
    ["windows-1250", "Łódź, elektrociepłownia, Świnoujście"],
    ["windows-1251", "Јуdџ, elektrociepіownia, Њwinoujњcie"],
    ["shift_jis", expect.any(String)],
    ["macintosh", expect.any(String)],
  ]);
  expect(samples.map(({ encoding }) => encoding)).toEqual(GUESSED);
});

test("another encoding is read from the same bytes; one that is certain cannot be changed", async () => {
  const upload = uploadOfFile(readFileSync("tests/fixtures/sheets/06d-windows-1251.csv"));
  const { table } = await readSource(chosenUpload(upload, { encoding: "windows-1252" }));
  expect(table).toContain("Ñàõàëèí");
  const certain = uploadOfFile(Buffer.from("Date;Location\n2026-11-20;Kårstø\n"));
  expect(certain).toMatchObject({ encoding: "utf-8", content: "Date;Location\n2026-11-20;Kårstø\n" });
  expect(() => chosenUpload(certain, { encoding: "windows-1252" })).toThrow(
    "The encoding of this file is certain: utf-8.",
  );
  expect(() => chosenUpload(certain, { sheet: "2026" })).toThrow("Only a workbook has sheets.");
});
