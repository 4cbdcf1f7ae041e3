import { expect, test } from "vitest";
import { networkOf } from "./network.ts";

test("an IPv4 address is its own network, also when written as IPv6", () => {
  expect(networkOf("192.0.2.7")).toBe("192.0.2.7");
  expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
});

test("an IPv6 address belongs to its /64, in any spelling", () => {
  const same = ["2001:db8:0:1:2:3:4:5", "2001:0DB8::1:ffff:0:0:1", "2001:db8:0:1::"];
  expect(same.map(networkOf)).toEqual(same.map(() => "2001:db8:0:1::/64"));
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
});

test("the network of an unknown address is the empty string", () => {
  expect(networkOf(null)).toBe("");
});
