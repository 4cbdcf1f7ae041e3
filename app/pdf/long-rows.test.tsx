import { extractTextItems } from "unpdf";
import { expect, test } from "vitest";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { search } from "#tests/safe/figures.ts";
import { type FormRecord, makeForm } from "./form.ts";
import { MARGIN, PAPER, SIZE, textWidth, widthsOf } from "./paper.ts";

/* Rows with more than they have room for, read back from the PDF: the library leaves out lines that do not fit. */

const user = { name: "Kari", email: "kari@example.com", employeeNumber: null };
const verified = { id: 1, verified: true, verifiedVia: "mailbox" as const, hours: 99_999 };

async function squeezed(pdf: Uint8Array): Promise<string> {
  const { items } = await extractTextItems(pdf);
  return items
    .flat()
    .map(({ str }) => str)
    .join("")
    .replace(/\s/g, "");
}

const NAME = "Marcus van der Bergenhausen-Hohenzollern-Sigmaringen the Third";
const LONGEST = "department-of-inspection.of-the-north-sea.longcompany.example";

// Catches a last line that is pushed out of its row: of a domain of several lines, the last was not in the PDF.
for (const [typeface, location, run] of [
  ["Latin letters", "Rig", search], // two scripts have their layout, too
  ["two scripts", "Łódź 横浜", test],
] as const) {
  run(`a domain of any length is whole beside any name, in ${typeface}`, async () => {
    const rows = [12, 30, 45, LONGEST.length].flatMap((length) =>
      ["Ola", NAME].map((name, index): FormRecord => {
        // Each is another one, so that none is found in a longer one.
        const domain = `${index}${length}${LONGEST.slice(4 - length)}`.slice(0, length);
        const dates = { date: "2026-11-01", startDate: "2026-11-01", endDate: "2026-11-12" };
        const verifiedBy = `${name} ${length}`;
        return {
          ...verified,
          ...dates,
          id: 2 * length + index,
          method: "MT",
          skills: "Rescue",
          location,
          verifiedBy,
          domain,
        };
      }),
    );
    for (const name of ["ojt", "rope-access-log"] as const) {
      const text = await squeezed(await nodePdf(makeForm(name, user, rows, "2026-11-21")));
      const words = rows.flatMap(({ domain, verifiedBy }) => [domain, verifiedBy].map(String));
      for (const whole of words) expect(text).toContain(whole.replaceAll(" ", ""));
      expect(text.split("99999.0").length - 1).toBeGreaterThanOrEqual(rows.length);
    }
  });
}

test("the notes are whole below any supervisor and any location, in a row of any length", async () => {
  for (const [verifiedBy, name, location] of [
    ["Ola", "Anna", "Rig"],
    [NAME, `${NAME} ${NAME} ${NAME}`, "Łódź 横浜"],
    [`${NAME} ${NAME} ${NAME}`, NAME, "Rig ".repeat(40)],
  ] as const) {
    const verifiedFor = { name, employeeNumber: "E-1" };
    const noted = {
      ...{ verifiedBy, verifiedFor, dayHundredths: 2650, domain: LONGEST, location },
      ...{ createdAt: "2026-11-16T08:00:00Z", verifiedAt: "2027-02-04T08:00:00Z" },
    };
    const entry: FormRecord = { ...verified, date: "2026-11-01", method: "MT", ...noted };
    const text = await squeezed(await nodePdf(makeForm("ojt", user, [entry, { ...entry, id: 2 }], "2026-11-21")));
    // The notes about the supervisor are printed once beside both rows, the notes about the work in each.
    for (const [whole, times] of [
      [`verified for ${name}, E-1`, 1],
      [LONGEST, 1],
      ["26.5 h on this date, more than 24", 2],
      ["logged 15 days later", 2],
    ] as const) {
      expect(text.split(whole.replaceAll(" ", ""))).toHaveLength(times + 1);
    }
  }
});

// Catches a line that the library breaks once more where the font changes, as it does between most Japanese characters:
// the rest of 16 in 60 locations was not in the PDF.
test("a location in Japanese is whole at any length", async () => {
  const text = "千葉県市原市、石油化学工場, 熱交換器二階北側の点検足場および周辺配管の溶接部, 第4格納庫 ".repeat(2);
  const locations = Array.from({ length: 30 }, (_, index) => text.slice(index, 3 * index + 20).trim());
  const rows = locations.map((location, index) => ({
    ...verified,
    id: index,
    hours: 1,
    verifiedBy: "Ola",
    startDate: "2026-11-01",
    endDate: "2026-11-12",
    location,
    skills: "Rescue",
  }));
  const written = await squeezed(await nodePdf(makeForm("rope-access-log", user, rows, "2026-11-21")));
  expect(locations.filter((location) => !written.includes(`${location}Rescue1.0`.replace(/\s/g, "")))).toEqual([]);
});

const OF_200 = {
  Latin: "Inspection of the weld seams on the lower deck, module M12, port side, beside the riser; ",
  Polish: "Zażółć gęślą jaźń: badanie spoin na dolnym pokładzie, źródło światła i ćwiczenia, ",
  Japanese: "北海道の製油所における溶接部の超音波探傷検査、第三配管ラック、東側の足場、",
};

// Catches a value that is cut where a row goes on in its next part, or on the next page.
test.each(Object.entries(OF_200).filter(([script]) => process.env.SAFE || script !== "Polish"))(
  "200 characters in every field of the detailed log are whole in their column, in %s, and every page has the heads",
  async (_script, words) => {
    const of200 = words.repeat(6).slice(0, 199).trim();
    const names = ["employer", "jobNumber", "technique", "sector", "testObject", "procedure", "equipment", "note"];
    const details = Object.fromEntries(names.map((name) => [name, of200]));
    const row = { ...verified, date: "2026-11-01", method: "MT", location: of200, verifiedBy: "Ola", details };
    const form = makeForm("detailed-log", user, [row, { ...row, id: 2 }, { ...row, id: 3 }], "2026-11-21");
    const { items } = await extractTextItems(await nodePdf(form));
    const { dates, hours, supervisor } = widthsOf("detailed-log");
    const width = textWidth(form);
    expect(dates + 4 * width + hours + supervisor).toBeCloseTo(PAPER.width - 2 * MARGIN);
    const columns = ["", "", "", ""];
    // The text above and below the rows is larger or smaller, and a line of sums begins left of the texts.
    for (const { str, x } of items.flat().filter(({ fontSize }) => Math.abs(fontSize - SIZE) < 0.1)) {
      const column = Math.floor(((x / 72) * 25.4 - MARGIN - dates) / width);
      if (columns[column] !== undefined) columns[column] += str.replace(/\s/g, "");
    }
    const counts = columns.map((text) => text.split(of200.replace(/\s/g, "")).length - 1);
    expect(counts).toEqual([9, 9, 6, 3]);
    for (const page of items) {
      const text = page.map(({ str }) => str).join(" ");
      for (const head of ["Method and Object", "Procedure and Role", "Supervisor"]) expect(text).toContain(head);
    }
  },
);
