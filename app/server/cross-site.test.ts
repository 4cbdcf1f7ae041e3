import { expect, test } from "vitest";
import { isCrossSite } from "./request-line.ts";

/*
 * The cases of Go's net/http TestCrossOriginProtection, for a request to http://hours.example. Catches a rule that
 * trusts `Origin` over `Sec-Fetch-Site`, allows `same-site`, or refuses clients that are not browsers.
 */
const RULE: [name: string, method: string, headers: Record<string, string>, crossSite: boolean][] = [
  ["same-origin by Sec-Fetch-Site", "POST", { "Sec-Fetch-Site": "same-origin" }, false],
  ["typed by the person", "POST", { "Sec-Fetch-Site": "none" }, false],
  ["cross-site by Sec-Fetch-Site", "POST", { "Sec-Fetch-Site": "cross-site" }, true],
  ["another host of the same site", "POST", { "Sec-Fetch-Site": "same-site" }, true],
  ["an unknown Sec-Fetch-Site", "POST", { "Sec-Fetch-Site": "galaxy" }, true],
  ["an empty Sec-Fetch-Site", "POST", { "Sec-Fetch-Site": "" }, true],
  ["no header: no browser", "POST", {}, false],
  ["Origin of our own host", "POST", { Origin: "http://hours.example" }, false],
  ["Origin of our own host by https, where a proxy ends it", "POST", { Origin: "https://hours.example" }, false],
  ["Origin of another host", "POST", { Origin: "https://attacker.example" }, true],
  ["Origin of another port", "POST", { Origin: "http://hours.example:8080" }, true],
  ["Origin of a host below ours", "POST", { Origin: "http://x.hours.example" }, true],
  ["Origin null", "POST", { Origin: "null" }, true],
  ["Origin that is no origin", "POST", { Origin: "hours.example" }, true],
  ["an empty Origin", "POST", { Origin: "" }, true],
  [
    "Sec-Fetch-Site before Origin: refused",
    "POST",
    { "Sec-Fetch-Site": "cross-site", Origin: "http://hours.example" },
    true,
  ],
  [
    "Sec-Fetch-Site before Origin: allowed",
    "POST",
    { "Sec-Fetch-Site": "same-origin", Origin: "https://attacker.example" },
    false,
  ],
  ["a Host that a client claims", "POST", { Origin: "https://a.example", "X-Forwarded-Host": "a.example" }, true],
  ["GET changes nothing", "GET", { "Sec-Fetch-Site": "cross-site" }, false],
  ["HEAD changes nothing", "HEAD", { "Sec-Fetch-Site": "cross-site" }, false],
  ["OPTIONS changes nothing", "OPTIONS", { "Sec-Fetch-Site": "cross-site" }, false],
  ["PUT", "PUT", { "Sec-Fetch-Site": "cross-site" }, true],
  ["PATCH", "PATCH", { Origin: "https://attacker.example" }, true],
  ["DELETE", "DELETE", { "Sec-Fetch-Site": "cross-site" }, true],
];

for (const [name, method, headers, crossSite] of RULE) {
  test(`${name}: ${crossSite ? "refused" : "passes"}`, () => {
    expect(isCrossSite(new Request("http://hours.example/api/entries", { method, headers }), undefined)).toBe(
      crossSite,
    );
  });
}

test("with a configured origin only that origin passes, whatever the Host", () => {
  const from = (origin: string) =>
    isCrossSite(
      new Request("http://10.0.0.7:8787/", { method: "POST", headers: { Origin: origin } }),
      "https://hours.example/",
    );
  expect(from("https://hours.example")).toBe(false);
  expect(from("http://hours.example")).toBe(true);
  expect(from("http://10.0.0.7:8787")).toBe(true);
  expect(from("null")).toBe(true);
});
