import { createHash, createPublicKey, verify } from "node:crypto";
import { encode } from "uqr";
import { expect, test, vi } from "vitest";
import { type Claims, STATEMENT_MAX, signStatement, withCode, withoutCode } from "#app/proof/statement.server.ts";
import { KEY_ID, SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { keyId, newSigningKey, readSigningKey, signingKeyProblem } from "./signing-key.ts";
import { type Signer, signerOf } from "./signing-keys.server.ts";

const CLAIMS: Claims = {
  code: "ABCD-EFGH-JKMN-PQRS-T",
  url: "https://hours.example.com/c/ABCD-EFGH-JKMN-PQRS-T",
  form: "ojt",
  madeAt: new Date("2026-11-22T16:03:33.900Z"),
  name: "Kari Nordmann",
  number: "NDT-7",
  totals: { total: 40.25, MT: 33, PT: 7.25 },
  count: 6,
  rowsHash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
};

async function signer(setting = SIGNING_KEY): Promise<Signer> {
  const found = await signerOf({ signingKey: setting });
  if (!found) throw new Error("the key of the tests cannot be used");
  return found;
}

async function statementOf(over: Partial<Claims> = {}, by?: Signer): Promise<string> {
  return (await signStatement(by ?? (await signer()), { ...CLAIMS, ...over })) ?? "";
}

function partOf(statement: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(statement.split(".")[index] ?? "", "base64url").toString());
}

/** Verifies with Node's own implementation and nothing of the app. */
function isValid(statement: string, { x }: { x: string }): boolean {
  const [header, payload, signature = ""] = statement.split(".");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
}

test("a statement is a compact JWS with the key's thumbprint in its header and the claims in its payload", async () => {
  const statement = await statementOf();
  expect(statement).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  expect(partOf(statement, 0)).toEqual({ alg: "EdDSA", kid: KEY_ID, typ: "hours-statement+jws" });
  expect(partOf(statement, 1)).toEqual({
    code: CLAIMS.code,
    url: CLAIMS.url,
    form: "ojt",
    iat: 1_795_363_413,
    name: "Kari Nordmann",
    no: "NDT-7",
    sum: { total: 40.25, MT: 33, PT: 7.25 },
    n: 6,
    rows: CLAIMS.rowsHash,
  });
  expect(isValid(statement, await signer())).toBe(true);
});

test("a text over 60 characters, and one that looks like a hash, is replaced by its hash", async () => {
  const texts = { name: "n".repeat(60), number: "山".repeat(60) };
  expect(partOf(await statementOf(texts), 1)).toMatchObject({ name: texts.name, no: texts.number });
  const hash = /^sha256:[\w-]{43}$/;
  const long = "n".repeat(61);
  const hashed = `sha256:${createHash("sha256").update(long).digest("base64url")}`;
  expect(partOf(await statementOf({ name: long }), 1).name).toBe(hashed);
  expect(partOf(await statementOf({ url: `https://hours.example.com/${"a".repeat(60)}` }), 1).url).toMatch(hash);
  expect(partOf(await statementOf({ number: "sha256:NDT-7" }), 1).no).toMatch(hash);
  expect(partOf(await statementOf({ number: null }), 1).no).toBeNull();
});

