import { expect, test } from "vitest";
import { certificationText } from "#app/records/evidence.ts";
import { mailboxSecret } from "#app/verification/link.server.ts";
import { plainName, withoutLinks } from "./typed-text.ts";

/*
 * Names, places and certificate numbers as people write them, in emails and on forms. The tests that are marked as failing say
 * what is right and is not so yet. A plain test beside them shows that what they use works.
 */

const asWritten = (name: string) => [name, plainName(name)?.replace(/ +/g, " ")];

test("a name of words stands in an email as it is written, and one that a mail program makes a link of does not", () => {
  expect(["Anna Berg", "Dr. J. Smith"].map(asWritten)).toEqual([
    ["Anna Berg", "Anna Berg"],
    ["Dr. J. Smith", "Dr. J. Smith"],
  ]);
  expect(["evil.com", "www evil", "A technician at evil.example"].map(plainName)).toEqual([null, null, null]);
});

test.each([
  ["J.P. van Dijk"],
  ["K.V.S. Rao"],
  ["Dr.-Ing. Jürgen Bär"],
  ["van ’t Hof"],
  ["A/L Kumar"],
  ["O´Neil"],
  ["Anna  Berg"],
  ["Li (Level III)"],
])("%s is a name, so an email to a supervisor says it", (name) => {
  expect(asWritten(name)).toEqual([name, name.replace(/ +/g, " ")]);
});

test("text without a dot between letters stands in an email as it is written, and an address in it is no link", () => {
  expect(withoutLinks("Hall 3, 12 mm. Rev. 2")).toBe("Hall 3, 12 mm. Rev. 2");
  expect(withoutLinks("www.evil.example evil.com")).toBe("www[.]evil[.]example evil[.]com");
});

test.each([["St.Petersburg"], ["hal 3.B"], ["12.5mm"], ["J.P. van Dijk"]])(
  "%s is no address, so an email has it as it is written",
  (text) => {
    expect(withoutLinks(text)).toBe(text);
  },
);

/** The secrets of the mailed links of 300 requests. */
const secrets = Array.from({ length: 300 }, (_, n) =>
  String(mailboxSecret("a secret", { token: `token ${n}`, nonce: "nonce", supervisorEmail: "ola@example.org" })),
);

test("the secret of a mailed link has 22 characters of base64url", () => {
  expect(secrets.filter((m) => !/^[\w-]{22,}$/.test(m))).toEqual([]);
});

test.fails("the secret of a mailed link ends in a letter or a digit, because a mail program leaves a hyphen out of the link", () => {
  expect(secrets.filter((m) => !/[A-Za-z\d]$/.test(m))).toEqual([]);
});

test("a supervisor's certificate is said with its scheme, level and number", () => {
  const text = certificationText({ scheme: "PCN", level: "Level III", number: "12345" });
  for (const part of ["PCN", "Level III", "12345"]) expect(text).toContain(part);
});

test.each([
  ["a domain", "equinor.com"],
  ["the words of a confirmation", "confirmed by equinor.com on 27 Nov 2026"],
  ["the word of a mark", "Mailbox"],
])("a certificate number with %s is labelled as stated, in quotation marks", (_what, number) => {
  const text = certificationText({ scheme: "PCN", level: "Level III", number });
  expect(text).toMatch(/^Stated certificate: /);
  expect(text).toContain(`“${number}”`);
});
