import { expect, test } from "vitest";
import { thanksMessage, type VerifiableRecord, verificationId, verificationOf } from "./record.ts";

const at = new Date("2026-11-21T10:00:00.123Z");
const token = "34d48510-8a60-472e-8948-2103d894d557";

const verification: Pick<
  VerifiableRecord["record"],
  "verified" | "verifiedBy" | "verifiedAt" | "verifiedVia" | "confirmedAt" | "status" | "createdAt" | "details"
> = {
  verified: true,
  verifiedBy: "Ola Hansen",
  verifiedAt: at,
  verifiedVia: "link",
  confirmedAt: null,
  status: "verified",
  createdAt: at,
  details: {},
};
const entry: VerifiableRecord = {
  kind: "entry",
  user: { name: "Kari", employeeNumber: null },
  record: { id: 1, date: "2026-11-20", location: "Mongstad", method: "MT", hours: 8, ...verification },
};
const ropeHour: VerifiableRecord = {
  kind: "rope_hour",
  user: { name: "Kari", employeeNumber: null },
  record: {
    id: 1,
    startDate: "2026-11-19",
    endDate: "2026-11-20",
    location: "Mongstad",
    skills: "Rescue",
    hours: 8,
    ...verification,
  },
};

test("a verification ID is VER-, the last 8 digits of the time in milliseconds, and the token's first 5 characters", () => {
  expect(at.getTime()).toBe(1795255200123);
  expect(verificationId(token, at)).toBe("VER-55200123-34D48");
  expect(verificationId("abcdef00-0000-4000-8000-000000000000", new Date(1700000000042))).toBe("VER-00000042-ABCDE");
});

test("both kinds of records have a verifier and a time once they are verified", () => {
  expect(verificationOf(entry.record)).toEqual({ by: "Ola Hansen", at });
  expect(verificationOf(ropeHour.record)).toEqual({ by: "Ola Hansen", at });
  const open = { ...entry.record, verified: false, verifiedBy: null, verifiedAt: null };
  expect(verificationOf(open)).toBeNull();
});

test("the message of thanks names the kind of hours", () => {
  expect(thanksMessage(entry)).toBe("Thank you for verifying these OJT hours.");
  expect(thanksMessage(ropeHour)).toBe("Thank you for verifying these rope hours.");
});