test("no statement is too long for a QR code of version 20 at level L", async () => {
  const methods = ["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI", "LSI"];
  const totals = { total: 100_000.25, ...Object.fromEntries(methods.map((method) => [method, 12_345.25])) };
  const url = `https://${"h".repeat(24)}.com/c/ABCD-EFGH-JKMN-PQRS-T`;
  expect(url).toHaveLength(60);
  const lengths: number[] = [];
  for (const letter of ["n", "å", "山", "𠮷"]) {
    const text = letter.repeat(60);
    for (const verifiedFor of [null, text]) {
      const limits = { from: "2026-01-01", to: "2026-12-31", isOfOneSupervisor: true, supervisor: text };
      for (const chosen of [null, limits]) {
        const claims = { name: text, number: text, verifiedFor, chosen, url, totals, count: 10_000 };
        const statement = await statementOf(claims);
        lengths.push(statement.length);
        const { size } = encode(statement, { ecc: "L", border: 0 });
        expect([letter, (size - 17) / 4 <= 20]).toEqual([letter, true]);
      }
    }
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(STATEMENT_MAX);
  expect(partOf(await statementOf({ name: "山".repeat(60) }), 1).name).toBe("山".repeat(60));
});

test("a statement names whom records were verified for, if the form names another person", async () => {
  expect(partOf(await statementOf({ verifiedFor: "Anna Experienced, E-1" }), 1)).toMatchObject({
    name: "Kari Nordmann",
    for: "Anna Experienced, E-1",
  });
  expect(partOf(await statementOf(), 1)).not.toHaveProperty("for");
  expect(partOf(await statementOf({ verifiedFor: "x".repeat(61) }), 1).for).toMatch(/^sha256:[\w-]{43}$/);
});

test("a statement says which records a form has that has not all", async () => {
  const chosen = { from: "2026-01-01", to: null, isOfOneSupervisor: true, supervisor: "Ola Hansen" };
  const limited = partOf(await statementOf({ chosen }), 1);
  expect(limited).toMatchObject({ from: "2026-01-01", by: "Ola Hansen" });
  for (const [of, names] of [
    [limited, ["to"]],
    [partOf(await statementOf(), 1), ["from", "to", "by"]],
  ] as const) {
    for (const name of names) expect(of).not.toHaveProperty(name);
  }
});

test("the thumbprint of a key is that of RFC 8037, whatever else the key has", async () => {
  const { x = "" } = readSigningKey(SIGNING_KEY) ?? {};
  expect(keyId(x)).toBe(KEY_ID);
  const more = JSON.stringify({ use: "sig", kid: "mine", alg: "EdDSA", ...JSON.parse(SIGNING_KEY) });
  expect((await signer(more)).kid).toBe(KEY_ID);
});

test("without a key there is no statement, and with a malformed one a line of the log says so", async () => {
  expect(await signStatement(await signerOf({ signingKey: null }), CLAIMS)).toBeNull();
  const { x, d } = JSON.parse(SIGNING_KEY);
  const other = JSON.parse(await newSigningKey());
  const malformed = [
    ...["x", "{}", "null", "[]", '"text"', SIGNING_KEY.slice(1), SIGNING_KEY.replaceAll('"', "'")],
    ...[
      { kty: "OKP", crv: "Ed25519", x },
      { kty: "OKP", crv: "X25519", x, d },
      { kty: "EC", crv: "P-256", x, d },
    ].map((key) => JSON.stringify(key)),
    JSON.stringify({ kty: "OKP", crv: "Ed25519", x: x.slice(1), d }),
  ];
  const log = vi.spyOn(console, "error").mockReturnValue();
  for (const setting of [...malformed, JSON.stringify({ kty: "OKP", crv: "Ed25519", x: other.x, d })]) {
    log.mockClear();
    expect([setting, await signerOf({ signingKey: setting })]).toEqual([setting, null]);
    const [[line = ""] = []] = log.mock.calls;
    expect(JSON.parse(line)).toMatchObject({ level: "error", event: "signing key" });
    expect([setting, line.includes(d)]).toEqual([setting, false]);
  }
  for (const setting of malformed) expect(signingKeyProblem(setting)).toContain("SIGNING_KEY is not a private Ed25519");
  expect(signingKeyProblem(SIGNING_KEY)).toBeNull();
  expect(signingKeyProblem("")).toContain("npm run signing-key");
});

test("a stored statement does not contain the code in any form, and the code restores it byte by byte", () => {
  const code = "7K3M-Q9TX-2HVP-8RDN-4";
  const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { code: code.replaceAll("-", ""), url: `https://hours.example.com/c/${code}`, name: 'Jan "\u0001" Ł' };
  const statement = `${encodeJson({ alg: "EdDSA" })}.${encodeJson(claims)}.signature`;
  const stored = withoutCode(statement, code);
  const decoded = stored.split(".").map((part) => Buffer.from(part, "base64url").toString());
  expect(decoded.join()).not.toMatch(/7K3M|8RDN/);
  expect(withCode(stored, code)).toBe(statement);
});
