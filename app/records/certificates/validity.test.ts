import { expect, test } from "vitest";
import type { Certificate } from "./certificate.kind.ts";
import { validityOf } from "./validity.ts";

const aTest = (over: Partial<Certificate>) =>
  ({
    ...{ category: "near_vision", issuedOn: "2026-11-20", expiresOn: null, revokedOn: null },
    ...{ verified: false, status: "pending", ...over },
  }) as Certificate;

// Seen to fail: a test of next month was listed, and counted, as valid.
test.each([
  ["of next month", { issuedOn: "2026-12-24" }, "later", "Valid from 24 Dec 2026"],
  ["of today", { issuedOn: "2026-11-29" }, "valid", "Valid"],
  ["that expires tomorrow", { expiresOn: "2026-11-30" }, "soon", "Expires tomorrow"],
  ["that expired", { expiresOn: "2026-11-28" }, "ended", "Expired yesterday"],
  ["that is revoked", { revokedOn: "2026-11-29" }, "ended", "Revoked 29 Nov 2026"],
] as const)("a test %s", (_, over, group, text) => {
  expect(validityOf(aTest(over), "2026-11-29")).toMatchObject({ group, text });
});
