import { extractTextItems } from "unpdf";
import { expect, test } from "vitest";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { makeForm } from "./form.ts";
import { linesOf } from "./lines.ts";

/** The highest line of the footer, in points from the bottom of the page. */
const FOOTER = 70;

/** Returns the lines of a column as texts; `from` and `to` are the column's edges in points. */
async function linesInColumn(locations: string[], from: number, to: number): Promise<string[]> {
  const entries = locations.map((location, index) => ({
    id: index + 1,
    date: "2026-11-20",
    location,
    method: "MT" as const,
    hours: 8,
    verified: true,
    verifiedBy: "Włodzimierz Brzęczyszczykiewicz",
  }));
  const user = { name: "Kari", email: "kari@example.com", employeeNumber: null };
  const { items } = await extractTextItems(await nodePdf(makeForm("ojt", user, entries, "2026-11-21")));
  const lines = new Map<string, string>();
  for (const [page, pieces] of items.entries()) {
    for (const { str, x, y } of pieces) {
      const line = `${page} ${Math.round(y)}`;
      if (x >= from && x < to && y > FOOTER) lines.set(line, (lines.get(line) ?? "") + str);
    }
  }
  return [...lines.values()].map((line) => line.trim());
}

// Catches a line break, and a hyphen that the font lacks, where a word changes from one font file to another.
test.each([
  ["Polish", "Zażółć gęślą jaźń, żółwiątko, łączność bezpieczeństwo"],
  ["Greek", "Διυλιστήριο Ελευσίνας, μονάδα υδρογονοεπεξεργασίας, ᾠδή"],
  ["Russian", "Новороссийск, нефтеналивной терминал, причал №5, резервуар"],
  ["Vietnamese", "Nhà máy dầu khí Dung Quất, thiết trao đổi nhiệt số ba"],
  ["English", "hydrodesulphurization of naphtha, countercurrent, thermocouple"],
])("no line breaks inside a word that fits on one line, in %s", async (_, text) => {
  // A longer first word moves the line break across the words that follow.
  const locations = Array.from({ length: 10 }, (_, index) => `${"x".repeat(index + 1)} ${text}`);
  const lines = await linesInColumn(locations, 100, 312);
  const words = lines.flatMap((line) => line.split(/\s+/));
  expect(lines.length).toBeGreaterThan(2 * locations.length);
  const whole = text.split(" ").map((word) => [word, words.filter((one) => one === word).length]);
  expect(whole).toEqual(text.split(" ").map((word) => [word, locations.length]));
});

const divided = (text: string, room: number) => linesOf(text, (part) => part.length, room);

test("a text that fits is one line", () => {
  expect(divided("AREA-51/UNIT-7 東京都", 20)).toEqual(["AREA-51/UNIT-7 東京都"]);
});

test("a line ends at a space, or after the dashes, dots and slashes of a long word", () => {
  expect(divided("AREA-51/UNIT-7/PIPE at Płock", 12)).toEqual(["AREA-51/", "UNIT-7/PIPE ", "at Płock"]);
  expect(divided("department.subdomain.example", 12)).toEqual(["department.", "subdomain.", "example"]);
});

test("a word that is wider than a line is broken anywhere, a script without spaces too", () => {
  expect(divided("Konstantynopol-WWWWWWWWWW", 8)).toEqual(["Konstant", "ynopol-W", "WWWWWWWW", "W"]);
  expect(divided("横浜市 unit 7", 4)).toEqual(["横浜市 ", "unit ", "7"]);
});

test("the lines together are the text, and none has more than its room besides a space", () => {
  for (const text of ["W".repeat(200), " two  spaces ", "", "Rig 🚀 Alpha 👩🏽‍🏭 عمر", "rope-to-rope ".repeat(30)]) {
    const lines = divided(text, 17);
    expect(lines.join("")).toBe(text);
    for (const line of lines) expect(line.trimEnd().length).toBeLessThanOrEqual(17);
  }
});
