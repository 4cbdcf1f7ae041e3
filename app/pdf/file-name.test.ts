import { expect, test } from "vitest";
import { fileName } from "#app/pdf/save-pdf.client.ts";

const nameIn = (name: string | null) => /^OJT_Log_(.*)_2026-11-21\.pdf$/.exec(fileName("ojt", name, "2026-11-21"))?.[1];

test("the file is named after the technician and the date", () => {
  expect(fileName("ojt", "Kari Nordmann", "2026-11-21")).toBe("OJT_Log_Kari Nordmann_2026-11-21.pdf");
});

test("without a name the file is named after User", () => {
  for (const name of [null, "", "   ", "...", "///", "\u202e"]) expect(nameIn(name)).toBe("User");
});

test("characters that Windows, macOS or Linux refuse are left out", () => {
  expect(nameIn('a<b>c:d"e/f\\g|h?i*j')).toBe("a b c d e f g h i j");
  expect(nameIn("tab\tnew\nline\u0000nul\u007fdel")).toBe("tab new line nul del");
  expect(nameIn("../../etc/passwd")).toBe("etc passwd");
});

test("characters that reverse or hide part of the name are left out", () => {
  expect(nameIn("Kari\u202efdp.exe")).toBe("Kari fdp.exe");
  expect(nameIn("Ka\u200bri")).toBe("Ka ri");
});

test("dots and spaces at either end are left out", () => {
  expect(nameIn(" .Kari Nordmann Jr.. ")).toBe("Kari Nordmann Jr");
});

test("letters of every script are kept", () => {
  for (const name of ["Łukasz Żółć", "Γιώργος Παπαδόπουλος", "Юлия Щукина", "山田太郎", "김민준", "عمر"]) {
    expect(nameIn(name)).toBe(name);
  }
});

test("a combining accent is composed with its letter", () => {
  expect(nameIn("Rene\u0301")).toBe("Ren\u00e9");
});

test("an emoji is kept whole or left out", () => {
  expect(nameIn("Kari 🚀")).toBe("Kari 🚀");
  expect(nameIn("\ud83d")).toBe("User");
});

test("a long name is cut between characters, and the whole stays under 255 bytes", () => {
  for (const name of ["x".repeat(500), "山".repeat(200), "🚀".repeat(200)]) {
    expect(new TextEncoder().encode(fileName("ojt", name, "2026-11-21")).length).toBeLessThan(255);
    expect(nameIn(name)).toMatch(/^(x+|山+|(🚀)+)$/u);
  }
});
