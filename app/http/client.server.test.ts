import { expect, test } from "vitest";
import { clientOf } from "./client.server.ts";

/** A request with these headers. */
function from(headers: Record<string, string>): Request {
  return new Request("https://hours.example.com/", { headers });
}

test("the address is the one that Cloudflare saw, whatever a client says of itself", () => {
  const request = from({ "CF-Connecting-IP": "192.0.2.7", "X-Forwarded-For": "198.51.100.1" });
  expect(clientOf(request, {}).address).toBe("192.0.2.7");
});

test("behind a trusted proxy the address is the one that the proxy wrote, the last", () => {
  const request = from({ "X-Forwarded-For": "203.0.113.66, 198.51.100.1" });
  expect(clientOf(request, { TRUST_PROXY: "1" }).address).toBe("198.51.100.1");
  expect(clientOf(request, {}).address).toBeNull();
});

test("what a browser says of itself is cut where it gets long, and may be missing", () => {
  expect(clientOf(from({ "User-Agent": "x".repeat(1000) }), {}).browser).toBe("x".repeat(300));
  expect(clientOf(from({}), {})).toEqual({ address: null, place: null, browser: null });
});
