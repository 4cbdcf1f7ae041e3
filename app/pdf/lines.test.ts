import { extractTextItems } from "unpdf";
import { expect, test } from "vitest";
import { experienceForm } from "./form.ts";
import { withLineEnds } from "./line-ends.ts";
import { nodePdf } from "./node-pdf.tsx";

/** Returns the lines of a column as texts; `from` and `to` are the column's edges in points. */
async function linesOf(locations: string[], from: number, to: number): Promise<string[]> {
  const entries = locations.map((location, index) => ({
    ...{ id: index + 1, date: "2026-11-20", location, method: "MT" as const, hours: 8 },
    ...{ verified: true, verifiedBy: "Włodzimierz Brzęczyszczykiewicz" },
  }));
  const user = { name: "Kari", email: "kari@example.com", employeeNumber: null };
  const { items } = await extractTextItems(await nodePdf(experienceForm(user, entries, "2026-11-21")));
  const lines = new Map<string, string>();
  for (const [page, pieces] of items.entries()) {
    for (const { str, x, y } of pieces) {
      const line = `${page} ${Math.round(y)}`;
      if (x >= from && x < to) lines.set(line, (lines.get(line) ?? "") + str);
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
  const lines = await linesOf(locations, 100, 338);
  const words = lines.filter((line) => line !== "Job Location").flatMap((line) => line.split(/\s+/));
  expect(lines.length).toBeGreaterThan(2 * locations.length);
  expect(new Set(words.filter((word) => !/^x*$/.test(word)))).toEqual(new Set(text.split(" ")));
});

const mark = (text: string, room: number) =>
  withLineEnds(text, (part) => part.length <= room).replaceAll("\u00ad", "|");

test("a text that fits is not changed", () => {
  expect(mark("AREA-51/UNIT-7 東京都", 20)).toBe("AREA-51/UNIT-7 東京都");
});

test("a line may break after dashes and slashes of a long word, and anywhere in a word too long for a line", () => {
  expect(mark("AREA-51/UNIT-7/PIPE at Płock", 20)).toBe("AREA-|51/|UNIT-|7/|PIPE at Płock");
  expect(mark("Konstantynopol-WWWWWWWWWW", 8)).toBe("K|o|n|s|t|a|n|t|y|n|o|p|o|l|-|W|W|W|W|W|W|W|W|W|W");
});

test("a line may break anywhere in a script without spaces", () => {
  expect(mark("横浜市 unit 7", 4)).toBe("横|浜|市 unit 7");
});
