import { expect, test } from "vitest";
import { withCode, withoutCode } from "./stored-statement.ts";

const CODE = "7K3M-Q9TX-2HVP-8RDN-4";
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (statement: string) => statement.split(".").map((part) => Buffer.from(part, "base64url").toString());

test("a stored statement does not contain the code in any form, and the code restores it byte by byte", () => {
  const claims = { code: CODE.replaceAll("-", ""), url: `https://hours.example.com/c/${CODE}`, name: 'Jan "\u0001" Ł' };
  const statement = `${encode({ alg: "EdDSA" })}.${encode(claims)}.signature`;
  const stored = withoutCode(statement, CODE);
  expect(decoded(stored).join()).not.toMatch(/7K3M|8RDN/);
  expect(withCode(stored, CODE)).toBe(statement);
});
