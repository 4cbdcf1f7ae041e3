import { expect, test } from "vitest";
import { recordHash } from "#app/records/record-hash.server.ts";
import { aCertificate } from "#tests/worker/people.ts";
import { type Certificate, certificateKind, certificateSchema } from "./certificate.kind.ts";
import { continuityOf, continuityText, type WorkedMonth } from "./continuity.ts";
import { longTermText } from "./terms.ts";
import { validityOf } from "./validity.ts";

const month = (first: string, last = first, method: WorkedMonth["method"] = "UTSW"): WorkedMonth => ({
  method,
  first,
  last,
});

test("continuity has the last verified day, the months with work since the issue, and the longest gap", () => {
  const table: [WorkedMonth[], string, string, object][] = [
    [[], "2026-01-01", "2026-03-02", { last: null, months: 0, gap: 60 }],
    [[month("2025-12-01")], "2026-01-01", "2026-01-31", { last: null, months: 0, gap: 30 }],
    [[month("2026-01-05", "2026-01-30")], "2026-01-01", "2026-02-01", { last: "2026-01-30", months: 1, gap: 4 }],
    [
      [month("2026-05-10", "2026-05-20"), month("2026-02-01", "2026-02-03")],
      "2026-01-01",
      "2026-06-01",
      { last: "2026-05-20", months: 2, gap: 96 },
    ],
    // The month of the issue counts from that day, two methods of a month are one month, and work after the end is none.
    [
      [month("2026-01-01", "2026-01-20"), month("2026-01-10", "2026-01-12", "UT")],
      "2026-01-15",
      "2026-01-18",
      { last: "2026-01-18", months: 1, gap: 0 },
    ],
  ];
  for (const [worked, from, until, expected] of table) expect(continuityOf(worked, from, until)).toEqual(expected);
});

const certificate = (over: object = {}) =>
  ({
    ...certificateSchema.parse(aCertificate(over)),
    id: 1,
    verified: true,
    status: "verified",
  }) as unknown as Certificate;

test("a technique is work in its method, and rope access is counted in rope hours", () => {
  const worked = [
    month("2026-03-02", "2026-03-20"),
    month("2026-04-01", "2026-04-02", "MT"),
    month("2026-05-05", "2026-05-09", null),
  ];
  const text = (over: object) => continuityText(certificate(over), worked, "2026-06-01");
  expect(text({ method: "UT" })).toBe(
    "Verified UT work in 1 month since it was issued, last on 20 Mar 2026, longest gap 73 days",
  );
  expect(text({ method: "PT" })).toBe("No verified PT work since it was issued");
  expect(text({ method: null, standard: "IRATA International" })).toMatch(
    /^Verified rope access in 1 month .* last on 9 May 2026/,
  );
  expect(text({ method: null, standard: "ISO 9712" })).toBeNull();
  expect(text({ issuedOn: "2026-07-01" })).toBeNull();
  expect(text({ method: "UT", revokedOn: "2026-03-10", revokedReason: "Employment ended" })).toMatch(
    /last on 10 Mar 2026$/,
  );
});

test("a term longer than the scheme's is asked about, and its last day may be the day of issue some years later", () => {
  const table: [object, boolean][] = [
    [{ issuedOn: "2026-02-01", expiresOn: "2031-02-01" }, false],
    [{ issuedOn: "2026-02-01", expiresOn: "2031-02-02" }, true],
    [{ issuedOn: "2026-02-01", expiresOn: null }, false],
    [{ standard: "SPRAT", issuedOn: "2026-02-01", expiresOn: "2029-02-02" }, true],
    [{ standard: "IRATA", issuedOn: "2026-02-01", expiresOn: "2029-01-31" }, false],
    [{ category: "near_vision", issuedOn: "2026-02-01", expiresOn: "2027-02-02" }, true],
    [{ category: "near_vision", issuedOn: "2024-02-29", expiresOn: "2025-02-28" }, false],
    [{ category: "colour_vision", issuedOn: "2026-02-01", expiresOn: "2031-02-02" }, true],
    [{ category: "other", issuedOn: "2026-02-01", expiresOn: "2096-02-02" }, false],
    [{ category: "examination", issuedOn: "2026-02-01", expiresOn: "2096-02-02" }, false],
  ];
  for (const [over, isAsked] of table) {
    const text = longTermText({ ...certificate(), ...over });
    expect([over, text !== null]).toEqual([over, isAsked]);
  }
  expect(longTermText(certificate({ expiresOn: "2036-01-31" }))).toBe(
    "It expires on 31 Jan 2036, and a certificate of this scheme is valid for 5 years at most. Is the date right?",
  );
});

const messages = (over: object) =>
  certificateSchema.safeParse(aCertificate(over)).error?.issues.map(({ path, message }) => `${path}: ${message}`) ?? [];

test("basis, scope and a revocation belong to a certificate, and how eyes were tested to a vision test", () => {
  const vision = { category: "near_vision", method: null, level: null };
  const table: [object, string[]][] = [
    [{ basis: "body", scope: "TOFD, welds in pipes", revokedOn: "2026-05-02", revokedReason: "Left" }, []],
    [{ scope: "x".repeat(201) }, ["scope: Scope must be at most 200 characters"]],
    [{ basis: "school" }, ["basis: Certified by must be one of employer, body"]],
    [{ revokedOn: "2026-05-02" }, ["revokedReason: Reason is required for a certificate that was revoked"]],
    [{ revokedReason: "Left" }, ["revokedOn: Revoked on is required with a reason"]],
    [{ revokedOn: "2026-01-31", revokedReason: "Left" }, ["revokedOn: Revoked on must not be before Issued on"]],
    [{ distance: "40 cm" }, ["distance: Distance is not part of a certificate: leave it empty"]],
    [{ ...vision, distance: "40 cm", corrected: "yes", administeredBy: "Ann, optometrist" }, []],
    [{ ...vision, basis: "body" }, ["basis: Certified by is not part of a vision test: leave it empty"]],
    [
      { category: "examination", part: "general", revokedOn: "2026-05-02", revokedReason: "Left" },
      [
        "revokedOn: Revoked on is not part of an examination: leave it empty",
        "revokedReason: Reason is not part of an examination: leave it empty",
      ],
    ],
  ];
  for (const [over, expected] of table) expect([over, messages(over)]).toEqual([over, expected]);
});

test("a certificate is revoked from its day on, whatever its end, and its hash stays the same", () => {
  const of = (today: string) => validityOf(certificate({ revokedOn: "2026-05-02", revokedReason: "Left" }), today).text;
  expect([of("2026-05-01"), of("2026-05-02"), of("2032-01-01")]).toEqual([
    "Valid",
    ...Array(2).fill("Revoked 2 May 2026"),
  ]);
  const hashed = (over: object) =>
    recordHash(certificateKind, { ...certificate(over), id: 1, owner: "00", createdAt: new Date(0) });
  expect(hashed({ revokedOn: "2026-05-02", revokedReason: "Left" })).toBe(hashed({}));
  expect(hashed({ scope: "TOFD" })).not.toBe(hashed({}));
});
