import { expect, test } from "vitest";
import { experienceForm } from "./form.ts";
import { typefaceFor } from "./typeface.ts";

function typefaceOf(location: string) {
  const entry = {
    id: 1,
    date: "2026-11-21",
    method: "MT" as const,
    hours: 8,
    verified: true,
    verifiedBy: "Ola Hansen",
  };
  const user = { name: "Kari Nordmann", email: "kari@example.com", employeeNumber: "NDT-7" };
  return typefaceFor(experienceForm(user, [{ ...entry, location }], "2026-11-21"));
}

const fontsOf = async (location: string) =>
  (await typefaceOf(location)).files.map(({ src }) => /([\w-]+)-400-normal\.woff$/.exec(src)?.[1]);

test("western European text needs no font file", async () => {
  for (const text of ["Mongstad", "Łódź".replace(/[Łź]/g, ""), "Ålesund, Übersee: “quai” n° 5 – 20 €"]) {
    expect(await typefaceOf(text)).toMatchObject({ stack: ["Helvetica"], files: [] });
  }
});

test("a log gets only the font files that its characters need", async () => {
  expect(await fontsOf("Πειραιάς")).toEqual(["noto-sans-greek", "noto-sans-latin"]);
  expect(await fontsOf("Новороссийск")).toEqual(["noto-sans-cyrillic", "noto-sans-latin"]);
  expect(await fontsOf("Łódź")).toEqual(["noto-sans-latin-ext", "noto-sans-latin"]);
  expect(await fontsOf("横浜")).toEqual(
    expect.arrayContaining(["noto-sans-latin", expect.stringMatching(/^biz-udpgothic-\d+$/)]),
  );
});

test("a text gets only the families that its own characters need", async () => {
  const { stackFor } = await typefaceOf("Łódź Πειραιάς 横浜");
  expect(stackFor("8.5")).toEqual(["noto-sans-latin-400-normal"]);
  expect(stackFor("Łódź")).toEqual(["noto-sans-latin-ext-400-normal", "noto-sans-latin-400-normal"]);
  expect(stackFor("")).toHaveLength(1);
});

test("a character that no font has becomes one question mark, however many code points it has", async () => {
  const { legible, files } = await typefaceOf("Rig 🚀 Alpha 👩🏽‍🏭");
  expect(legible("Rig 🚀 Alpha 👩🏽‍🏭")).toBe("Rig ? Alpha ?");
  expect(files).not.toHaveLength(0);
});

test("characters that are invisible or change the direction of text are left out", async () => {
  const { legible } = await typefaceOf("Mongstad");
  expect(legible("Mong\u202estad\nunit\u00004")).toBe("Mongstad unit 4");
});

test("a combining accent is drawn with its letter", async () => {
  const { legible } = await typefaceOf("Rene\u0301");
  expect(legible("Rene\u0301")).toBe("Ren\u00e9");
});
