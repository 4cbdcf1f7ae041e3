import { expect, test } from "vitest";
import { readClient } from "./client-address.server.ts";

/** Returns a request with these headers. */
function from(headers: Record<string, string>): Request {
  return new Request("https://hours.example.com/", { headers });
}

const BEHIND_PROXY = { TRUST_PROXY: "1" };

test("the address comes from Cloudflare, not from headers that a client can set", () => {
  const request = from({ "CF-Connecting-IP": "192.0.2.7", "X-Forwarded-For": "198.51.100.1" });
  expect(readClient(request, {}).address).toBe("192.0.2.7");
});

test("behind a trusted proxy the address is the last one in X-Forwarded-For", () => {
  const request = from({ "X-Forwarded-For": "203.0.113.66, 198.51.100.1" });
  expect(readClient(request, BEHIND_PROXY).address).toBe("198.51.100.1");
  expect(readClient(request, {}).address).toBeNull();
});

// Catches a setting that counts as on whenever it is set: `0` and `false` would trust a proxy.
test("only `1` trusts a proxy", () => {
  const request = from({ "CF-Connecting-IP": "192.0.2.7", "X-Forwarded-For": "198.51.100.1" });
  for (const TRUST_PROXY of ["", "0", "false", "yes", " 1"]) {
    expect([TRUST_PROXY, readClient(request, { TRUST_PROXY }).address]).toEqual([TRUST_PROXY, "192.0.2.7"]);
  }
});

test("an address is stored in one form: without port, zone or brackets, and IPv4 as such", () => {
  for (const [written, address] of [
    ["198.51.100.1:50594", "198.51.100.1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["[::FFFF:c633:6401]:443", "198.51.100.1"],
    ["[2001:DB8::1]:50594", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:0db8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::1%en0.100", "fe80::1"],
  ] as const) {
    expect([written, readClient(from({ "X-Forwarded-For": written }), BEHIND_PROXY).address]).toEqual([
      written,
      address,
    ]);
  }
});

test("text that is not an address is not stored", () => {
  for (const written of [
    "unknown",
    "_hidden",
    "localhost",
    "198.51.100.256",
    "198.51.100",
    "010.0.0.1",
    "0x7f000001",
    "2130706433",
    "198.51.100.1:port",
    "[198.51.100.1]:80",
    "[2001:db8::1",
    "2001:db8::1::2",
    "2001:db8::12345",
    "1::2:3:4:5:6:7:8:9",
    "<script>",
    "a".repeat(100_000),
    `${"1:".repeat(50_000)}:`,
    "",
  ]) {
    const shown = written.slice(0, 30);
    expect([shown, readClient(from({ "X-Forwarded-For": written }), BEHIND_PROXY).address]).toEqual([shown, null]);
  }
});

test("characters that change the direction of text and lone surrogates are removed from browser and place", () => {
  const said = { "User-Agent": `Gauge\u202e/1.0\u0007${"😀".repeat(300)}` };
  const request = {
    headers: { get: (name: keyof typeof said) => said[name] ?? null },
    cf: { city: "\u2067Oslo\u2069", country: "NO" },
  } as unknown as Request; // Node's Headers rejects such characters, workerd's accepts them.
  expect(readClient(request, {})).toEqual({
    address: null,
    place: "Oslo, NO",
    browser: `Gauge/1.0 ${"😀".repeat(290)}`,
  });
});

test("a long User-Agent is cut, and it may be missing", () => {
  expect(readClient(from({ "User-Agent": "x".repeat(1000) }), {}).browser).toBe("x".repeat(300));
  expect(readClient(from({}), {})).toEqual({ address: null, place: null, browser: null });
});
