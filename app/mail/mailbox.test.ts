import { expect, test } from "vitest";
import { commonStart, normalizeMailbox } from "./mailbox.ts";

test("addresses that deliver to one mailbox are counted as one", () => {
  for (const [address, mailbox] of [
    ["ola@example.org", "ola@example.org"],
    ["ola+1@example.org", "ola@example.org"],
    ["ola+a+b@example.org", "ola@example.org"],
    ["o.la@example.org", "o.la@example.org"],
    ["o.l.a+x@gmail.com", "ola@gmail.com"],
    ["ola@googlemail.com", "ola@gmail.com"],
    ["+ola@example.org", "+ola@example.org"],
    ["ola+x@Bücher.example", "ola@xn--bcher-kva.example"],
    ["ola@bu\u0308cher.example.", "ola@xn--bcher-kva.example"],
    ["OLA@XN--BCHER-KVA.example", "ola@xn--bcher-kva.example"],
    ["o.la@ｇｍａｉｌ.com", "ola@gmail.com"],
  ] as const) {
    expect([address, normalizeMailbox(address)]).toEqual([address, mailbox]);
  }
});

test("every stored spelling of a mailbox begins with what they have in common", () => {
  for (const [start, ...spellings] of [
    ["o.la", "o.la@example.org", "o.la+1@example.org"],
    ["+ola", "+ola@example.org", "+ola+1@example.org"],
    ["p", "per@gmail.com", "p.e.r+ndt@googlemail.com", "per+old@gmail.com"],
  ] as const) {
    for (const spelling of spellings) {
      expect([spelling, commonStart(normalizeMailbox(spelling))]).toEqual([spelling, start]);
      expect(spelling.startsWith(start)).toBe(true);
    }
  }
});
