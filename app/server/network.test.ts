import { expect, test } from "vitest";
import { networkFromAddress } from "./network.ts";

test("an IPv4 address is its own network, also when written as IPv6", () => {
  expect(networkFromAddress("192.0.2.7")).toBe("192.0.2.7");
  expect(networkFromAddress("::ffff:192.0.2.7")).toBe("192.0.2.7");
});

test("an IPv6 address belongs to its /64, in any spelling", () => {
  const same = ["2001:db8:0:1:2:3:4:5", "2001:0DB8::1:ffff:0:0:1", "2001:db8:0:1::"];
  expect(same.map(networkFromAddress)).toEqual(same.map(() => "2001:db8:0:1::/64"));
  expect(networkFromAddress("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(networkFromAddress("::1")).toBe("0:0:0:0::/64");
});

test("the network of an unknown address is the empty string", () => {
  expect(networkFromAddress(null)).toBe("");
});
