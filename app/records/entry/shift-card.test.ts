import fc from "fast-check";
import { expect, test } from "vitest";
import { METHODS } from "#app/db/enumerations.ts";
import { qrPath } from "#app/ui/qr-path.server.ts";
import { numbersFrom, type Picture, readCodes, withNoise, withoutSpecks } from "#tests/qr/bad-copy.ts";
import { CARD_MAX, type Card, cardText, readCard, UNKNOWN, writeCard } from "./shift-card.ts";

/* The text of a shift card, and its code. A card is text that a stranger wrote. */

const today = "2026-11-29";
const read = (text: string) => readCard(text, { today, own: "mia@example.com" });

const CARD: Card = {
  job: { date: today, location: "Quay 5, Ågotnes", method: "UT_THK", jobNumber: "J-2231" },
  supervisor: {
    name: "Ola Hansen",
    email: "ola@example.org",
    phone: "+47 555 01 234",
    certificationLevel: "Level III",
    company: "Fjord Inspection AS",
  },
};

test("a card that was written is read as it was", () => {
  const { text, left } = writeCard(CARD, CARD_MAX, today);
  expect(left).toEqual([]);
  expect(read(text)).toEqual({ ...CARD, left: [] });
});

test("a card says what was left out, and keeps what is right", () => {
  for (const [text, left] of [
    ["d=2027-11-29", "date"],
    ["d=2026-02-30", "date"],
    ["d=0026-11-29", "date"],
    ["d=tomorrow", "date"],
    ["m=XYZ", "method"],
    ["m=", "method"],
    ["p2=Elsewhere", UNKNOWN],
    ["p=Elsewhere", UNKNOWN],
    ["hours=12", UNKNOWN],
    ["__proto__=x", UNKNOWN],
    ["constructor=x", UNKNOWN],
    ["e=ola", "supervisor"],
    ["l=Level+IX", "supervisor"],
    [`j=${"x".repeat(201)}`, "job number"],
  ] as const) {
    expect([text, read(`p=Quay+5&${text}`)]).toEqual([
      text,
      { job: { location: "Quay 5" }, supervisor: {}, left: [left] },
    ]);
  }
});

test("of a card of 10 kB nothing is used", () => {
  expect(read(`p=Quay&j=${"x".repeat(10_000)}`)).toEqual({ job: {}, supervisor: {}, left: [UNKNOWN] });
});

test("a supervisor with the reader's own address is left out", () => {
  expect(read("p=Quay&s=Ola&e=Mia%40Example.com")).toEqual({
    job: { location: "Quay" },
    supervisor: {},
    left: ["supervisor"],
  });
});

test("markup is text", () => {
  expect(read("p=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E").job.location).toBe("<img src=x onerror=alert(1)>");
});

test("the sentences name the supervisor and what was left out", () => {
  expect(cardText(read("p=Quay&s=Ola+Hansen&e=ola@example.org&m=XYZ&x=1"))).toBe(
    `From a shift card: look at what is filled in, and type your hours. Supervisor: Ola Hansen, ola@example.org. Left out, as it cannot be used: method, ${UNKNOWN}.`,
  );
});

test("what has no room is left out from the end, and the place stays", () => {
  const { text, left } = writeCard({ ...CARD, job: { ...CARD.job, jobNumber: "漢".repeat(30) } }, 200, today);
  expect(text.length).toBeLessThanOrEqual(200);
  expect(read(text).job).toEqual({ date: today, location: "Quay 5, Ågotnes", method: "UT_THK" });
  expect(left).toContain("job number");
});

test("whatever is written is read as it was, and never longer than its room", () => {
  const line = fc.string({ unit: "binary", maxLength: 60 });
  const anything = fc.record({
    job: fc.record({ location: line, jobNumber: line, method: fc.constantFrom(...METHODS) }),
    supervisor: fc.record({ name: line, phone: line, company: line }),
  });
  fc.assert(
    fc.property(anything, fc.integer({ min: 20, max: 280 }), (card, room) => {
      const { text } = writeCard(card, room, today);
      expect(text.length).toBeLessThanOrEqual(room);
      const first = read(text);
      expect(first.left).toEqual([]);
      expect(writeCard(first, room, today).text).toBe(text);
    }),
  );
});

test("whatever is read can be typed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 320 }), (text) => {
      const { job, supervisor } = read(text);
      expect(writeCard({ job, supervisor }, 10_000, today).left).toEqual([]);
    }),
  );
});

/** Dark modules of `side` pixels each, as a screen shows them. */
function drawn({ size, path }: { size: number; path: string }, side: number): Picture {
  const width = size * side;
  const pixels = new Uint8Array(width * width).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let row = Number(y) * side; row < (Number(y) + 1) * side; row++) {
      pixels.fill(0, row * width + Number(x) * side, row * width + (Number(x) + Number(length)) * side);
    }
  }
  return { width, height: width, pixels };
}

test("the code of the longest link has version 13 at most, and is read with wrong pixels", async () => {
  const random = numbersFrom(7);
  const link = `https://hours.example.com/shift#p=${"Quay+5%2C".repeat(40)}`.slice(0, CARD_MAX);
  const qr = qrPath(link);
  // Version 13 has 69 modules a side, and four of white at each end.
  expect(qr.size).toBeLessThanOrEqual(69 + 8);
  expect(await readCodes(withoutSpecks(withNoise(drawn(qr, 4), random)))).toEqual([link]);
});
